// Array literals. Those with holes or spreads are built part by part.

import type { ArrayExpression, Expression } from "acorn";
import type { Frame } from "../frame.ts";
import { bytesOfElements } from "../limits.ts";
import { noteHoles } from "../operations/holes.ts";
import { forEachOf } from "../operations/iterator.ts";
import type { Context, Evaluate } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { located } from "./operators.ts";

/** Adds an element, or all elements of a spread, to an array. */
export type AddElement = (frame: Frame, array: unknown[]) => void;

/** Compiles an array literal. */
export function compileArray(context: Context, { elements }: ArrayExpression): Evaluate {
  if (elements.some((element) => element === null || element.type === "SpreadElement"))
    return compileSparseArray(context, elements);
  const { realm, meter } = context;
  const evaluates = elements.map((element) => compileExpression(context, element as Expression)); // this branch is for literals without holes and spreads
  const bytes = 72 + bytesOfElements(evaluates.length);
  return (frame) => {
    meter.allocate(bytes);
    if (!realm.intact) return realm.newArray(evaluates.map((evaluate) => evaluate(frame)));
    const array = new realm.GuestArray();
    for (let index = 0; index < evaluates.length; index++) array[index] = (evaluates[index] as Evaluate)(frame);
    return array;
  };
}

/** Compiles one part of an array literal. */
export function elementPart(context: Context, element: ArrayExpression["elements"][number]): AddElement {
  if (!element) return addHole;
  const { realm, meter } = context;
  if (element.type !== "SpreadElement") {
    const value = compileExpression(context, element);
    return (frame, array) => realm.appendElement(array, value(frame));
  }
  const iterable = compileExpression(context, element.argument);
  return (frame, array) => {
    try {
      forEachOf(realm, iterable(frame), (value) => {
        meter.allocateElement(array, array.length);
        realm.appendElement(array, value);
      });
    } catch (caught) {
      throw located(context, caught, element);
    }
  };
}

/** Compiles an array literal with holes or spreads. */
function compileSparseArray(context: Context, elements: ArrayExpression["elements"]): Evaluate {
  const { realm, meter } = context;
  const parts = elements.map((element) => elementPart(context, element));
  const bytes = 8 * elements.length;
  return (frame) => {
    meter.allocate(bytes);
    const array = realm.newArray();
    for (let index = 0; index < parts.length; index++) (parts[index] as AddElement)(frame, array); // `index` is less than the length
    return array;
  };
}

const addHole: AddElement = (_frame, array) => {
  array.length++;
  noteHoles(array);
};
