// Compiles the entry to a scope.

import type { Scope } from "../analyse/scope.ts";
import { uninitialized } from "../bindings.ts";
import { type Frame, newFrame } from "../frame.ts";

/**
 * Enters a scope: marks its variables as uninitialised, and returns the frame for its code. If the
 * scope has its own frame, creates this frame.
 */
export type EnterScope = (frame: Frame) => Frame;

/** The properties of a scope that decide how it is entered. */
type EnterableScope = Pick<Scope, "variables" | "hasFrame"> & Partial<Pick<Scope, "size">>;

/** Compiles the entry to a scope; null if the entry has nothing to do. */
export function scopeEntry(scope: EnterableScope): EnterScope | null {
  const marked = slotsToMark(scope);
  if (scope.hasFrame)
    return marked.length === 0
      ? (frame) => newFrame(frame, scope.size ?? 1)
      : (frame) => markUninitialized(newFrame(frame, scope.size ?? 1), marked);
  return marked.length === 0 ? null : (frame) => markUninitialized(frame, marked);
}

/** Returns the slots of variables that code may read before their declaration has run. */
function slotsToMark({ variables }: EnterableScope): readonly number[] {
  const slots: number[] = [];
  for (const { checked, binding, slot } of variables.values()) if (checked && !binding) slots.push(slot);
  return slots;
}

function markUninitialized(frame: Frame, slots: readonly number[]): Frame {
  for (let index = 0; index < slots.length; index++) frame[slots[index] as number] = uninitialized; // `index` is less than the length
  return frame;
}
