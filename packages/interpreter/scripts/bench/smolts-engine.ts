// Our interpreter, used in the same way as by a user of the package: the executor, a block of code
// for each call, and host calls that are answered by `deliver`.

import { interpreter } from "@smolts/interpreter";
import { decodeValue, type Executor } from "@smolts/protocol";
import { type Engine, hostAsync } from "./engine.ts";

/** The engine of this package. */
export const smoltsEngine: Engine = {
  name: "smolts",
  codeOf: ({ code }) => code,
  async open() {
    const executor = await openExecutor();
    return {
      async load(code) {
        await runBlock(executor, code);
        return { call: () => runBlock(executor, "main()") };
      },
    };
  },
};

const { signal } = new AbortController();

/** Opens a session whose limits do not stop a benchmark. */
export async function openExecutor(): Promise<Executor> {
  const limits = { operations: 0, memoryBytes: 0, guestTimeMs: 0, microtasks: 0, sourceCharacters: 0 };
  const executor = await interpreter({ limits }).open({ signal });
  await executor.start({ tools: ["hostAsync"] });
  return executor;
}

/**
 * Runs a block to its end and returns its last value. Each host call is answered immediately, in
 * the same way as by `hostAsync`.
 */
export async function runBlock(executor: Executor, code: string): Promise<unknown> {
  const result = await executor.execute(code, {
    signal,
    time: 0,
    seed: "seed",
    onCall({ callIndex, args }) {
      // The encoding of a number is the number itself.
      void hostAsync(args[0] as number).then((value) => executor.deliver(callIndex, { type: "ok", value }, 0));
    },
    onConsole() {},
  });
  if (result.type !== "value") throw new Error(`the program ended as ${JSON.stringify(result).slice(0, 300)}`);
  const { output } = result;
  return output?.value === undefined ? undefined : decodeValue(output.value);
}
