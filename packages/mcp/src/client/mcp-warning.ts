/** A problem that the program should know about, although everything else works. */
export interface McpWarning {
  readonly server: string;
  readonly message: string;
}
