import type { Slots } from "../guest-value.ts";

/** The slots of a Map. */
export class MapSlots implements Slots {
  readonly type = "map";
  readonly entries: Map<unknown, unknown> = new Map();

  get held(): readonly unknown[] {
    return [this.entries];
  }
}
