// Runs code as a user of the package would, in an executor. Returns the last value, or throws the
// program's exception.

import { interpreter } from "@smolts/interpreter";
import { decodeValue } from "@smolts/protocol";

/** Runs blocks one after the other in one session. Returns the value of the last one. */
export async function evaluateGuest(...blocks: readonly string[]): Promise<unknown> {
  const signal = new AbortController().signal;
  const executor = await interpreter().open({ signal });
  await executor.start({ tools: ["finalAnswer", "search"] });
  let value: unknown;
  for (const code of blocks) {
    const result = await executor.execute(code, {
      signal,
      time: 0,
      seed: "seed",
      onCall: () => {},
      onConsole: () => {},
    });
    if (result.type === "final-answer") value = { finalAnswer: result.args.map((argument) => decodeValue(argument)) };
    else if (result.type === "value")
      value = result.output?.value === undefined ? result.output?.text : decodeValue(result.output.value);
    else throw new Error(`${result.error.name}: ${result.error.message}`);
  }
  await executor[Symbol.asyncDispose]();
  return value;
}
