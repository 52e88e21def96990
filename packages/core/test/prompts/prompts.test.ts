import {
  CodeAgent,
  classicPrompts,
  finalAnswer,
  finalAnswerMessages,
  type Prompts,
  systemPrompt,
  ToolCallingAgent,
} from "@smolts/core";
import { type ChatMessage, type ToolDeclaration, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";

const weather: ToolDeclaration = {
  name: "getWeather",
  description: "Weather of the next days at a location.",
  inputSchema: {
    type: "object",
    properties: { location: { type: "string", description: "a city" }, celsius: { type: "boolean" } },
    required: ["location"],
  },
  outputSchema: { type: "string" },
};

test("the code prompt declares the tools and is short", () => {
  const prompt = systemPrompt({ actions: "code", tools: [weather, finalAnswer] });
  expect(prompt).toContain("declare function getWeather(input: { location: string /* a city */; celsius?: boolean })");
  expect(prompt).not.toContain("declare function finalAnswer");
});

const budgets: [what: string, input: Parameters<typeof systemPrompt>[0], tokens: number][] = [
  ["code", { actions: "code", tools: [weather, finalAnswer] }, 600],
  ["structured code", { actions: "structured-code", tools: [weather, finalAnswer] }, 600],
  ["tool calls", { actions: "tool-calls", tools: [weather, finalAnswer] }, 230],
];

test.each(budgets)("the prompt for %s with one tool stays within its number of tokens", (_what, input, tokens) => {
  expect(countTokens(systemPrompt(input))).toBeLessThanOrEqual(tokens);
});

test("a custom finalAnswer is declared", () => {
  expect(systemPrompt({ actions: "code", tools: [{ ...finalAnswer }] })).toContain("declare function finalAnswer(");
});

test("the code prompt explains how to print, to answer, and to write large numbers", () => {
  const prompt = systemPrompt({ actions: "code", tools: [weather] });
  for (const word of ["<code>\n", "\n</code>\n", "print(", "finalAnswer(", "Promise.all", "BigInt", "unknown"]) {
    expect(prompt).toContain(word);
  }
});

test("the code prompt mentions only the configured tags", () => {
  const prompt = systemPrompt({ actions: "code", tools: [weather], tags: ["[run]", "[/run]"] });
  expect(prompt).toContain("[run]\n");
  expect(prompt).toContain("\n[/run]\n");
  expect(prompt).not.toContain("<code>");
});

test("the prompt of a code agent without tools says that there are none", () => {
  expect(systemPrompt({ actions: "code", tools: [finalAnswer] })).not.toContain("```ts");
});

test("the prompt for tool calls is even shorter", () => {
  const prompt = systemPrompt({ actions: "tool-calls", tools: [weather, finalAnswer] });
  expect(prompt).toContain("finalAnswer");
  expect(countTokens(prompt)).toBeLessThanOrEqual(230);
});

test("instructions are at the end of the prompt", () => {
  const instructions = " Answer in French.\n";
  expect(systemPrompt({ actions: "code", tools: [], instructions })).toMatch(/\n\nInstructions:\nAnswer in French\.$/);
  expect(systemPrompt({ actions: "tool-calls", tools: [], instructions })).toMatch(
    /\n\nInstructions:\nAnswer in French\.$/,
  );
  expect(systemPrompt({ actions: "code", tools: [], instructions: " " })).not.toContain("Instructions");
});

test("the same definition returns the same prompt", () => {
  expect(systemPrompt({ actions: "code", tools: [weather] })).toBe(
    systemPrompt({ actions: "code", tools: [structuredClone(weather)] }),
  );
});

test("the last answer is asked for with the run so far, another system prompt and the task", () => {
  const run: ChatMessage[] = [
    { role: "system", content: [{ type: "text", text: "Write code." }] },
    { role: "user", content: [{ type: "text", text: "Add 1 and 2." }] },
    { role: "assistant", content: [{ type: "text", text: "Hm." }] },
  ];
  const messages = finalAnswerMessages(run, [{ type: "text", text: "Add 1 and 2." }]);
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(messages.slice(1, 3)).toEqual(run.slice(1));
  expect(textOf(messages[0] ?? [])).not.toContain("Write code.");
  expect(textOf(messages[3] ?? [])).toMatch(/only the answer[\s\S]*\nAdd 1 and 2\.$/);
});

const forms = [
  ["code", "<code>\nfinalAnswer(8412.35);\n</code>"],
  ["structured-code", '"code":"finalAnswer(8412.35);"}'],
  ["tool-calls", 'finalAnswer {"answer": "The Tagus'],
] as const;

test.each(forms)(
  "the classic prompt for %s has worked examples in that very form after the short one",
  (actions, part) => {
    const input = { actions, tools: [weather], instructions: "Answer in French." };
    const prompt = systemPrompt({ ...input, prompts: classicPrompts });
    expect(prompt.startsWith(systemPrompt(input))).toBe(true);
    expect(prompt).toContain(part);
    expect(prompt).toContain("Example 3");
  },
);

const replaced: [what: string, prompts: Prompts, text: string | RegExp][] = [
  ["a text that names the tools", { system: "Use getWeather({ location })." }, "Use getWeather({ location })."],
  [
    "a text without the tools, which gets them",
    { system: "You forecast." },
    /^You forecast\.\n\n[\s\S]*declare function getWeather/,
  ],
  ["a function of the standard text", { system: ({ standard }) => `Ahoy.\n${standard}` }, /^Ahoy\.\nYou solve tasks/],
  [
    "a function of the parts",
    { system: ({ tools, tags, actions }) => [tools.map(({ name }) => name), tags, actions].join() },
    "getWeather,<code>,</code>,code",
  ],
  [
    "other words for each tool",
    { system: ({ declarations }) => declarations, tool: ({ tool }) => `${tool.name}!` },
    "getWeather!",
  ],
  [
    "a text before each tool",
    { system: ({ declarations }) => declarations, tool: "// cheap" },
    /^\/\/ cheap\n\/\*\* Weather/,
  ],
];

test.each(replaced)("the system prompt can be %s", (_what, prompts, text) => {
  const prompt = systemPrompt({ actions: "code", tools: [weather, finalAnswer], prompts });
  if (typeof text === "string") expect(prompt).toBe(text);
  else expect(prompt).toMatch(text);
});

test("the instructions are added to a custom system prompt", () => {
  const prompt = systemPrompt({
    actions: "tool-calls",
    tools: [],
    instructions: "Be kind.",
    prompts: { system: "Hi." },
  });
  expect(prompt).toBe("Hi.\n\nInstructions:\nBe kind.");
});

const forecast = tool({
  name: "getWeather",
  description: "Weather.",
  input: { location: "string" },
  execute: () => "rain",
});

test("the prompt of a tool is the description that a tool-calling agent sends", async () => {
  const model = scriptedModel([{ toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] }]);
  await new ToolCallingAgent({
    model,
    tools: [forecast],
    prompts: { tool: ({ standard }) => `${standard} Free.` },
  }).run("x");
  expect(model.requests[0]?.tools?.[0]?.description).toBe("Weather. Free.");
});

test("a tool-calling agent is shown a tool's example inputs in its description", async () => {
  const model = scriptedModel([{ toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] }]);
  const withExample = { ...forecast, examples: [{ location: "Paris" }] };
  await new ToolCallingAgent({ model, tools: [withExample] }).run("x");
  expect(model.requests[0]?.tools?.[0]?.description).toBe('Weather.\nExample: {"location":"Paris"}');
});

const broken: [what: string, system: unknown, message: RegExp][] = [
  ["gives nothing", () => undefined, /prompts\.system gave nothing/],
  ["gives an empty text", () => " ", /prompts\.system gave an empty text/],
  ["gives a promise", async () => "x", /prompts\.system gave a promise/],
  [
    "throws",
    () => {
      throw new Error("no parts");
    },
    /prompts\.system failed: no parts/,
  ],
];

test.each(broken)("a prompt function that %s is refused before the run begins", (_what, system, message) => {
  for (const Agent of [CodeAgent, ToolCallingAgent]) {
    const agent = new Agent({ model: scriptedModel([]), prompts: { system } as Prompts });
    expect(() => agent.run("x")).toThrow(message);
    expect(() => agent.run("x")).toThrow(expect.objectContaining({ code: "invalid-option" }));
  }
});

test("a prompt with an unknown name, or that is neither text nor function, is refused at construction", () => {
  const model = scriptedModel([]);
  expect(() => new CodeAgent({ model, prompts: { persona: "x" } as Prompts })).toThrow(/prompts has no option/);
  expect(() => new CodeAgent({ model, prompts: { system: 4 } as never })).toThrow(
    /"system" of prompts is a number; expected a string or a function/,
  );
  expect(() => new CodeAgent({ model, prompts: { plan: "" } })).toThrow(/prompts\.plan is empty/);
});

test("the request for a last answer can be replaced, and the task is added to it", () => {
  const task = [{ type: "text", text: "Add 1 and 2." }] as const;
  const last = (prompts: Prompts) => textOf(finalAnswerMessages([], task, prompts).at(-1) ?? []);
  expect(last({ finalAnswer: "Time is up." })).toBe("Time is up.\n\nAdd 1 and 2.");
  expect(last({ finalAnswer: ({ task }) => `Now: ${task}` })).toBe("Now: Add 1 and 2.");
});

test("a failing prompt for the last answer ends the run and keeps its log", async () => {
  const agent = new CodeAgent({
    model: scriptedModel(["<code>1</code>"]),
    maxSteps: 1,
    prompts: { finalAnswer: () => "" },
  });
  const { status, error, steps } = await agent.run("x").result;
  expect([status, error?.code, steps.length]).toEqual(["failed", "invalid-option", 4]);
});

async function planRequestOf(prompts: Prompts, { maxSteps = 2 } = {}): Promise<readonly string[]> {
  const model = scriptedModel(["plan", "<code>1</code>", "new plan", "<code>finalAnswer(2)</code>"]);
  await new CodeAgent({ model, tools: [forecast], planningInterval: 1, maxSteps, prompts }).run("Forecast.");
  return model.requests.map(({ messages }) => textOf(messages.at(-1) ?? []));
}

test("requests for plans can be replaced, and the tools and the remaining steps are added to them", async () => {
  const [first, , later] = await planRequestOf({ plan: "Think.", planUpdate: "Think again." });
  expect(first).toBe(
    "Think.\n\nThe tools:\n- getWeather: Weather.\n- finalAnswer: Ends the task with this answer.\n\nThe task:\nForecast.",
  );
  expect(later).toMatch(/^Think again\.\n\nThe tools:[\s\S]*\n\nThere is time for at most 1 step\.$/);
});

test("requests for plans can be functions of the remaining steps", async () => {
  const [first, , later] = await planRequestOf({
    plan: ({ remainingSteps }) => `${remainingSteps} steps for: `,
    planUpdate: ({ remainingSteps, tools }) => `${remainingSteps} with ${tools.length} tools`,
  });
  expect([first, later]).toEqual(["2 steps for: Forecast.", "1 with 2 tools"]);
});

test("the classic request for a plan has an example before the short one", async () => {
  expect((await planRequestOf(classicPrompts))[0]).toMatch(/^Here is a plan[\s\S]*<end_plan>\n\nPrepare the work/);
});
