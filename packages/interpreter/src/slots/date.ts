import type { Slots } from "../guest-value.ts";

/** The slots of a Date. */
export class DateSlots implements Slots {
  readonly type = "date";
  #time: number;
  #host: Date | null = null;

  constructor(time: number) {
    this.#time = time;
  }

  /** The time in ms since 1970, UTC; NaN for a date that is not valid. */
  get time(): number {
    return this.#time;
  }

  set time(time: number) {
    this.#time = time;
    this.#host = null;
  }

  /** The host's date of the same time. It is kept, because most programs read several fields. */
  get host(): Date {
    this.#host ??= new Date(this.#time);
    return this.#host;
  }

  get heapBytes(): number {
    return this.#host ? bytesOfHostDate : 0;
  }
}

/** The bytes of a host's date. */
export const bytesOfHostDate = 104;
