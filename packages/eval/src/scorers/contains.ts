import { invalidOption, type OptionTable, readOptions } from "@smolts/protocol";
import { textOfAnswer } from "../answer-text.ts";
import type { Scorer } from "../scorer.ts";

/** Settings of {@link contains}. */
export interface ContainsOptions {
  /** Whether `Paris` and `paris` are different; false if absent. */
  readonly matchCase?: boolean;
}

/**
 * Scores 1 if the text of the answer contains `expected`. If `expected` is a list, the answer must
 * contain every text of the list.
 *
 * @example
 * ```ts
 * import { contains, evaluate } from "@smolts/eval";
 *
 * const cases = [{ input: "Capital of France?", expected: "paris" }];
 * const { summary } = await evaluate({ cases, agent: () => "It is Paris.", scorers: [contains()] });
 * console.log(summary.scores["contains"]?.mean); // 1
 * ```
 */
export function contains(options: ContainsOptions = {}): Scorer {
  const { matchCase = false } = readOptions(options, "contains()", containsOptions);
  const fold = (text: string): string => (matchCase ? text : text.toLowerCase());
  return {
    name: "contains",
    needsExpected: true,
    score({ answer, case: { expected } }) {
      const text = fold(textOfAnswer(answer));
      const wanted = (Array.isArray(expected) ? expected : [expected]).map(textOfAnswer);
      if (wanted.length === 0 || wanted.includes("")) {
        throw invalidOption(
          '"expected" is empty, and every text contains the empty text',
          'give the case an "expected" that is not empty',
        );
      }
      const missing = wanted.filter((part) => !text.includes(fold(part)));
      return {
        value: missing.length === 0 ? 1 : 0,
        ...(missing.length > 0 && { reason: `missing: ${missing.join(", ")}` }),
      };
    },
  };
}

const containsOptions: OptionTable<ContainsOptions> = { matchCase: "flag" };
