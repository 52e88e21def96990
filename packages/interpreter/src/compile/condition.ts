// Code that runs only under a condition. Each closure has two forms: a plain one, and one that
// calls `note` with objects that decided (watched.ts). The check is inline: a closure of its own
// would cost as much as the condition.

import type { Frame } from "../frame.ts";
import type { Evaluate, Execute } from "./context.ts";

/** Is told of an object that decided something. */
export type NoteTest = (value: unknown) => void;

/** A value that decides, and the observer to call with it. */
export interface Test {
  readonly evaluate: Evaluate;
  readonly note: NoteTest | null;
}

/** `test ? consequent : alternate`, also as `if` and `else`. */
export function conditional<Result>(
  { evaluate, note }: Test,
  consequent: (frame: Frame) => Result,
  alternate: (frame: Frame) => Result,
): (frame: Frame) => Result {
  if (!note) return (frame) => (evaluate(frame) ? consequent(frame) : alternate(frame));
  return (frame) => {
    const value = evaluate(frame);
    if (typeof value === "object" && value !== null) note(value);
    return value ? consequent(frame) : alternate(frame);
  };
}

/** `if` without `else`. */
export function ifThen({ evaluate, note }: Test, consequent: Execute): Execute {
  if (!note) return (frame) => (evaluate(frame) ? consequent(frame) : undefined);
  return (frame) => {
    const value = evaluate(frame);
    if (typeof value === "object" && value !== null) note(value);
    return value ? consequent(frame) : undefined;
  };
}

/** `left && right`. */
export function and({ evaluate, note }: Test, right: Evaluate): Evaluate {
  return (frame) => {
    const value = evaluate(frame);
    if (note && typeof value === "object" && value !== null) note(value);
    return value ? right(frame) : value;
  };
}

/** `left || right`. */
export function or({ evaluate, note }: Test, right: Evaluate): Evaluate {
  return (frame) => {
    const value = evaluate(frame);
    if (note && typeof value === "object" && value !== null) note(value);
    return value ? value : right(frame);
  };
}

/** `left ?? right`. */
export function nullish({ evaluate, note }: Test, right: Evaluate): Evaluate {
  if (!note) return (frame) => evaluate(frame) ?? right(frame);
  return (frame) => {
    const value = evaluate(frame);
    if (typeof value === "object" && value !== null) note(value);
    return value ?? right(frame);
  };
}

/** `!value`. */
export function not({ evaluate, note }: Test): Evaluate {
  if (!note) return (frame) => !evaluate(frame);
  return (frame) => {
    const value = evaluate(frame);
    if (typeof value === "object" && value !== null) note(value);
    return !value;
  };
}
