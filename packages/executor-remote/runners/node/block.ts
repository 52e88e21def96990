// The state of one block of code in the supervisor: its reports so far, its open calls, and the
// time that it has used.

import type { EncodedValue, SerializedError, StopReason } from "@smolts/protocol";
import type { GuestResult, RunnerMessage } from "../../src/frames.ts";

/** A frame with a report about a block. */
export interface Report {
  readonly frame: BlockMessage;
  /**
   * The frame's largest field as JSON text. If it is present, `frame` does not contain that field.
   */
  readonly lastField?: string | undefined;
  /** The approximate length of the frame's line, in characters. */
  readonly chars: number;
}

/**
 * The frames that belong to a block. The arguments of a call may be kept separately as text,
 * and so may a final answer.
 */
export type BlockMessage =
  | Extract<RunnerMessage, { type: "console" | "result" }>
  | (Omit<Extract<RunnerMessage, { type: "call" }>, "args"> & { readonly args?: readonly EncodedValue[] });

/**
 * The maximum size of the reports that are kept for the last block, in characters. If a host
 * attaches again, these reports are sent again.
 */
const maxKeptChars = 64 * 1024 * 1024;

/** A block that has begun. */
export class Block {
  /** The host's number for the block. It changes if another host attaches. */
  execution: number;
  /** The guest's number for the block. */
  readonly guestExecution: number;
  readonly id: string;
  readonly code: string;
  readonly openCalls = new Set<number>();
  callCount = 0;
  printedChars = 0;
  elapsedMs = 0;
  isOver = false;
  /** Why the block is being stopped. Null if it is not being stopped. */
  stopReason: StopReason | null = null;
  #reports: Report[] | null = [];
  #keptChars = 0;

  constructor(execution: number, guestExecution: number, id: string, code: string) {
    this.execution = execution;
    this.guestExecution = guestExecution;
    this.id = id;
    this.code = code;
  }

  /**
   * Returns the reports so far, with the current execution number. Null if they were too long to
   * keep.
   */
  get reports(): readonly Report[] | null {
    return (
      this.#reports?.map((report) => ({ ...report, frame: { ...report.frame, execution: this.execution } })) ?? null
    );
  }

  keep(report: Report): void {
    this.#keptChars += report.chars;
    if (this.#keptChars > maxKeptChars) this.#reports = null;
    this.#reports?.push(report);
  }
}

const lostHint = "all variables are gone: define again what is needed";

/** Returns the result of a block that was stopped. */
export function stoppedResult(reason: StopReason, areVariablesLost: boolean): GuestResult {
  const { message, hint } = stops[reason] ?? { message: "the code was stopped", hint: "part of it may have run" };
  const error: SerializedError = {
    code: "code-execution",
    message,
    hint: areVariablesLost ? `${hint}; ${lostHint}` : hint,
  };
  return { type: "stopped", reason, error, unawaited: [] };
}

/** Returns the result of a block whose process ended. */
export function endedResult(how: string, isBroken: boolean): GuestResult {
  const [message, hint] = isBroken
    ? ["the code broke something that its own process needs", "do not replace or freeze built-in objects such as JSON"]
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
    message: "the code was stopped because too many calls were pending at once",
    hint: "await the calls in batches, such as 20 at a time",
  },
  aborted: { message: "the code was stopped from outside", hint: "part of it may have run" },
};
