import type { CallToolResult, Tool as ToolDefinition } from "@modelcontextprotocol/server";
import type { ApprovalDecision, ApprovalRequest } from "@smolts/protocol";
import type { ClientSession } from "./client-session.ts";

/** The context of a client's call. */
export interface CallContext {
  /** A signal that aborts when the client cancels the call, or when the session ends. */
  readonly signal: AbortSignal;
  readonly session: ClientSession;
  /** Reports progress to the client. Does nothing if the client did not ask for progress. */
  report(progress: ProgressReport): void;
  /**
   * Asks a person for approval, by the server's own function or through the client. If nobody can
   * be asked, the call is denied; the promise does not reject.
   */
  ask(request: ApprovalRequest): Promise<ApprovalDecision>;
}

/** The content of one progress notification. */
export interface ProgressReport {
  readonly message?: string;
  /**
   * The progress so far, if the tool reports it. Otherwise, the client gets the number of reports
   * so far.
   */
  readonly progress?: number;
  readonly total?: number;
}

/** A tool as clients see and call it. */
export interface OfferedTool {
  readonly definition: ToolDefinition;
  /** Calls the tool. If the tool fails, returns a result with `isError`. */
  call(input: unknown, context: CallContext): Promise<CallToolResult>;
}

/** Everything that a server offers to its clients. */
export interface Offer {
  /** The server's name if the options do not contain one. */
  readonly name: string;
  readonly instructions?: string;
  /**
   * Returns the tools for a client. `hasSession` is false if the client's requests do not belong to
   * a session.
   */
  tools(hasSession: boolean): readonly OfferedTool[];
  /** Closes resources that do not belong to a session. */
  close?(): Promise<void>;
}

/** Returns a result that reports an error. */
export function failure(message: string, hint?: string): CallToolResult {
  return { content: [{ type: "text", text: hint === undefined ? message : `${message}\n${hint}` }], isError: true };
}
