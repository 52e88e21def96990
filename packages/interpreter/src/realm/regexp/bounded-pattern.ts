// Lets host code run regular expressions from untrusted authors safely. Uses the interpreter's own
// matcher, which counts its steps.

import { Breach, Meter } from "../../limits.ts";
import type { RegExpMatcher } from "../../slots/regexp.ts";
import { matcherFor } from "./matcher-of.ts";

/** Options of {@link boundedPattern}. */
export interface BoundedPatternOptions {
  /** The flags, as for `RegExp`. @defaultValue `"u"` */
  readonly flags?: string;
  /**
   * How many steps one test may take. A million steps take about 50 ms.
   *
   * @defaultValue 1,000,000
   */
  readonly maxSteps?: number;
}

/**
 * Returns a function that tests texts with a regular expression from an untrusted author. A test
 * takes a limited number of steps. A test with `RegExp` may take years.
 *
 * @throws SyntaxError when the pattern is not valid; the test throws a RangeError when it takes too
 *   many steps
 * @example
 * ```ts
 * import { boundedPattern } from "@smolts/interpreter/pattern";
 *
 * const test = boundedPattern("^(a+)+$");
 * console.log(test("aaa"), test("aab")); // true false
 * ```
 */
export function boundedPattern(
  source: string,
  { flags = "u", maxSteps = 1_000_000 }: BoundedPatternOptions = {},
): (text: string) => boolean {
  // This throws the host's error if the pattern is not valid.
  new RegExp(source, flags);
  const matcher = readMatcher(source, flags);
  return (text) => {
    const meter = new Meter();
    meter.start({ operations: maxSteps });
    try {
      return matcher.match(meter, text, 0, false) !== null;
    } catch (error) {
      if (!(error instanceof Breach)) throw error;
      throw new RangeError(`a text of ${text.length} characters takes more than ${maxSteps} steps of /${source}/`);
    }
  };
}

function readMatcher(source: string, flags: string): RegExpMatcher {
  try {
    return matcherFor(source, flags);
  } catch {
    throw new SyntaxError(`the pattern /${source}/ uses syntax that is not known here`);
  }
}
