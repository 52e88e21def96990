// What passes between a host and the worker in which a language runs.

import type { CallOutcome, ConsoleLine, EncodedValue, SerializedError, VariableSummary } from "@smolts/protocol";

/** What every first message to a worker has; the rest of it is the language's own. */
export interface SharedMemory {
  /** Shared memory for messages to a program that runs; absent where none is used. */
  readonly mailbox?: SharedArrayBuffer;
  /** One byte that the guest's engine looks at: other than 0, it ends what it computes. */
  readonly interrupt?: SharedArrayBuffer;
}

/** A message to the guest. */
export type ToGuest =
  | {
      readonly type: "start";
      readonly tools: readonly string[];
      readonly finalAnswer: string | null;
      readonly imports: readonly string[] | null;
      readonly limits: { readonly outputChars: number };
    }
  | {
      readonly type: "execute";
      readonly execution: number;
      readonly code: string;
      readonly variables: { readonly [name: string]: EncodedValue };
    }
  | {
      readonly type: "deliver";
      readonly request: number;
      readonly execution: number;
      readonly call: number;
      readonly outcome: CallOutcome;
    }
  | { readonly type: "stop"; readonly execution: number }
  | { readonly type: "variables"; readonly request: number; readonly newest: number | null; readonly previews: boolean }
  | { readonly type: "is-program"; readonly request: number; readonly code: string };

/** How a block ended. */
export type GuestResult = { readonly unawaited: readonly number[] } & (
  | {
      readonly type: "value";
      readonly output: {
        readonly text: string;
        readonly value?: EncodedValue;
        readonly media?: readonly { readonly mediaType: string; readonly data: string }[];
      } | null;
    }
  | {
      readonly type: "final-answer";
      readonly args: readonly EncodedValue[];
      readonly keywords?: { readonly [name: string]: EncodedValue };
    }
  | { readonly type: "error"; readonly error: SerializedError }
);

/** A message of the worker, or of the guest in it. */
export type FromWorker =
  | { readonly type: "ready"; readonly canWait: boolean }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "taken" }
  | { readonly type: "started" }
  | {
      readonly type: "call";
      readonly execution: number;
      readonly call: number;
      readonly name: string;
      readonly args: readonly EncodedValue[];
      readonly keywords?: { readonly [name: string]: EncodedValue };
    }
  | {
      readonly type: "console";
      readonly execution: number;
      readonly level: ConsoleLine["level"];
      readonly text: string;
    }
  | { readonly type: "result"; readonly execution: number; readonly result: GuestResult }
  | { readonly type: "unwound"; readonly execution: number }
  | { readonly type: "rested"; readonly request: number }
  | { readonly type: "variables"; readonly request: number; readonly variables: readonly VariableSummary[] }
  | { readonly type: "is-program"; readonly request: number; readonly isProgram: boolean };
