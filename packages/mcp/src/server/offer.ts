import type { CallToolResult, Tool as ToolDefinition } from "@modelcontextprotocol/server";
import type { ApprovalDecision, ApprovalRequest } from "@smolts/protocol";
import type { ClientSession } from "./client-session.ts";

/** The context of a client's call. */
export interface CallContext {
  /** Aborts when the client cancels the call or its session ends. */
  readonly signal: AbortSignal;
  readonly session: ClientSession;
  /** Reports progress to the client; has no effect when the client did not ask for it. */
  report(progress: ProgressReport): void;
  /**
   * Asks a person for approval: by the server's own handler, or through the client. Never rejects
   * because nobody can be asked: it denies.
   */
  ask(request: ApprovalRequest): Promise<ApprovalDecision>;
}

/** One progress notification. */
export interface ProgressReport {
  readonly message?: string;
  /** How far the call is, when the tool says so; else reports are counted. */
  readonly progress?: number;
  readonly total?: number;
}

/** A tool as clients see it. */
export interface OfferedTool {
  readonly definition: ToolDefinition;
  /** Returns failures of the tool as results with `isError`. */
  call(input: unknown, context: CallContext): Promise<CallToolResult>;
}

/** The offer of a server to its clients. */
export interface Offer {
  /** The server's name when the options give none. */
  readonly name: string;
  readonly instructions?: string;
  /**
   * The tools for a client; `hasSession` is false for clients whose requests belong to no session.
   */
  tools(hasSession: boolean): readonly OfferedTool[];
  /** Ends what the offer keeps besides the sessions. */
  close?(): Promise<void>;
}

/** A result that says what went wrong. */
export function failure(message: string, hint?: string): CallToolResult {
  return { content: [{ type: "text", text: hint === undefined ? message : `${message}\n${hint}` }], isError: true };
}
