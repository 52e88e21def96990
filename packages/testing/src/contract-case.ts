/**
 * One promise of a contract, as a test: hand `title` and `run` to any test runner.
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
  /** A sentence about behaviour. */
  readonly title: string;
  /** Rejects when the promise is not kept. */
  run(): Promise<void>;
}

/** Throws unless two values read the same as JSON. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [actualText, expectedText] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (actualText !== expectedText) throw new Error(`${what}: got ${actualText}, expected ${expectedText}`);
}

/** Throws unless the condition holds. */
export function expectThat(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}
