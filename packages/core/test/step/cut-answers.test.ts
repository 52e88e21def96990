// Model answers that were cut off.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import {
  type ActionStep,
  type FinishReason,
  type MemoryStep,
  type Model,
  type ModelEvent,
  textOf,
} from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";

function payTool() {
  const paid: number[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    input: { amount: "number" },
    execute: async ({ amount }) => {
      paid.push(amount);
      return "paid";
    },
  });
  return { paid, pay };
}

const actions = (steps: readonly MemoryStep[]): readonly ActionStep[] => steps.filter((step) => step.type === "action");
const answer = '<code>\nfinalAnswer("whole")\n</code>';
const cutReasons: FinishReason[] = ["length", "content-filter", "other"];

describe.each(cutReasons)("a message that ended with %s", (finishReason) => {
  test("has unfinished code that is not run", async () => {
    const { paid, pay } = payTool();
    const model = scriptedModel([
      { text: "Pay.\n<code>\nawait pay({ amount: 1 });\nawait pay({ amo", finishReason },
      answer,
    ]);
    const run = new CodeAgent({ model, tools: [pay] }).run("pay");
    expect(await run).toBe("whole");
    expect(paid).toEqual([]);
    expect(actions(run.steps)[0]?.error).toMatchObject({ code: "parsing", message: expect.stringMatching(/was cut/) });
  });

  test("has tool calls that are not made, and each gets a result that says so", async () => {
    const { paid, pay } = payTool();
    const model = scriptedModel([
      { toolCalls: [{ name: "pay", input: { amount: 1 } }], finishReason },
      { toolCalls: [{ name: "finalAnswer", input: { answer: "whole" } }] },
    ]);
    expect(await new ToolCallingAgent({ model, tools: [pay] }).run("pay")).toBe("whole");
    expect(paid).toEqual([]);
    const shown = model.requests[1]?.messages.at(-1)?.content[0];
    expect(shown).toMatchObject({ type: "tool-result", isError: true });
    expect(JSON.stringify(shown)).toContain("none of its calls was made");
  });

  test("is not an answer by text", async () => {
    const model = scriptedModel([{ text: "The capital is Par", finishReason }, "The capital is Paris."]);
    expect(await new ToolCallingAgent({ model, answerByText: true }).run("capital?")).toBe("The capital is Paris.");
  });

  test("has a note about the cut if it is a forced answer", async () => {
    const model = scriptedModel(["no code", { text: "I found tw", finishReason }]);
    const run = new CodeAgent({ model, maxSteps: 1 }).run("find");
    expect(await run).toMatch(/^I found tw\n\n\[The answer was cut: /);
    expect((await run.result).status).toBe("max-steps");
    expect(actions(run.steps).at(-1)?.error).toMatchObject({
      code: "generation",
      message: expect.stringMatching(/was cut/),
    });
  });

  test("is not a report of a managed agent", async () => {
    const worker = new CodeAgent({
      name: "worker",
      description: "Works.",
      model: scriptedModel(["no code", { text: "half a rep", finishReason }]),
      maxSteps: 1,
    });
    const model = scriptedModel(['<code>\nconst report = await worker({ task: "x" });\nreport\n</code>', answer]);
    const run = new CodeAgent({ model, managedAgents: [worker] }).run("go");
    expect(await run).toBe("whole");
    expect(actions(run.steps)[0]?.toolCalls[0]?.outcome).toMatchObject({ type: "error" });
  });
});

test("a message cut after its code has ended is used", async () => {
  const model = scriptedModel([{ text: `${answer}\nThis code`, finishReason: "length" }]);
  expect(await new CodeAgent({ model }).run("go")).toBe("whole");
});

test("a stream that ends without an `end` event counts as broken off", async () => {
  const model: Model = {
    id: "own/model",
    async *stream(): AsyncGenerator<ModelEvent> {
      yield { type: "text-delta", text: answer };
    },
  };
  const { status, error } = await new CodeAgent({ model }).run("go").result;
  expect(status).toBe("failed");
  expect(error).toMatchObject({ code: "generation", message: expect.stringMatching(/broke off/) });
});

describe("a forced answer is read", () => {
  const forced: [
    what: string,
    reply: Parameters<typeof scriptedModel>[0] extends readonly (infer Reply)[] | infer _ ? Reply : never,
    answer: unknown,
  ][] = [
    ["as text", "It is 42.", "It is 42."],
    ["as code between tags", 'Thought.\n<code>\nfinalAnswer("It is 42")\n</code>', "It is 42"],
    ["as code in a fence", "```js\nfinalAnswer({ n: 42, list: [1, 'two',], });\n```", { n: 42, list: [1, "two"] }],
    ["as bare code", "finalAnswer(-4.5e1)", -45],
    ["as Python", "final_answer(True)", true],
    ["as a wrapped answer", 'finalAnswer({ answer: "Paris" })', "Paris"],
    ["as a call in text", '{"name": "finalAnswer", "arguments": {"answer": [1, 2]}}', [1, 2]],
    ["as a native call", { toolCalls: [{ name: "finalAnswer", input: { answer: { n: 1 } } }] }, { n: 1 }],
    ["as a text that mentions the function", "Call finalAnswer(42) to end.", "Call finalAnswer(42) to end."],
    ["as a text where the argument is not a literal", "finalAnswer(total + 1)", "finalAnswer(total + 1)"],
  ];
  test.each(forced)("%s", async (_what, reply, expected) => {
    const model = scriptedModel(["no code here", reply]);
    expect(await new CodeAgent({ model, maxSteps: 1 }).run("go")).toEqual(expected);
  });
});

describe("code in a thought that the server's stop sequence cut", () => {
  const draft = "<think>I could try\n<code>\nawait pay({ amount: 1 })\n";

  test("is not run: the model is asked again without stop sequences, and its answer is cut here", async () => {
    const { paid, pay } = payTool();
    const whole = `${draft}</code>\nbut no.</think>\n${answer}\nObservation: made up`;
    const model = scriptedModel([{ text: draft, finishReason: "stop" }, whole]);
    const run = new CodeAgent({ model, tools: [pay] }).run("go");
    expect(await run).toBe("whole");
    expect(paid).toEqual([]);
    expect(model.requests.map(({ stop }) => stop !== undefined)).toEqual([true, false]);
    expect(actions(run.steps)).toHaveLength(1);
    expect(textOf(actions(run.steps)[0]?.modelOutput ?? { role: "assistant", content: [] })).not.toContain("made up");
  });

  test("is avoided in later requests to that model", async () => {
    const model = scriptedModel([
      { text: draft, finishReason: "stop" },
      "<think>hm</think><code>\n1 + 1\n</code>",
      `<think>so</think>${answer}`,
    ]);
    expect(await new CodeAgent({ model, tools: [payTool().pay] }).run("go")).toBe("whole");
    expect(model.requests.map(({ stop }) => stop !== undefined)).toEqual([true, false, false]);
  });
});

describe("code in a string that contains a stop sequence", () => {
  const ends: readonly [what: string, page: string][] = [
    ["the closing tag", "<pre>\n<code>\n1\n</code>\n</pre>"],
    ["a heading of an observation", "# Report\nObservation: fine"],
  ];
  test.each(ends)("is complete, although the server stops at %s", async (_what, page) => {
    const reply = `<code>\nfinalAnswer(\`${page}\`);\n</code>`;
    const model = scriptedModel([reply, reply]);
    const run = new CodeAgent({ model }).run("go");
    expect(await run).toBe(page);
    expect(model.requests.map(({ stop }) => stop !== undefined)).toEqual([true, false]);
    expect(actions(run.steps)).toHaveLength(1);
  });
});

test("reasoning that the server stopped at a draft of code is not the end of the answer", async () => {
  const model = scriptedModel([
    { reasoning: "I could try\n<code>\nfinalAnswer('draft')", finishReason: "stop" },
    { reasoning: "I could try\n<code>\nfinalAnswer('draft')\n</code>\nbut no.", text: answer },
  ]);
  const run = new CodeAgent({ model }).run("go");
  expect(await run).toBe("whole");
  expect(actions(run.steps)).toHaveLength(1);
});
