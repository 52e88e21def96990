// Keeps long lists in a form that the host need not change later.
//
// V8 stores a list of numbers as bare numbers if not all of them are small integers. When such a
// list gets an element of another kind, or is frozen, V8 makes an object for each number. For ten
// million numbers that takes a second and 300 MB, and nothing can stop it. So a list that becomes
// long gets an element of another kind for a moment. From then on, V8 makes an object for each
// number when the number is stored.
//
// A list loses this form only while V8 stores it as a hash table: see holes.ts.

import { isHostArray } from "./guest-value.ts";

/** The minimum length of a list of numbers that the host needs long to change. */
export const longNumberList: number = 1 << 18;

const otherElement = { value: {}, writable: true, enumerable: true, configurable: true };

/** Makes V8 store references instead of bare numbers in a list. Other objects are ignored. */
export function keepReferences(list: object): void {
  if (!isHostArray(list)) return;
  const { length } = list;
  if (Reflect.defineProperty(list, length, otherElement)) list.length = length;
}

/** Adds an element at the end of a host list. For lists that may become long. */
export function pushTo<Element>(list: Element[], element: Element): void {
  if (list.length === longNumberList) keepReferences(list);
  list.push(element);
}
