// Writes src/compile/generated/operators.gen.ts: a closure for each operator and each pair of operand kinds, so that `i < 10` or `sum += x` on
// local variables is one closure instead of three. Those that are run most and evaluate operands, which is where the host's engine wants to know what it
// calls, stand apart in hot-operators.gen.ts, of which there are copies (generate-copies.ts). Run by `pnpm generate`; the results are committed and
// never edited by hand.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

type Kind = "slot" | "constant" | "expression";
const kinds: readonly Kind[] = ["slot", "constant", "expression"];

/** Operators on two numbers; everything else goes the slow way. */
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
const hotArithmetic: ReadonlySet<string> = new Set(["+", "-", "*", "%"]);
const hotComparisons: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "===", "!=="]);
const strict = { "===": "strictlyEqual", "!==": "strictlyUnequal" } as const;

const read = (kind: Kind, side: "left" | "right"): string =>
  ({ slot: `frame[${side}Slot]`, constant: `${side}Constant`, expression: `${side}Evaluate(frame)` })[kind];

const captures: { readonly [kind in Kind]: (side: string) => string } = {
  slot: (side) => `const ${side}Slot = ${side}.slot;`,
  constant: (side) => `const ${side}Constant = unboxed(${side}.constant);`,
  expression: (side) => `const ${side}Evaluate = ${side}.evaluate;`,
};

/** The file, of two, that a closure is written to. */
type Part = "hot" | "other";

/** Of arithmetic the host learns also what numbers there are; of a comparison it is enough to know what it calls for its operands. */
function partOf(operator: string, ...operands: readonly Kind[]): Part {
  if (hotArithmetic.has(operator)) return "hot";
  return hotComparisons.has(operator) && operands.includes("expression") ? "hot" : "other";
}

/** `typeof` tests of the operands that are not constant numbers. */
function areNumbers(left: Kind, right: Kind): string {
  const tests = [
    left === "constant" ? "" : 'typeof a === "number"',
    right === "constant" ? "" : 'typeof b === "number"',
  ];
  return tests.filter((test) => test !== "").join(" && ");
}

// Of positive whole numbers the host takes the remainder as the processor does, as long as no others come to the same place; of others by a
// call of a library. So the two have places of their own.
const wholeRemainder = "a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b";

/** An operator on the numbers `a` and `b`. */
const applied = (operator: string): string => (operator === "%" ? `(${wholeRemainder})` : `a ${operator} b`);

function numericOperator(part: Part, operator: string, name: string): string {
  return operatorFunction(
    name,
    (left, right) => partOf(operator, left, right) === part,
    "left: Operand, right: Operand, slow: Slow",
    (left, right) => `return (frame) => {
        const a = ${read(left, "left")};
        const b = ${read(right, "right")};
        return ${areNumbers(left, right)} ? ${applied(operator)} : slow(a, b);
      };`,
  );
}

function strictOperator(part: Part, operator: string, name: string): string {
  return operatorFunction(
    name,
    (left, right) => partOf(operator, left, right) === part,
    "left: Operand, right: Operand",
    (left, right) =>
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
  name: string,
  isWanted: (left: Kind, right: Kind) => boolean,
  parameters: string,
  closure: (left: Kind, right: Kind) => string,
): string {
  const cases = kinds.flatMap((left) =>
    kinds
      .filter((right) => (left !== "constant" || right !== "constant") && isWanted(left, right))
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

function assignment(part: Part, operator: string): string {
  const wanted = kinds.filter((right) => partOf(operator, right) === part);
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
  return `/** An operator on two values. \`slow\` gets whatever are not two numbers. */
export function specialOperation(operator: string, slow: Slow): Slow {
  switch (operator) {
${cases.join("\n")}
    default:
      return slow;
  }
}
`;
}

/** Whether a part has closures for an operator. */
const isIn = (part: Part) => (operator: string) =>
  part === "hot" ? partOf(operator, "expression") === "hot" : !hotArithmetic.has(operator);

function dispatch(part: Part): string {
  const binary = [
    ...Object.entries(numeric)
      .filter(([operator]) => isIn(part)(operator))
      .map(([operator, name]) => `    case "${operator}":\n      return ${name}(left, right, slow);`),
    ...Object.entries(strict).map(([operator, name]) => `    case "${operator}":\n      return ${name}(left, right);`),
  ];
  const assignments = assignable
    .filter(isIn(part))
    .map((operator) => `    case "${operator}=":\n      return ${numeric[operator]}Assignment(slot, right, slow);`);
  return `/** The closure for an operator on two operands, or null when there is none here. \`slow\` gets whatever are not two numbers. */
export function ${part === "hot" ? "hot" : "special"}Binary(operator: string, left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (operator) {
${binary.join("\n")}
    default:
      return null;
  }
}

/** The closure for a compound assignment to a slot, or null when there is none here. */
export function ${part === "hot" ? "hot" : "special"}Assignment(operator: string, slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (operator) {
${assignments.join("\n")}
    default:
      return null;
  }
}
`;
}

function closures(part: Part): string {
  return `${Object.entries(numeric)
    .filter(([operator]) => isIn(part)(operator))
    .map(([operator, name]) => numericOperator(part, operator, name))
    .join("\n")}
${Object.entries(strict)
  .map(([operator, name]) => strictOperator(part, operator, name))
  .join("\n")}
${assignable
  .filter(isIn(part))
  .map((operator) => assignment(part, operator))
  .join("\n")}`;
}

const opening = `// Written by scripts/generate-operators.ts; do not edit.

import { isSameLong } from "../../operations/comparison.ts";
import type { Evaluate } from "../context.ts";
import { unboxed } from "../unboxed.ts";
`;

const others = `${opening}
/** How an operand is read: from a slot of the current frame, a constant number, or by evaluating. */
export interface Operand {
  readonly kind: "slot" | "constant" | "expression";
  readonly slot: number;
  readonly constant: number;
  readonly evaluate: Evaluate;
}

/** The general case of an operator. */
export type Slow = (left: unknown, right: unknown) => unknown;

${dispatch("other")}
${operation()}
${closures("other")}`;

const hot = `${opening}import type { Operand, Slow } from "./operators.gen.ts";

${dispatch("hot")}
${closures("hot")}`;

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "src/compile/generated");
writeFileSync(join(folder, "operators.gen.ts"), others);
writeFileSync(join(folder, "hot-operators.gen.ts"), hot);
