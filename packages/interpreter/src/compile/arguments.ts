// Compiles the arguments of calls and `new`. If there is a spread, all values are collected in one
// host list.

import type { CallExpression, Expression, NewExpression, SpreadElement } from "acorn";
import type { Frame } from "../frame.ts";
import { forEachOf } from "../operations/iterator.ts";
import type { Context, Evaluate } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { located } from "./operators.ts";

/** Evaluates the arguments of a call and returns their values. */
export type EvaluateList = (frame: Frame) => unknown[];

/** Adds the value of one argument to a list. A spread adds all values that it yields. */
export type AddArgument = (list: unknown[], value: unknown) => void;

/** Says whether arguments can be passed one by one: at most three, without spreads. */
export function hasFewArguments({ arguments: given }: CallExpression | NewExpression): boolean {
  return given.length <= 3 && given.every(({ type }) => type !== "SpreadElement");
}

/** Compiles arguments to a closure that returns one host list. */
export function compileArguments(context: Context, nodes: readonly (Expression | SpreadElement)[]): EvaluateList {
  const parts = nodes.map((node) => compileExpression(context, node.type === "SpreadElement" ? node.argument : node));
  if (nodes.every(({ type }) => type !== "SpreadElement")) return plainList(parts);
  const adds = nodes.map((node) => argumentAdder(context, node));
  return (frame) => {
    const list: unknown[] = [];
    for (let index = 0; index < parts.length; index++) {
      const value = (parts[index] as Evaluate)(frame); // `index` is less than both lengths
      (adds[index] as AddArgument)(list, value);
    }
    return list;
  };
}

/** Returns a function that adds the value of this argument to a host list. */
export function argumentAdder(context: Context, node: Expression | SpreadElement): AddArgument {
  if (node.type !== "SpreadElement") return (list, value) => void list.push(value);
  const { realm, meter } = context;
  return (list, iterable) => {
    try {
      forEachOf(realm, iterable, (element) => {
        meter.allocateElement(list, list.length);
        list.push(element);
      });
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

function plainList(parts: readonly Evaluate[]): EvaluateList {
  const [first, second, third] = parts as [Evaluate, Evaluate, Evaluate]; // a part is called only if the argument exists
  switch (parts.length) {
    case 0:
      return () => [];
    case 1:
      return (frame) => [first(frame)];
    case 2:
      return (frame) => [first(frame), second(frame)];
    case 3:
      return (frame) => [first(frame), second(frame), third(frame)];
    default:
      return (frame) => {
        const list: unknown[] = [];
        for (let index = 0; index < parts.length; index++) list.push((parts[index] as Evaluate)(frame));
        return list;
      };
  }
}
