/**
 * One test of a contract suite. Pass its `title` and `run` to any test runner.
 *
 * @example
 * ```ts
 * import { modelContract, scriptedModel } from "@smolts/testing";
 *
 * const cases = modelContract(async (reply) => ({
 *   model: scriptedModel([reply.type === "broken" ? { text: reply.text, cutAfter: 2 } : { text: reply.text }]),
 * }));
 * for (const { title } of cases) console.log(title);
 * ```
 */
export interface ContractCase {
  /** A sentence that says what must be true. */
  readonly title: string;
  /** Runs the test; rejects when it fails. */
  run(): Promise<void>;
}

/** Throws an error about `what` if two values do not have the same JSON. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [actualText, expectedText] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (actualText !== expectedText) throw new Error(`${what}: got ${actualText}, expected ${expectedText}`);
}

/** Throws an error with the text `what` if the condition is false. */
export function expectThat(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}
