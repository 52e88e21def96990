// The messages between a host and the worker in which a language runs.

import type { GuestResult as FrameResult, GuestLimits, HostMessage, RunnerMessage } from "../frames.ts";

/** The part of the first message that is the same for all languages. */
export interface SharedMemory {
  /** The shared memory for messages to a running program. Absent if it is not used. */
  readonly mailbox?: SharedArrayBuffer;
  /**
   * One byte that the language's engine checks regularly. If it is not 0, the engine stops the
   * code.
   */
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

/** The end of a block. Stopped blocks are not included: the host reports those itself. */
export type GuestResult = Exclude<FrameResult, { readonly type: "stopped" }>;

/** A message from the worker, or from the guest that runs in it. */
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
