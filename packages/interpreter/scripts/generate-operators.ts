// Writes src/compile/generated/operators.gen.ts: a closure for each operator and each pair of
// operand kinds. So `i < 10` or `sum += x` on local variables is one closure instead of three. Rare
// operators have only two closures: one for constants on the right side, and one for everything
// else. `pnpm generate` runs this script. The result is committed and never edited by hand.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

type Kind = "slot" | "constant" | "expression";
const kinds: readonly Kind[] = ["slot", "constant", "expression"];

/** The operators on two numbers. If an operand is not a number, their closures call `slow`. */
const numeric = {
  "+": "add",
  "-": "subtract",
  "*": "multiply",
  "/": "divide",
  "%": "remainder",
  "<": "less",
  "<=": "lessOrEqual",
  ">": "greater",
  ">=": "greaterOrEqual",
  "&": "bitAnd",
  "|": "bitOr",
  "^": "bitXor",
  "<<": "shiftLeft",
  ">>": "shiftRight",
  ">>>": "shiftRightUnsigned",
} as const;
const assignable = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"] as const;
const strict = { "===": "strictlyEqual", "!==": "strictlyUnequal" } as const;
const frequent: readonly string[] = ["+", "-", "*", "/", "%", "<", "<=", ">", ">=", ...Object.keys(strict)];

const read = (kind: Kind, side: "left" | "right"): string =>
  ({ slot: `frame[${side}Slot]`, constant: `${side}Constant`, expression: `${side}Evaluate(frame)` })[kind];

const captures: { readonly [kind in Kind]: (side: string) => string } = {
  slot: (side) => `const ${side}Slot = ${side}.slot;`,
  constant: (side) => `const ${side}Constant = unboxed(${side}.constant);`,
  expression: (side) => `const ${side}Evaluate = ${side}.evaluate;`,
};

/**
 * Says whether an operator has a closure for these kinds of operands. No operator has a closure for
 * two constants.
 */
function hasClosure(operator: string, left: Kind, right: Kind): boolean {
  if (frequent.includes(operator)) return left !== "constant" || right !== "constant";
  return left === "expression" && right !== "slot";
}

/** Returns `typeof` tests for the operands that are not constant numbers. */
function areNumbers(left: Kind, right: Kind): string {
  const tests = [
    left === "constant" ? "" : 'typeof a === "number"',
    right === "constant" ? "" : 'typeof b === "number"',
  ];
  return tests.filter((test) => test !== "").join(" && ");
}

// The code for `a % b`. V8 computes the remainder of positive whole numbers with one instruction of
// the processor, but only in an expression that has never had other operands. Otherwise it calls a
// slower function. So positive whole numbers get a separate expression.
const wholeRemainder = "a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b";

/** Returns the code that applies an operator to the numbers `a` and `b`. */
const applied = (operator: string): string => (operator === "%" ? `(${wholeRemainder})` : `a ${operator} b`);

function numericOperator(operator: string, name: string): string {
  return operatorFunction(
    operator,
    name,
    "left: Operand, right: Operand, slow: Slow",
    (left, right) => `return (frame) => {
        const a = ${read(left, "left")};
        const b = ${read(right, "right")};
        return ${areNumbers(left, right)} ? ${applied(operator)} : slow(a, b);
      };`,
  );
}

function strictOperator(operator: string, name: string): string {
  return operatorFunction(operator, name, "left: Operand, right: Operand", (left, right) =>
    left === "constant" || right === "constant"
      ? `return (frame) => ${read(left, "left")} ${operator} ${read(right, "right")};`
      : `return (frame) => {
        const a = ${read(left, "left")};
        const b = ${read(right, "right")};
        return ${operator === "!==" ? "!(" : ""}typeof a === "string" || typeof a === "bigint" ? isSameLong(a, b) : a === b${operator === "!==" ? ")" : ""};
      };`,
  );
}

function operatorFunction(
  operator: string,
  name: string,
  parameters: string,
  closure: (left: Kind, right: Kind) => string,
): string {
  const cases = kinds.flatMap((left) =>
    kinds
      .filter((right) => hasClosure(operator, left, right))
      .map(
        (right) => `    case "${left} ${right}": {
      ${captures[left]("left")}
      ${captures[right]("right")}
      ${closure(left, right)}
    }`,
      ),
  );
  return `function ${name}(${parameters}): Evaluate | null {
  switch (\`\${left.kind} \${right.kind}\`) {
${cases.join("\n")}
    default:
      return null;
  }
}
`;
}

function assignment(operator: string): string {
  const wanted = kinds.filter((right) => right !== "slot" || frequent.includes(operator));
  const cases = wanted.map(
    (right) => `    case "${right}": {
      ${captures[right]("right")}
      return (frame) => {
        const a = frame[slot];
        const b = ${read(right, "right")};
        return (frame[slot] = ${areNumbers("slot", right)} ? ${applied(operator)} : slow(a, b));
      };
    }`,
  );
  return `function ${numeric[operator as keyof typeof numeric]}Assignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
${cases.join("\n")}
    default:
      return null;
  }
}
`;
}

function operation(): string {
  const cases = assignable.map(
    (operator) => `    case "${operator}":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? ${applied(operator)} : slow(a, b));`,
  );
  return `/** An operator on two values. \`slow\` is called unless both are numbers. */
export function specialOperation(operator: string, slow: Slow): Slow {
  switch (operator) {
${cases.join("\n")}
    default:
      return slow;
  }
}
`;
}

const binaryCases = [
  ...Object.entries(numeric).map(
    ([operator, name]) => `    case "${operator}":\n      return ${name}(left, right, slow);`,
  ),
  ...Object.entries(strict).map(([operator, name]) => `    case "${operator}":\n      return ${name}(left, right);`),
];
const assignmentCases = assignable.map(
  (operator) => `    case "${operator}=":\n      return ${numeric[operator]}Assignment(slot, right, slow);`,
);

const text = `// Written by scripts/generate-operators.ts; do not edit.

import { isSameLong } from "../../operations/comparison.ts";
import type { Evaluate } from "../context.ts";
import { unboxed } from "../unboxed.ts";

/**
 * How an operand is read: from a slot of the current frame, a constant number, or by evaluating.
 */
export interface Operand {
  readonly kind: "slot" | "constant" | "expression";
  readonly slot: number;
  readonly constant: number;
  readonly evaluate: Evaluate;
}

/** The general case of an operator. */
export type Slow = (left: unknown, right: unknown) => unknown;

/**
 * Says whether an operator has closures for operands of all kinds. Others have some for
 * \`expression constant\` and \`expression expression\` only.
 */
export function isFrequent(operator: string): boolean {
  switch (operator) {
${frequent.map((operator) => `    case "${operator}":`).join("\n")}
      return true;
    default:
      return false;
  }
}

/**
 * Returns the closure for an operator on two operands, or null when there is none. \`slow\` is
 * called unless both operands are numbers.
 */
export function specialBinary(operator: string, left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (operator) {
${binaryCases.join("\n")}
    default:
      return null;
  }
}

/** Returns the closure for a compound assignment to a slot, or null when there is none. */
export function specialAssignment(operator: string, slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (operator) {
${assignmentCases.join("\n")}
    default:
      return null;
  }
}

${operation()}
${Object.entries(numeric)
  .map(([operator, name]) => numericOperator(operator, name))
  .join("\n")}
${Object.entries(strict)
  .map(([operator, name]) => strictOperator(operator, name))
  .join("\n")}
${assignable.map(assignment).join("\n")}`;

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "src/compile/generated");
writeFileSync(join(folder, "operators.gen.ts"), text);
