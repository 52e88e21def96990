/**
 * A problem that the program should know about, but that did not stop the other servers or tools.
 */
export interface McpWarning {
  readonly server: string;
  readonly message: string;
}
