// One block of code as the supervisor keeps it: what it has reported, what is open, how long it has
// worked.

import type { EncodedValue, SerializedError, StopReason } from "@smolts/protocol";
import type { GuestResult, RunnerMessage } from "../../src/frames.ts";

/** A frame about a block. */
export interface Report {
  readonly frame: BlockMessage;
  /** Its large field as text, which is not in `frame` then. */
  readonly lastField?: string | undefined;
  /** About the length of its line. */
  readonly chars: number;
}

/**
 * Frames that belong to a block. A call and a final answer may have their arguments as text beside
 * them.
 */
export type BlockMessage =
  | Extract<RunnerMessage, { type: "console" | "result" }>
  | (Omit<Extract<RunnerMessage, { type: "call" }>, "args"> & { readonly args?: readonly EncodedValue[] });

/**
 * A host that attaches again gets the frames of the last block again; more than this is not kept
 * for it.
 */
const mostKeptChars = 64 * 1024 * 1024;

/** A block that was begun. */
export class Block {
  /** As the host counts; another after a fresh attachment. */
  execution: number;
  /** As the guest counts. */
  readonly guestExecution: number;
  readonly id: string;
  readonly code: string;
  readonly openCalls = new Set<number>();
  callCount = 0;
  printedChars = 0;
  elapsedMs = 0;
  isOver = false;
  /** Why it is being stopped. */
  stopReason: StopReason | null = null;
  #reports: Report[] | null = [];
  #keptChars = 0;

  constructor(execution: number, guestExecution: number, id: string, code: string) {
    this.execution = execution;
    this.guestExecution = guestExecution;
    this.id = id;
    this.code = code;
  }

  /** The reports so far, under the present number; null if they were too much to keep. */
  get reports(): readonly Report[] | null {
    return (
      this.#reports?.map((report) => ({ ...report, frame: { ...report.frame, execution: this.execution } })) ?? null
    );
  }

  keep(report: Report): void {
    this.#keptChars += report.chars;
    if (this.#keptChars > mostKeptChars) this.#reports = null;
    this.#reports?.push(report);
  }
}

const lostHint = "all variables are gone: define again what is needed";

/** The result of a block that was stopped. */
export function stoppedResult(reason: StopReason, areVariablesLost: boolean): GuestResult {
  const { message, hint } = stops[reason] ?? { message: "the code was stopped", hint: "part of it may have run" };
  const error: SerializedError = {
    code: "code-execution",
    message,
    hint: areVariablesLost ? `${hint}; ${lostHint}` : hint,
  };
  return { type: "stopped", reason, error, unawaited: [] };
}

/** The result of a block whose process ended. */
export function endedResult(how: string, isBroken: boolean): GuestResult {
  const [message, hint] = isBroken
    ? ["the code broke what its own process works with", "do not replace or freeze built-in objects such as JSON"]
    : [`the code ended its own process (${how})`, "do not call process.exit()"];
  const error: SerializedError = { code: "code-execution", message, hint: `${hint}; ${lostHint}` };
  return { type: "error", error, unawaited: [] };
}

const stops: { readonly [Reason in StopReason]?: { readonly message: string; readonly hint: string } } = {
  "guest-time": {
    message: "the code was stopped because it computed for too long (waiting for calls does not count)",
    hint: "check that each loop ends, and work on less at once",
  },
  memory: {
    message: "the code was stopped because it used too much memory",
    hint: "keep less at once: filter early, and work on smaller pieces",
  },
  output: {
    message: "the code was stopped because it printed too much",
    hint: "print only what is needed, such as the length and the first elements",
  },
  "pending-calls": {
    message: "the code was stopped because too many calls were under way at once",
    hint: "await the calls in batches, such as 20 at a time",
  },
  aborted: { message: "the code was stopped from outside", hint: "part of it may have run" },
};
