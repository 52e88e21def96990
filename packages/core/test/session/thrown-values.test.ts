// Functions of the user that throw values which are not errors, or which cannot be read.

import { CodeAgent, type CodeAgentOptions } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";

const unreadable: [what: string, make: () => unknown][] = [
  ["an object without a prototype", () => Object.create(null)],
  [
    "an error whose message fails",
    () =>
      Object.defineProperty(new Error("x"), "message", {
        get: () => {
          throw new Error("a getter");
        },
      }),
  ],
  [
    "a revoked proxy",
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  ],
  ["undefined", () => undefined],
];

const key = "sk-live-0123456789abcdefghij";
const withSecret = (): Error => new Error(`401 for Authorization: Bearer ${key}`);

/** Creates an agent that calls the tool `act` and then answers. */
const agentWith = (options: Partial<CodeAgentOptions>): CodeAgent =>
  new CodeAgent({
    model: scriptedModel(["<code>await act()</code>", "<code>finalAnswer(1)</code>", "<code>finalAnswer(2)</code>"]),
    tools: [tool({ name: "act", description: "Acts.", execute: () => 1 })],
    ...options,
  });

const throwing = (make: () => unknown) => (): never => {
  throw make();
};

/** An option that fails, and the code of the error with which the run then ends. */
const places: [place: string, code: string, options: (make: () => unknown) => Partial<CodeAgentOptions>][] = [
  ["beforeStep", "callback", (make) => ({ beforeStep: throwing(make) })],
  ["a step callback", "callback", (make) => ({ stepCallbacks: throwing(make) })],
  ["the model", "generation", (make) => ({ model: { id: "own/model", stream: throwing(make) } })],
  ["approve", "suspended", (make) => ({ approval: () => true, approve: throwing(make) })],
];

describe.each(places)("a run in which %s throws ends with %s", (_place, code, options) => {
  test.each(unreadable)("for %s", async (_what, make) => {
    const { error } = await agentWith(options(make)).run("Go.").result;
    expect(error).toMatchObject({ code });
  });

  test("without the secrets of the message", async () => {
    const { error, log } = await agentWith(options(withSecret)).run("Go.").result;
    expect(error).toMatchObject({ code, message: expect.stringContaining("401") });
    const texts = [error?.message];
    for await (const event of log.read()) texts.push(JSON.stringify(event));
    expect(texts.join("\n")).not.toContain(key);
  });
});

test.each([...unreadable, ["an error with a secret", withSecret] as const])(
  "a final-answer check that throws %s refuses the answer",
  async (_what, make) => {
    let count = 0;
    const check = (): boolean => {
      if (count++ === 0) throw make();
      return true;
    };
    const { output, log } = await agentWith({ finalAnswerChecks: [check] }).run("Go.").result;
    expect(output).toBe(2);
    for await (const event of log.read()) expect(JSON.stringify(event)).not.toContain(key);
  },
);
