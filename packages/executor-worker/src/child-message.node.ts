// What goes between the host and a child process. A text is a message between the host and the
// interpreter's thread, as `message.ts` has them.

import type { ResourceLimits } from "node:worker_threads";
import type { ThreadEnd } from "./guest-thread.ts";

/** From the host to the child. */
export type ToChild =
  | string
  | {
      readonly type: "start";
      readonly resourceLimits: ResourceLimits;
      /** Memory that the child watches itself, in bytes; absent where the operating system does. */
      readonly maxRssBytes?: number;
    }
  | { readonly type: "set-aborted"; readonly isAborted: boolean };

/** From the child to the host. */
export type FromChild = string | { readonly type: "end"; readonly end: ThreadEnd };
