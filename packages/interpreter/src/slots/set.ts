import type { Slots } from "../guest-value.ts";

/** The slots of a Set. */
export class SetSlots implements Slots {
  readonly type = "set";
  readonly values: Set<unknown>;

  constructor(values: Set<unknown> = new Set()) {
    this.values = values;
  }

  get held(): readonly unknown[] {
    return [this.values];
  }
}
