/** A change of a tool since it was approved. */
export interface McpToolChange {
  readonly server: string;
  /** The tool's name on the server. */
  readonly tool: string;
  readonly change: "changed" | "removed" | "added";
}
