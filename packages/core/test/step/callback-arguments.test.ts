// When a user's callback passes a wrong argument to one of our functions, the error comes from our
// code and says what to write. The JavaScript engine's own error would not say this.

import { CodeAgent } from "@smolts/core";
import type { ToolContext } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";

const answer = "<code>finalAnswer(1)</code>";

/** Calls a function with the arguments of a callback, and returns the error that it throws. */
async function thrownIn<Given>(
  use: (given: Given) => unknown,
  run: (call: (given: Given) => Promise<void>) => unknown,
) {
  let thrown: unknown;
  await run(async (given) => {
    try {
      await use(given);
    } catch (error) {
      thrown = error;
    }
  });
  return thrown;
}

describe("edit() of a step callback refuses", () => {
  const cases: readonly (readonly [what: string, args: readonly unknown[], message: RegExp])[] = [
    ["nothing", [], /needs the number of a step and an object/],
    ["a number alone", [1], /needs the number of a step and an object/],
    ["null", [1, null], /needs the number of a step and an object/],
    ["a number that is a text", ["1", { observation: "x" }], /needs the number of a step/],
    ["an unknown field", [1, { observations: "x" }], /changes nothing/],
    ["a plan that is a number", [1, { plan: 5 }], /a plan that is not a string/],
    [
      "an observation that is a number",
      [1, { observation: 5 }],
      /observation of step 1 is 5; expected a list of parts/,
    ],
    ["a part of no type", [1, { observation: [{ type: "weird" }] }], /\[0\] is not a part of a message/],
    ["an image without a source", [1, { observation: [{ type: "image" }] }], /\[0\] is not a valid image part/],
  ];
  test.each(cases)("%s", async (_what, args, message) => {
    const thrown = await thrownIn<{ edit(...args: readonly unknown[]): void }>(
      ({ edit }) => edit(...args),
      (call) =>
        new CodeAgent({
          model: scriptedModel([answer]),
          stepCallbacks: (_step, context) => call(context as never),
        }).run("x").result,
    );
    expect(thrown).toMatchObject({ code: "invalid-option", message: expect.stringMatching(message) });
  });
});

describe("the context of a tool refuses", () => {
  const cases: readonly (readonly [what: string, use: (context: ToolContext) => unknown, message: RegExp])[] = [
    ["ask() of nothing", ({ ask }) => ask?.(undefined as never), /ask\(\) got undefined; expected \{ name, input \}/],
    ["ask() of a text", ({ ask }) => ask?.("sure?" as never), /ask\(\) got "sure\?"/],
    ["generate() of a text", ({ generate }) => generate?.("hello" as never), /generate\(\) got "hello"/],
    ["generate() without messages", ({ generate }) => generate?.({} as never), /messages of generate\(\) is absent/],
    [
      "generate() of a message without a role",
      ({ generate }) => generate?.({ messages: [{}] } as never),
      /messages of generate\(\)\[0\] is not a message/,
    ],
  ];
  test.each(cases)("%s", async (_what, use, message) => {
    const thrown = await thrownIn<ToolContext>(use, (call) => {
      const work = tool({
        name: "work",
        description: "Works.",
        input: {},
        execute: (_input, context) => call(context),
      });
      return new CodeAgent({ model: scriptedModel(["<code>finalAnswer(await work())</code>"]), tools: [work] }).run("x")
        .result;
    });
    expect(thrown).toMatchObject({ code: "invalid-option", message: expect.stringMatching(message) });
  });
});

describe("what beforeStep returns is refused when it is", () => {
  test.each([
    [5, /returned number/],
    [[], /returned a list/],
    [{ tool: [] }, /returned the unknown "tool"/],
  ])("%j", async (given, message) => {
    const agent = new CodeAgent({ model: scriptedModel([answer]), beforeStep: () => given as never });
    const { status, error } = await agent.run("x").result;
    expect([status, error?.code]).toEqual(["failed", "callback"]);
    expect(error?.message).toMatch(message);
  });
});
