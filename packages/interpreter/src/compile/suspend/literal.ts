// Literals and templates that contain an `await` or `yield`. Their parts can have side effects:
// spreads iterate, and keys and values are converted to strings. So the parts are evaluated one
// after the other. Inside a part that suspends, all operands are evaluated first.

import type { ArrayExpression, Expression, ObjectExpression, Property, TemplateLiteral } from "acorn";
import type { Frame } from "../../frame.ts";
import { toPropertyKey } from "../../operations/conversion.ts";
import type { HostGenerator } from "../../operations/generator.ts";
import { elementPart } from "../array-literal.ts";
import { type Context, suspends } from "../context.ts";
import { type AddProperty, memberParts } from "../object-literal.ts";
import { concatenate } from "../operators.ts";
import { textConverter, textsOf } from "../template.ts";
import { evaluateFirst, type Step, type Steps, type SuspendEvaluate, stepOf } from "./expression.ts";

/** Compiles an array literal that suspends. */
export function suspendArray(context: Context, { elements }: ArrayExpression): SuspendEvaluate {
  const parts = elements.map((element) => {
    const operand = element?.type === "SpreadElement" ? element.argument : element;
    const { steps, after } = before(context, operand ? [operand] : []);
    return { steps, add: elementPart(after, element) };
  });
  return (frame) => fill(frame, context.realm.newArray(), parts);
}

/** All literals share one generator function. `runList` explains why. */
function* fill<Target extends object>(
  frame: Frame,
  target: Target,
  parts: readonly { readonly steps: Steps | null; readonly add: (frame: Frame, target: Target) => void }[],
): HostGenerator {
  for (const { steps, add } of parts) {
    if (steps) yield* steps(frame);
    add(frame, target);
  }
  return target;
}

/** Compiles an object literal that suspends. */
export function suspendObject(context: Context, node: ObjectExpression): SuspendEvaluate {
  const befores = new Map(
    node.properties.map((property) => [property, before(context, operandsOf(property), keyOf(property))]),
  );
  const members = memberParts(context, node, (property) => befores.get(property)?.after ?? context);
  const parts = [...befores.values()].map(({ steps }, index) => ({ steps, add: members[index] as AddProperty })); // there is one part for each property
  return (frame) => fill(frame, context.realm.newObject(), parts);
}

/** Compiles a template that suspends. */
export function suspendTemplate(context: Context, node: TemplateLiteral): SuspendEvaluate {
  const texts = textsOf(node);
  const toText = textConverter(context, node);
  const values = node.expressions.map((expression) => stepOf(context, expression));
  const add = (text: string, index: number, value: unknown): string =>
    concatenate(context.meter, text, toText(value) + texts[index + 1]);
  return (frame) => join(frame, texts[0] as string, values, add); // a template has at least one text
}

function* join(
  frame: Frame,
  start: string,
  values: readonly Step[],
  add: (text: string, index: number, value: unknown) => string,
): HostGenerator {
  let text = start;
  for (const [index, value] of values.entries()) {
    text = add(text, index, value.plain ? value.plain(frame) : yield* value.suspending(frame));
  }
  return text;
}

/**
 * The operands to evaluate before a part that suspends, and the context in which that part is then
 * compiled.
 */
interface Before {
  readonly steps: Steps | null;
  readonly after: Context;
}

/**
 * Compiles the operands that must be evaluated before a part. `key` is an operand that is converted
 * to a property key immediately.
 */
function before(context: Context, operands: readonly Expression[], key: Expression | null = null): Before {
  if (!operands.some((operand) => suspends(context, operand))) return { steps: null, after: context };
  return evaluateFirst(context, operands, (operand, value) => (operand === key ? toPropertyKey(value) : value));
}

type Member = ObjectExpression["properties"][number];

function operandsOf(property: Member): readonly Expression[] {
  if (property.type === "SpreadElement") return [property.argument];
  const key = keyOf(property);
  return [...(key ? [key] : []), ...(isFunction(property) ? [] : [property.value])];
}

const keyOf = (property: Member): Expression | null =>
  property.type === "Property" && property.computed ? property.key : null;

const isFunction = ({ kind, method }: Property): boolean => kind !== "init" || method;
