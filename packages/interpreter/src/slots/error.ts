// Guest errors: objects with ErrorSlots. They are not host errors, so no host stack is captured and
// none can leak.

import type { Position } from "../guest-throw.ts";
import { type Slots, slotsOfKind } from "../guest-value.ts";

/** The slots of an error. */
export class ErrorSlots implements Slots {
  readonly type = "error";
  /** Where it was made, as soon as that is known; the `stack` text is made from it. */
  position: Position | null;

  constructor(position: Position | null) {
    this.position = position;
  }
}

/** The slots of an error, or undefined when the value is none. */
export function errorSlots(value: unknown): ErrorSlots | undefined {
  return slotsOfKind(value, ErrorSlots);
}
