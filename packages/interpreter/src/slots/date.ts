import type { Slots } from "../guest-value.ts";

/** The slots of a Date. */
export class DateSlots implements Slots {
  readonly type = "date";
  /** The time in ms since 1970, UTC; NaN for a date that is not valid. */
  time: number;

  constructor(time: number) {
    this.time = time;
  }
}
