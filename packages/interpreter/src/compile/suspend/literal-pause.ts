// Literals and templates that contain one `await` or `yield`. The parts before the `await` or
// `yield` are evaluated first and added to the literal. The unfinished literal is kept in a slot of
// the frame until the code resumes.

import type { ArrayExpression, ObjectExpression, TemplateLiteral } from "acorn";
import type { Frame } from "../../frame.ts";
import { elementPart } from "../array-literal.ts";
import { type Context, type Evaluate, suspends } from "../context.ts";
import { compileExpression } from "../expression.ts";
import { memberParts } from "../object-literal.ts";
import { concatenate } from "../operators.ts";
import { textConverter, textsOf } from "../template.ts";
import { type ExpressionPause, type OperandsPause, pauseAmong } from "./pause.ts";

/**
 * Returns the {@link ExpressionPause} for an array literal; null if it does not suspend at exactly
 * one point.
 */
export function arrayPause(context: Context, { elements }: ArrayExpression): ExpressionPause | null {
  const operands = elements.map((element) => (element?.type === "SpreadElement" ? element.argument : element));
  const index = operands.findIndex((operand) => suspends(context, operand));
  const operand = operands[index];
  const pause = operand && isOnly(context, operands) ? pauseAmong(context, [operand]) : null;
  if (!pause) return null;
  const parts = elements.map((element, at) => elementPart(at === index ? pause.after : context, element));
  return literalPause(context, { make: () => context.realm.newArray(), parts, index, pause });
}

/**
 * Returns the {@link ExpressionPause} for an object literal; null if it does not suspend at exactly
 * one point.
 */
export function objectPause(context: Context, node: ObjectExpression): ExpressionPause | null {
  const { properties } = node;
  if (properties.some((property) => property.type === "Property" && property.computed && suspends(context, property)))
    return null;
  const operands = properties.map((property) =>
    property.type === "SpreadElement" ? property.argument : property.value,
  );
  const index = operands.findIndex((operand) => suspends(context, operand));
  const operand = operands[index];
  const pause = operand && isOnly(context, operands) ? pauseAmong(context, [operand]) : null;
  if (!pause) return null;
  const paused = properties[index];
  const parts = memberParts(context, node, (property) => (property === paused ? pause.after : context));
  return literalPause(context, { make: () => context.realm.newObject(), parts, index, pause });
}

/**
 * Returns the {@link ExpressionPause} for a template; null if it does not suspend at exactly one
 * point.
 */
export function templatePause(context: Context, node: TemplateLiteral): ExpressionPause | null {
  const { expressions } = node;
  const index = expressions.findIndex((expression) => suspends(context, expression));
  const operand = expressions[index];
  const pause = operand && isOnly(context, expressions) ? pauseAmong(context, [operand]) : null;
  if (!pause) return null;
  const texts = textsOf(node);
  const toText = textConverter(context, node);
  const parts = expressions.map((expression, at) => {
    const value = compileExpression(at === index ? pause.after : context, expression);
    return (frame: Frame, made: MadeText): void => {
      made.text = concatenate(context.meter, made.text, toText(value(frame)) + texts[at + 1]);
    };
  });
  const { produce, finish, fail } = literalPause(context, {
    make: () => ({ text: texts[0] ?? "" }),
    parts,
    index,
    pause,
  });
  return { produce, finish: (frame, value) => finish(frame, value).text, fail };
}

/** The text of a template so far. */
interface MadeText {
  text: string;
}

const isOnly = (context: Context, operands: readonly Parameters<typeof suspends>[1][]): boolean =>
  operands.filter((operand) => suspends(context, operand)).length === 1;

/**
 * A literal, and the functions that add its parts. The part at `index` contains the operand that
 * suspends.
 */
interface LiteralParts<Literal> {
  readonly make: () => Literal;
  readonly parts: readonly ((frame: Frame, literal: Literal) => void)[];
  readonly index: number;
  readonly pause: OperandsPause;
}

function literalPause<Literal>(
  context: Context,
  { make, parts, index, pause }: LiteralParts<Literal>,
): ExpressionPause<Literal> {
  const slot = context.scope.newTemporary();
  const before = parts.slice(0, index);
  const rest = parts.slice(index);
  const produce: Evaluate = (frame) => {
    const literal = make();
    frame[slot] = literal;
    for (const add of before) add(frame, literal);
    return pause.produce(frame);
  };
  return {
    produce,
    finish(frame, value) {
      pause.keep(frame, value);
      const literal = frame[slot] as Literal; // `produce` has stored the literal there
      for (const add of rest) add(frame, literal);
      return literal;
    },
    fail: pause.fail,
  };
}
