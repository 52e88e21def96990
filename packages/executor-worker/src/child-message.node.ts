// The messages between the host and a child process. The child only forwards strings: each string
// is a message from the host to the interpreter's thread, or from that thread to the host
// (`message.ts`).

import type { ResourceLimits } from "node:worker_threads";
import type { ThreadEnd } from "./guest-thread.ts";

/** A message from the host to the child. */
export type ToChild =
  | string
  | {
      readonly type: "start";
      readonly resourceLimits: ResourceLimits;
      /**
       * The memory limit that the child enforces itself, in bytes. Absent if the operating system
       * enforces it.
       */
      readonly maxRssBytes?: number;
    }
  | { readonly type: "set-aborted"; readonly isAborted: boolean };

/** A message from the child to the host. */
export type FromChild = string | { readonly type: "end"; readonly end: ThreadEnd };
