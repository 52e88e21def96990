// What passes between a host and the worker in which a language runs.

import type { GuestResult as FrameResult, GuestLimits, HostMessage, RunnerMessage } from "../frames.ts";

/** What every first message to a worker has; the rest of it is the language's own. */
export interface SharedMemory {
  /** Shared memory for messages to a program that runs; absent where none is used. */
  readonly mailbox?: SharedArrayBuffer;
  /** One byte that the guest's engine looks at: other than 0, it ends what it computes. */
  readonly interrupt?: SharedArrayBuffer;
}

/** A message to the guest. */
export type ToGuest =
  | (Pick<FrameOf<HostMessage, "start">, "type" | "tools" | "finalAnswer" | "imports"> & {
      readonly limits: Pick<GuestLimits, "outputChars">;
    })
  | Omit<FrameOf<HostMessage, "execute">, "id">
  | FrameOf<HostMessage, "deliver" | "is-program">
  | Omit<FrameOf<HostMessage, "stop">, "reason">
  | {
      readonly type: "variables";
      readonly request: number;
      readonly newest: number | null;
      readonly previews: boolean;
    };

/** How a block ended. Its host reports a stop. */
export type GuestResult = Exclude<FrameResult, { readonly type: "stopped" }>;

/** A message of the worker, or of the guest in it. */
export type FromWorker =
  | { readonly type: "ready"; readonly canWait: boolean }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "taken" }
  | FrameOf<RunnerMessage, "started" | "call" | "console" | "rested" | "variables" | "is-program">
  | { readonly type: "result"; readonly execution: number; readonly result: GuestResult }
  | { readonly type: "unwound"; readonly execution: number };

type FrameOf<Frame extends { readonly type: string }, Type extends Frame["type"]> = Extract<
  Frame,
  { readonly type: Type }
>;
