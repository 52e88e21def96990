import { inspect } from "node:util";
import { type ReplyParts, scriptedModel } from "@smolts/testing";
import {
  CodeAgent,
  finalAnswer,
  jsonSchema,
  type Model,
  MultiStepAgent,
  openAICompatible,
  type Tool,
  ToolCallingAgent,
  tool,
} from "smolts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const answering = (answer: string): ReplyParts => ({ toolCalls: [{ name: "finalAnswer", input: { answer } }] });

describe("an agent's model", () => {
  test("that its server refuses a part of the request repeats it without that part, and emits an event", async () => {
    const bodies: { readonly stop?: unknown }[] = [];
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      const body = JSON.parse(String(init?.body));
      bodies.push(body);
      if (body.stop) return Response.json({ error: { message: "Unsupported parameter: 'stop'" } }, { status: 400 });
      const message = { role: "assistant", content: "<code>finalAnswer(42)</code>" };
      return Response.json({ choices: [{ index: 0, message, finish_reason: "stop" }] });
    };
    const model = openAICompatible("m", { baseUrl: "http://127.0.0.1:9/v1", fetch });
    const run = new CodeAgent({ model }).run("6 * 7?");
    const learned: unknown[] = [];
    for await (const event of run.events())
      if (event.type === "note" && event.name === "smolts/learned") learned.push(event.data);
    expect(await run).toBe(42);
    expect(bodies.map(({ stop }) => stop !== undefined)).toEqual([true, false]);
    expect(learned).toEqual([{ refused: "stop", message: expect.stringContaining("Unsupported parameter: 'stop'") }]);
  });

  test("may be a name with a preset", () => {
    const { options } = new CodeAgent({ model: "ollama:qwen3:8b" });
    expect((options.model as Model).id).toBe("ollama/qwen3:8b");
  });

  test("may be a model or a function", () => {
    const model = scriptedModel([]);
    expect(new CodeAgent({ model }).options.model).toBe(model);
    const answer = () => "hello";
    expect(new ToolCallingAgent({ model: answer }).options.model).toBe(answer);
  });

  const wrong: [model: string, said: RegExp][] = [
    ["qwen3", /"qwen3" is not of the form "preset:model-id"/],
    ["olama:qwen3", /known preset/],
  ];
  test.each(wrong)("named %s is refused immediately", (model, said) => {
    // @ts-expect-error: a name is a preset and an id
    expect(() => new CodeAgent({ model })).toThrow(said);
  });
});

test("the agents are the core's agents", () => {
  expect(new CodeAgent({ model: () => "" })).toBeInstanceOf(MultiStepAgent);
  expect(new ToolCallingAgent({ model: () => "" })).toBeInstanceOf(MultiStepAgent);
});

test("addBaseTools adds the base tools, and an interpreter for agents that do not write code", () => {
  const toolsOf = ({ options }: CodeAgent | ToolCallingAgent) => (options.tools ?? []) as readonly Tool[]; // lists were given
  const namesOf = (agent: CodeAgent | ToolCallingAgent) => toolsOf(agent).map(({ name }) => name);
  const options = { model: () => "", addBaseTools: true };
  expect(namesOf(new CodeAgent(options))).toEqual(expect.arrayContaining(["webSearch", "visitWebpage"]));
  expect(namesOf(new CodeAgent(options))).not.toContain("javascriptInterpreter");
  expect(namesOf(new ToolCallingAgent(options))).toContain("javascriptInterpreter");
  expect(namesOf(new CodeAgent({ ...options, addBaseTools: false }))).not.toContain("webSearch");
  const own = { ...finalAnswer, name: "webSearch", description: "Mine." };
  const tools = toolsOf(new CodeAgent({ ...options, tools: [own] })).filter(({ name }) => name === "webSearch");
  expect(tools.map(({ description }) => description)).toEqual(["Mine."]);
  expect(namesOf(new CodeAgent(options).with({ maxSteps: 3 })).filter((name) => name === "webSearch")).toHaveLength(1);
});

test("tools for the AI SDK can be in a record of tools", async () => {
  const double = {
    description: "Doubles a number.",
    inputSchema: jsonSchema({ type: "object", properties: { of: { type: "number" } }, required: ["of"] }),
    execute: async ({ of }: { of: number }, { toolCallId }: { toolCallId: string }) => `${of * 2} ${typeof toolCallId}`,
  };
  const tools = {
    double,
    twice: tool({ name: "twice", description: "Doubles.", input: { of: "number" }, execute: ({ of }) => of * 2 }),
  };
  const agent = new CodeAgent({
    model: () => "<code>finalAnswer([await double({ of: 21 }), await twice({ of: 2 })])</code>",
    tools,
  });
  expect(await agent.run("Double it.")).toEqual(["42 string", 4]);
});

describe("what core refuses is refused here", () => {
  const wrong: [what: string, options: object, said: RegExp][] = [
    ["a misspelt option", { maxStep: 3 }, /no option "maxStep"/],
    ["no steps", { maxSteps: 0 }, /maxSteps is 0; expected a whole number >= 1/],
    ["negative steps", { maxSteps: -1 }, /maxSteps is -1/],
    ["steps as text", { maxSteps: "3" }, /maxSteps is "3"/],
    ["a tool that is none", { tools: [{ name: "x" }] }, /one of the tools/],
    ["smolagents' reset", { reset: true }, /no option "reset"/],
  ];
  test.each(wrong)("%s", (_what, options, said) => {
    // The cast imitates a caller without types.
    expect(() => new CodeAgent({ model: () => "", ...options } as never)).toThrow(said);
  });
});

describe("verbosityLevel", () => {
  let printed = "";

  beforeEach(() => {
    printed = "";
    vi.stubEnv("NO_COLOR", "1");
    vi.stubEnv("FORCE_COLOR", undefined);
    // Standard output is not a terminal in this test, so runs are printed to standard error.
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  test("is off by default: nothing is printed", async () => {
    await new ToolCallingAgent({ model: scriptedModel([answering("yes")]) }).run("Well?");
    expect(printed).toBe("");
  });

  test("prints every run completely before the answer is returned", async () => {
    const agent = new ToolCallingAgent({ model: scriptedModel([answering("yes")]), verbosityLevel: "info" });
    expect(await agent.run("Well?")).toBe("yes");
    expect(printed).toMatch(/^Well\?\n\nStep 1\n.*\n\nAnswer\nyes\n1 step, .*\n$/);
  });

  test("prints the streamed text from its first part on", async () => {
    const model = scriptedModel([{ text: "I simply know it.", ...answering("yes") }]);
    await new ToolCallingAgent({ model, verbosityLevel: "info" }).run("Well?").result;
    expect(printed).toContain("Step 1\n  I simply know it.\n");
  });

  test("prints a failure, and the caller gets it as well", async () => {
    const agent = new ToolCallingAgent({ model: scriptedModel([]), verbosityLevel: "info" });
    await expect(agent.run("Well?")).rejects.toMatchObject({ name: "AgentError" });
    expect(printed).toContain("✗ ");
    expect((await agent.run("Well?").result).status).toBe("failed");
  });

  test("applies to copies and sessions", async () => {
    const model = scriptedModel([answering("one"), answering("two"), answering("three")]);
    const agent = new ToolCallingAgent({ model, verbosityLevel: "info" }).with({ instructions: "Be brief." });
    await agent.run("First?");
    await using session = agent.session();
    await session.run("Second?");
    expect(session.steps.length).toBeGreaterThan(0);
    await agent.with({ verbosityLevel: "off" }).run("Third?");
    expect(printed).toContain("First?");
    expect(printed).toContain("Second?");
    expect(printed).not.toContain("Third?");
  });

  test("keeps the run iterable, with its other members", async () => {
    const agent = new ToolCallingAgent({ model: scriptedModel([answering("yes")]), verbosityLevel: "info" });
    const run = agent.run("Well?");
    const types: string[] = [];
    for await (const event of run) types.push(event.type);
    expect(types.at(-1)).toBe("run-end");
    expect(run.status).toBe("success");
    expect(run.steps.length).toBeGreaterThan(0);
  });

  test("prints forks, too", async () => {
    const first = new CodeAgent({ model: scriptedModel(["<code>finalAnswer(1)</code>"]) });
    const { log } = await first.run("Well?").result;
    await first.with({ verbosityLevel: "info" }).fork(log, { atStep: 1, code: "finalAnswer(2)" });
    expect(printed).toMatch(/Answer\n2\n/);
  });

  test("does not change the console.log output of a run", async () => {
    const agent = new CodeAgent({ model: () => "<code>finalAnswer(1)</code>", verbosityLevel: "info" });
    const run = agent.run("Well?", { runId: "run-1" });
    await run;
    expect(inspect(run)).toBe('AgentRun "run-1" { status: success; steps: 4; await it for the answer }');
    expect(inspect(agent)).toContain('CodeAgent "agent" {');
  });

  test("is refused together with a custom reader", () => {
    const reader = async () => {};
    expect(() => new CodeAgent({ model: () => "", verbosityLevel: "info", reader })).toThrow(
      /got both verbosityLevel and reader/,
    );
  });

  test("with an unknown value is refused", () => {
    expect(() => new CodeAgent({ model: () => "", verbosityLevel: 2 as never })).toThrow(
      /verbosityLevel is 2; expected "off"/,
    );
  });
});

test("a tool's input is typed by its short form", () => {
  const double = tool({
    name: "double",
    description: "Twice a number.",
    input: { n: "number" },
    output: "number",
    effects: "none",
    execute: ({ n }) => 2 * n,
  });
  expect(new CodeAgent({ model: "ollama:qwen3", tools: [double] }).options.tools).toEqual([double]);
});
