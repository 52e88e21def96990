// Entering scopes.

import type { Scope } from "../analyse/scope.ts";
import { uninitialized } from "../bindings.ts";
import { type Frame, newFrame } from "../frame.ts";

/**
 * Gives the frame to run a scope's code on: a new one where the scope has its own, with its
 * variables uninitialised.
 */
export type EnterScope = (frame: Frame) => Frame;

/** What entering asks of a scope. */
type EnterableScope = Pick<Scope, "variables" | "hasFrame"> & Partial<Pick<Scope, "size">>;

/** How a scope is entered; null when nothing has to be done. */
export function scopeEntry(scope: EnterableScope): EnterScope | null {
  const armed = armedSlots(scope);
  if (scope.hasFrame)
    return armed.length === 0
      ? (frame) => newFrame(frame, scope.size ?? 1)
      : (frame) => arm(newFrame(frame, scope.size ?? 1), armed);
  return armed.length === 0 ? null : (frame) => arm(frame, armed);
}

/** Slots of the scope's variables that some code may find uninitialised. */
function armedSlots({ variables }: EnterableScope): readonly number[] {
  const slots: number[] = [];
  for (const { checked, binding, slot } of variables.values()) if (checked && !binding) slots.push(slot);
  return slots;
}

function arm(frame: Frame, slots: readonly number[]): Frame {
  for (let index = 0; index < slots.length; index++) frame[slots[index] as number] = uninitialized; // the index is below the length
  return frame;
}
