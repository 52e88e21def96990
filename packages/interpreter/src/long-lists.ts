// Stores long lists in such a way that the host need not convert them later.
//
// V8 stores a list of numbers "unboxed" (without an object for each number) if not all of them are
// small integers. When such a list gets an element of another kind, or is frozen, V8 creates an
// object for each number. For ten million numbers that takes a second and 300 MB, and cannot be
// interrupted. To prevent this, a list that becomes long gets an element of another kind for a
// moment. From then on, V8 creates an object for each number as soon as it is stored.
//
// Such a list can become unboxed again only after V8 has stored it as a hash table: see holes.ts.

import { isHostArray } from "./guest-value.ts";

/** The length from which converting a list of numbers takes the host long. */
export const longNumberList: number = 1 << 18;

const otherElement = { value: {}, writable: true, enumerable: true, configurable: true };

/** Makes V8 store references instead of unboxed numbers in a list. Ignores other objects. */
export function keepReferences(list: object): void {
  if (!isHostArray(list)) return;
  const { length } = list;
  if (Reflect.defineProperty(list, length, otherElement)) list.length = length;
}

/** Adds an element at the end of a host list. Used for lists that may become long. */
export function pushTo<Element>(list: Element[], element: Element): void {
  if (list.length === longNumberList) keepReferences(list);
  list.push(element);
}
