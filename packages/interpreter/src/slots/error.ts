// Guest errors: objects with ErrorSlots. Guest errors are not host errors, so the host captures no
// stack for them, and no stack of the host can reach guest code.

import type { Position } from "../guest-throw.ts";
import { type Slots, slotsOfKind } from "../guest-value.ts";

/** The slots of an error. */
export class ErrorSlots implements Slots {
  readonly type = "error";
  /**
   * The position at which the error was created; null until it is known. The text of `stack`
   * contains the position.
   */
  position: Position | null;

  constructor(position: Position | null) {
    this.position = position;
  }
}

/** Returns the slots of an error, or undefined if the value is not one. */
export function errorSlots(value: unknown): ErrorSlots | undefined {
  return slotsOfKind(value, ErrorSlots);
}
