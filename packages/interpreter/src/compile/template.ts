// Template literals and tagged templates.

import type { Expression, TaggedTemplateExpression, TemplateLiteral } from "acorn";
import { functionSlots } from "../function-object.ts";
import { throwTypeError } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { toStringValue } from "../operations/conversion.ts";
import { generalCallee, type Receiver } from "./callee.ts";
import type { Context, Evaluate } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { concatenate, located } from "./operators.ts";

/** Compiles a template literal. */
export function compileTemplate(context: Context, node: TemplateLiteral): Evaluate {
  const { meter } = context;
  const texts = textsOf(node);
  const values = node.expressions.map((expression) => compileExpression(context, expression));
  const toText = textConverter(context, node);
  return (frame) => {
    let text = texts[0] as string; // a template has at least one text
    for (let index = 0; index < values.length; index++) {
      const value = (values[index] as Evaluate)(frame); // `index` is less than the length, here and below
      text = concatenate(meter, text, toText(value) + (texts[index + 1] as string));
    }
    return text;
  };
}

/** Returns the literal texts of a template. There is one more text than there are values. */
export function textsOf({ quasis }: TemplateLiteral): readonly string[] {
  return quasis.map(({ value }) => value.cooked ?? ""); // only tagged templates can have texts without a cooked value
}

/** Returns a function that converts a value of a template to text. */
export function textConverter(context: Context, node: TemplateLiteral): (value: unknown) => string {
  return (value) => {
    if (typeof value === "string") return value;
    if (typeof value === "number") return `${value}`;
    try {
      return toStringValue(value);
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

/** Compiles a tagged template. */
export function compileTaggedTemplate(context: Context, node: TaggedTemplateExpression): Evaluate {
  const tag = generalCallee(context, node.tag);
  const values = node.quasi.expressions.map((expression: Expression) => compileExpression(context, expression));
  const call = tagCall(context, node);
  return (frame) => {
    const receiver: Receiver = { thisValue: undefined };
    const value = tag(frame, receiver);
    return call(
      value,
      receiver.thisValue,
      values.map((evaluate) => evaluate(frame)),
    );
  };
}

/**
 * Calls a tag with the values of a template. The template object is created once for each place in
 * the source.
 */
export function tagCall(
  context: Context,
  node: TaggedTemplateExpression,
): (tag: unknown, thisValue: unknown, values: readonly unknown[]) => unknown {
  let template: GuestObject | null = null;
  return (tag, thisValue, values) => {
    template ??= makeTemplateObject(context, node.quasi);
    try {
      const slots = functionSlots(tag);
      if (!slots) return throwTypeError("the tag of a template is not a function");
      return slots.code.enter(slots, thisValue, [template, ...values], undefined);
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

function makeTemplateObject({ realm }: Context, { quasis }: TemplateLiteral): GuestObject {
  const template = realm.newArray(quasis.map(({ value }) => value.cooked ?? undefined));
  const raw = Object.freeze(realm.newArray(quasis.map(({ value }) => value.raw)));
  Object.defineProperty(template, "raw", { value: raw, writable: false, enumerable: false, configurable: false });
  return Object.freeze(template);
}
