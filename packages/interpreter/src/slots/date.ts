import type { Slots } from "../guest-value.ts";

/** The slots of a Date. */
export class DateSlots implements Slots {
  readonly type = "date";
  /** Ms since 1970 in UTC; NaN for a date that is none. */
  time: number;

  constructor(time: number) {
    this.time = time;
  }
}
