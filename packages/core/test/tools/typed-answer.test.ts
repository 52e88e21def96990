import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { ActionStep, JsonValue, MemoryStep, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { jsonSchema, tool } from "@smolts/tools";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

const code = (text: string): string => `<code>\n${text}\n</code>`;
const answering = (answer: JsonValue) => ({ toolCalls: [{ name: "finalAnswer", input: { answer } }] });
const actionsOf = (steps: readonly MemoryStep[]): readonly ActionStep[] =>
  steps.filter((step) => step.type === "action");

const city = z.object({ name: z.string(), population: z.number().int() });
const paris = { name: "Paris", population: 2_000_000 };

test("an answer has the type of its schema, from code and from JSON", async () => {
  const inCode = new CodeAgent({ model: scriptedModel([code(`finalAnswer(${JSON.stringify(paris)})`)]), output: city });
  const inJson = new ToolCallingAgent({ model: scriptedModel([answering(paris)]), output: city });
  const answers = [await inCode.run("Tell me of Paris."), await inJson.run("Tell me of Paris.")];
  expectTypeOf(answers[0]!).toEqualTypeOf<{ name: string; population: number }>();
  expect(answers).toEqual([paris, paris]);
});

test("a JSON Schema works as well, and a run may have its own form", async () => {
  const list = jsonSchema({ type: "array", items: { type: "number" } });
  const agent = new CodeAgent({ model: scriptedModel([code("finalAnswer([1, 2])")]) });
  const answer = await agent.run("Count.", { output: list });
  expectTypeOf(answer).toEqualTypeOf<number[]>();
  expect(answer).toEqual([1, 2]);
});

test("the schema's own defaults and transforms apply", async () => {
  const output = z.object({
    tags: z.array(z.string()).default([]),
    day: z.string().transform((text) => new Date(text)),
  });
  const model = scriptedModel([code('finalAnswer({ day: "2026-01-02" })')]);
  expect(await new CodeAgent({ model, output }).run("Go.")).toEqual({ tags: [], day: new Date("2026-01-02") });
});

const wrong = { name: "Paris", population: "many" };

test("for a wrong answer in code the model sees the path, the expectation and the value", async () => {
  const model = scriptedModel([
    code(`finalAnswer(${JSON.stringify(wrong)})`),
    code(`finalAnswer(${JSON.stringify(paris)})`),
  ]);
  const run = new CodeAgent({ model, output: city }).run("Go.");
  expect(await run).toEqual(paris);
  expect(actionsOf(run.steps)[0]).toMatchObject({ answer: null, error: { code: "tool-input" } });
  const told = JSON.stringify(model.requests[1]?.messages.at(-1));
  expect(told).toMatch(/population.*is .*many.*expected number/);
  expect(told).toContain("{ name: string; population: number }");
});

test("a wrong answer in JSON gets an error as the result of its call", async () => {
  const model = scriptedModel([answering(wrong), answering(paris)]);
  expect(await new ToolCallingAgent({ model, output: city }).run("Go.")).toEqual(paris);
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toMatch(/population.*many/);
});

test("the model is shown the form: as a declaration in code, as a schema in JSON", async () => {
  const [forCode, forJson] = [
    scriptedModel([code(`finalAnswer(${JSON.stringify(paris)})`)]),
    scriptedModel([answering(paris)]),
  ];
  await new CodeAgent({ model: forCode, output: city }).run("Go.");
  await new ToolCallingAgent({ model: forJson, output: city }).run("Go.");
  expect(JSON.stringify(forCode.requests[0]?.messages)).toContain(
    "declare function finalAnswer(answer: { name: string; population: number }): never;",
  );
  expect(forJson.requests[0]?.tools?.[0]?.inputSchema).toMatchObject({
    properties: { answer: { properties: { population: { type: "integer" } } } },
  });
});

test("references in a schema still work when it becomes a parameter", async () => {
  const tree = z.object({
    value: z.number(),
    get children() {
      return z.array(tree);
    },
  });
  const model = scriptedModel([answering({ value: 1, children: [{ value: 2, children: [] }] })]);
  await new ToolCallingAgent({ model, output: tree }).run("Go.");
  const schema = JSON.stringify(model.requests[0]?.tools?.[0]?.inputSchema);
  expect([...schema.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^#\/properties\/answer/)]),
  );
});

const forced: [what: string, text: string][] = [
  ["as it was asked for", JSON.stringify({ answer: paris })],
  ["without its wrapping", JSON.stringify(paris)],
  ["in a fence", `\`\`\`json\n${JSON.stringify(paris)}\n\`\`\``],
];

test.each(forced)("a forced answer is asked for by its schema and read %s", async (_what, text) => {
  const model = scriptedModel([code("1"), text]);
  const result = await new CodeAgent({ model, output: city, maxSteps: 1 }).run("Go.").result;
  expect([result.status, result.output]).toEqual(["max-steps", paris]);
  expect(model.requests[1]?.responseFormat).toMatchObject({ name: "answer", schema: { required: ["answer"] } });
});

test("a forced answer whose form is an object with an answer in it is read as it is", async () => {
  const model = scriptedModel([code("1"), '{"answer": "Paris"}']);
  const agent = new CodeAgent({ model, output: z.object({ answer: z.string() }), maxSteps: 1 });
  expect(await agent.run("Which city?")).toEqual({ answer: "Paris" });
});

test("the model gets the error if the schema itself throws, in code and in JSON", async () => {
  const output = z.string().transform((text) => {
    if (text === "bad") throw new Error("no such city");
    return text.toUpperCase();
  });
  const coding = scriptedModel([code('finalAnswer("bad")'), code('finalAnswer("Paris")')]);
  const run = new CodeAgent({ model: coding, output }).run("Which city?");
  expect(await run).toBe("PARIS");
  expect(actionsOf(run.steps)[0]?.error?.message).toContain("no such city");
  const calling = new ToolCallingAgent({ model: scriptedModel([answering("bad"), answering("Paris")]), output });
  expect(await calling.run("Which city?")).toBe("PARIS");
});

test("a forced answer that does not fit rejects", async () => {
  const model = scriptedModel([code("1"), "I could not find it."]);
  const run = new CodeAgent({ model, output: city, maxSteps: 1 }).run("Go.");
  await expect(run).rejects.toMatchObject({ code: "output-invalid" });
});

test("a forced answer of text may be plain text", async () => {
  const model = scriptedModel([code("1"), "About two millions."]);
  expect(await new CodeAgent({ model, output: z.string(), maxSteps: 1 }).run("Go.")).toBe("About two millions.");
});

test("a managed agent with a form returns its caller the value itself", async () => {
  const worker = new CodeAgent({
    name: "geographer",
    description: "Knows cities.",
    model: scriptedModel([code(`finalAnswer(${JSON.stringify(paris)})`)]),
    output: city,
  });
  const model = scriptedModel([code('finalAnswer((await geographer({ task: "Paris" })).population)')]);
  expect(await new CodeAgent({ model, managedAgents: [worker] }).run("Go.")).toBe(2_000_000);
  expect(JSON.stringify(model.requests[0]?.messages[0])).toContain("Promise<{ name: string; population: number }>");
});

test("what is not a schema is refused, and so is a second finalAnswer", () => {
  const own = tool({ name: "finalAnswer", description: "Answers.", execute: () => 1 }) as Tool;
  const model = scriptedModel([]);
  expect(() => new CodeAgent({ model, output: { name: "string" } as never })).toThrow(/output is not a schema/);
  const cycle: { properties?: object } = {};
  cycle.properties = { cycle };
  for (const schema of [undefined, null, true, cycle]) {
    const output = { "~standard": { validate: (value: unknown) => ({ value }), jsonSchema: { input: () => schema } } };
    expect(() => new CodeAgent({ model, output: output as never })).toThrow(/output has no JSON Schema/);
  }
  expect(() => new CodeAgent({ model, output: city, tools: [own] })).toThrow(/makes the tool "finalAnswer" itself/);
});

describe("a resumed run with its own form", () => {
  const pay = tool({
    name: "pay",
    description: "Pays.",
    effects: "once",
    needsApproval: () => true,
    execute: () => 1,
  });
  const agent = () =>
    new CodeAgent({
      model: scriptedModel([code(`await pay(); finalAnswer(${JSON.stringify(paris)})`)]),
      tools: [pay],
    });
  const suspended = async () => {
    const { log, pending = [] } = await agent().run("Pay.", { output: city }).result;
    return { log, decisions: pending.map(({ id, digest }) => ({ id, digest, type: "approve" as const })) };
  };

  test("has the form again if it is passed again", async () => {
    const { log, decisions } = await suspended();
    const answer = await agent().resume(log, { decisions, output: city });
    expectTypeOf(answer).toEqualTypeOf<{ name: string; population: number }>();
    expect(answer).toEqual(paris);
  });

  test("reports that the form is missing, and does not change", async () => {
    const { log, decisions } = await suspended();
    const failing = agent().resume(log, { decisions });
    await expect(failing).rejects.toMatchObject({
      code: "invalid-option",
      message: expect.stringMatching(
        /started with an option output of the type \{ name: string; population: number \}/,
      ),
      hint: expect.stringContaining("resume(log, { output })"),
    });
    expect(await agent().with({ output: city }).resume(log, { decisions })).toEqual(paris);
  });

  test("refuses an unknown option", async () => {
    const { log, decisions } = await suspended();
    expect(() => agent().resume(log, { decision: decisions } as never)).toThrow(/no option "decision"/);
  });
});
