// The general case of operators, for operands that are not both numbers.

import type { Node } from "acorn";
import { type GuestThrow, throwTypeError, toGuestThrow } from "../guest-throw.ts";
import { isObject } from "../guest-value.ts";
import { Breach } from "../limits.ts";
import { chargeBigints, compareTextWithBigint } from "../operations/bigint-cost.ts";
import { compareTexts, instanceofOperator, isLooselyEqual, isStrictlyEqual } from "../operations/comparison.ts";
import { toNumeric, toPrimitive, toPropertyKey, toStringValue } from "../operations/conversion.ts";
import { hasProperty } from "../operations/property.ts";
import { keyText, valueText } from "../operations/text.ts";
import { addBigints, bigintOperation } from "./bigint.ts";
import { type Context, positionOf, promiseWatchOf } from "./context.ts";
import type { Slow } from "./generated/operators.gen.ts";

/** Compiles the general case of a binary operator. Its exceptions get the position of the node. */
export function slowBinary(context: Context, operator: string, node: Node): Slow {
  const apply = generalBinary(context, operator, node);
  return (left, right) => {
    try {
      return apply(left, right);
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

/**
 * Adds a position to an exception that has none, and returns it. Rethrows what the program cannot
 * catch: the signal that closes a generator, or a {@link Breach}. A Breach gets a position, too.
 */
export function located(context: Context, caught: unknown, node: Node): GuestThrow {
  if (caught instanceof Breach) throw stoppedAt(context, caught, node);
  const thrown = toGuestThrow(context.realm, caught);
  thrown.position ??= positionOf(context, node);
  return thrown;
}

/**
 * If the exception is a {@link Breach} without a position, adds the position where the limit was
 * reached. Returns the exception.
 */
export function stoppedAt(context: Context, caught: unknown, node: Node): unknown {
  if (caught instanceof Breach) caught.position ??= positionOf(context, node);
  return caught;
}

function generalBinary(context: Context, operator: string, node: Node): Slow {
  const { meter } = context;
  switch (operator) {
    case "+":
      return (left, right) => add(meter, left, right);
    case "==":
      return (left, right) => isLooselyEqual(left, right) || noteUnequal(context, node, left, right);
    case "!=":
      return (left, right) => !isLooselyEqual(left, right) && !noteUnequal(context, node, left, right);
    case "<":
      return (left, right) => compare(left, right, (a, b) => a < b);
    case "<=":
      return (left, right) => compare(left, right, (a, b) => a <= b);
    case ">":
      return (left, right) => compare(left, right, (a, b) => a > b);
    case ">=":
      return (left, right) => compare(left, right, (a, b) => a >= b);
    case "===":
      return isStrictlyEqual;
    case "!==":
      return (left, right) => !isStrictlyEqual(left, right);
    case "instanceof":
      return (left, right) => instanceofOperator(left, right) || noteOperand(context, node, left);
    case "in":
      return (key, object) => isIn(key, object) || noteOperand(context, node, object);
    default: {
      const onBigints = bigintOperation(operator);
      return (left, right) =>
        typeof left === "bigint" && typeof right === "bigint"
          ? onBigints(meter, left, right)
          : arithmetic(meter, operator, left, right);
    }
  }
}

/**
 * Returns false, the result of `instanceof` or `in`. Notes the operand if it is a promise, because
 * that is probably a mistake.
 */
function noteOperand(context: Context, node: Node, value: unknown): false {
  promiseWatchOf(context)?.note(value, "was used with in or instanceof", positionOf(context, node));
  return false;
}

/**
 * Returns false, the result of comparing two values that are not equal. Throws if one of them is a
 * promise and the other a primitive value.
 */
function noteUnequal(context: Context, node: Node, left: unknown, right: unknown): false {
  const promiseWatch = promiseWatchOf(context);
  if (promiseWatch && (typeof left === "object" || typeof right === "object"))
    promiseWatch.compared(left, right, () => positionOf(context, node));
  return false;
}

/** Computes `key in object`. */
function isIn(key: unknown, object: unknown): boolean {
  if (!isObject(object))
    return throwTypeError(`cannot look for a property in ${valueText(object)}: it is not an object`);
  return hasProperty(object, toPropertyKey(key));
}

type Meter = Context["meter"];

/** Computes `left + right`. */
function add(meter: Meter, left: unknown, right: unknown): unknown {
  if (typeof left === "string" && typeof right === "string") return concatenate(meter, left, right);
  if (typeof left === "bigint" && typeof right === "bigint") return addBigints(meter, left, right);
  const a = toPrimitive(left);
  const b = toPrimitive(right);
  if (typeof a === "string" || typeof b === "string") return concatenate(meter, toStringValue(a), toStringValue(b));
  return arithmetic(meter, "+", a, b);
}

// If a joined string is longer than this, its first read may take long. V8 joins long strings
// lazily: it copies the characters when the result is first read, which may never happen.
const longText = 4_096;
const joinedCharactersPerOperation = 4_096;

/**
 * Joins two strings. The host does not copy the longer one, so a loop that appends is charged only
 * for the new characters.
 */
export function concatenate(meter: Meter, left: string, right: string): string {
  meter.allocate(32 + 2 * Math.min(left.length, right.length));
  const length = left.length + right.length;
  if (length > longText) meter.checkClockSooner(length / joinedCharactersPerOperation);
  return left + right;
}

type Comparable = number | bigint;

function compare(left: unknown, right: unknown, decide: (a: Comparable, b: Comparable) => boolean): boolean {
  if (typeof left === "bigint" && typeof right === "bigint") {
    chargeBigints(left, right);
    return decide(left, right);
  }
  const a = toPrimitive(left, "number");
  const b = toPrimitive(right, "number");
  if (typeof a === "string" && typeof b === "string") return decide(compareTexts(a, b), 0);
  if (typeof a === "bigint" && typeof b === "string") return decide(-compareTextWithBigint(b, a), 0);
  if (typeof a === "string" && typeof b === "bigint") return decide(compareTextWithBigint(a, b), 0);
  const x = toNumeric(a);
  const y = toNumeric(b);
  if (typeof x === "bigint" && typeof y === "bigint") chargeBigints(x, y);
  return decide(x, y);
}

/** Computes an arithmetic or bitwise operator on any two values. */
function arithmetic(meter: Meter, operator: string, left: unknown, right: unknown): number | bigint {
  const a = toNumeric(left);
  const b = toNumeric(right);
  if (typeof a === "number" && typeof b === "number") return numberOperator(operator, a, b);
  if (typeof a === "bigint" && typeof b === "bigint") return bigintOperation(operator)(meter, a, b);
  return throwTypeError(
    `cannot mix a bigint and a number in ${keyText(operator)}; convert one: BigInt(x) or Number(x)`,
  );
}

function numberOperator(operator: string, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return a % b;
    case "**":
      return a ** b;
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    case "<<":
      return a << b;
    case ">>":
      return a >> b;
    case ">>>":
      return a >>> b;
    default:
      throw new Error(`no arithmetic operator "${operator}"`);
  }
}
