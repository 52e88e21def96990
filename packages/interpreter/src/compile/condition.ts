// Code that runs only under a condition. Each closure has two variants: a plain one, and one that
// passes each object that was used as a condition to `note` (watched.ts). Both variants evaluate
// the condition themselves. A shared closure for that would cost as much as the condition does.

import type { Frame } from "../frame.ts";
import type { Evaluate, Execute } from "./context.ts";

/** Called with an object that was used as a condition. */
export type NoteTest = (value: unknown) => void;

/** A condition, and the observer of its values. */
export interface Test {
  readonly evaluate: Evaluate;
  readonly note: NoteTest | null;
}

/** Compiles `test ? consequent : alternate`, or `if` with `else`. */
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

/** Compiles `if` without `else`. */
export function ifThen({ evaluate, note }: Test, consequent: Execute): Execute {
  if (!note) return (frame) => (evaluate(frame) ? consequent(frame) : undefined);
  return (frame) => {
    const value = evaluate(frame);
    if (typeof value === "object" && value !== null) note(value);
    return value ? consequent(frame) : undefined;
  };
}

/** Compiles `left && right`. */
export function and({ evaluate, note }: Test, right: Evaluate): Evaluate {
  return (frame) => {
    const value = evaluate(frame);
    if (note && typeof value === "object" && value !== null) note(value);
    return value ? right(frame) : value;
  };
}

/** Compiles `left || right`. */
export function or({ evaluate, note }: Test, right: Evaluate): Evaluate {
  return (frame) => {
    const value = evaluate(frame);
    if (note && typeof value === "object" && value !== null) note(value);
    return value ? value : right(frame);
  };
}

/** Compiles `left ?? right`. */
export function nullish({ evaluate, note }: Test, right: Evaluate): Evaluate {
  if (!note) return (frame) => evaluate(frame) ?? right(frame);
  return (frame) => {
    const value = evaluate(frame);
    if (typeof value === "object" && value !== null) note(value);
    return value ?? right(frame);
  };
}

/** Compiles `!value`. */
export function not({ evaluate, note }: Test): Evaluate {
  if (!note) return (frame) => !evaluate(frame);
  return (frame) => {
    const value = evaluate(frame);
    if (typeof value === "object" && value !== null) note(value);
    return !value;
  };
}
