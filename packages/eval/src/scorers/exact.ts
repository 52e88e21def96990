import { encodeValue, type OptionTable, readOptions } from "@smolts/protocol";
import type { Scorer } from "../scorer.ts";

/** Settings of {@link exact}. */
export interface ExactOptions {
  /** Whether `Paris` and `paris` are the same; false if absent. */
  readonly ignoreCase?: boolean;
}

/**
 * Scores 1 if the answer equals `expected`.
 *
 * White space around a text is ignored. A number, a boolean or a bigint equals its own text,
 * because tables often contain numbers as text. Lists and objects are compared part by part; the
 * order of fields does not matter.
 *
 * @example
 * ```ts
 * import { evaluate, exact } from "@smolts/eval";
 *
 * const cases = [{ input: "1 + 1?", expected: 2 }];
 * const { summary } = await evaluate({ cases, agent: () => "2", scorers: [exact()] });
 * console.log(summary.scores["exact"]?.mean); // 1
 * ```
 */
export function exact(options: ExactOptions = {}): Scorer {
  const { ignoreCase = false } = readOptions(options, "exact()", exactOptions);
  const fold = (text: string): string => (ignoreCase ? text.trim().toLowerCase() : text.trim());
  return {
    name: "exact",
    needsExpected: true,
    score: ({ answer, case: { expected } }) => isEqual(encodeValue(answer), expected, fold),
  };
}

const exactOptions: OptionTable<ExactOptions> = { ignoreCase: "flag" };

/** Compares two encoded values. */
function isEqual(left: unknown, right: unknown, fold: (text: string) => string): boolean {
  const [text, otherText] = [plainText(left), plainText(right)];
  if (text !== null || otherText !== null) return text !== null && otherText !== null && fold(text) === fold(otherText);
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [ours, theirs] = [Object.entries(left), new Map(Object.entries(right))];
  return (
    ours.length === theirs.size &&
    ours.every(([key, value]) => theirs.has(key) && isEqual(value, theirs.get(key), fold))
  );
}

/** Returns a text, a number, a boolean or a bigint as text; null for everything else. */
function plainText(value: unknown): string | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null || !("$" in value) || value.$ !== "bigint") return null;
  return "value" in value ? String(value.value) : null;
}
