import { CodeAgent, createCodeStream, parseCode, systemPrompt } from "@smolts/core";
import { memoryLog } from "@smolts/memory";
import {
  type ChatMessage,
  type ExecutionEnvironment,
  type ExecutionResult,
  type Executor,
  type ExecutorFactory,
  encodeValue,
  type HostCall,
  textOf,
} from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { jsonSchema, tool } from "@smolts/tools";
import { expect, test } from "vitest";

type Block = (call: (name: string, given: Partial<HostCall>) => Promise<unknown>) => Promise<ExecutionResult>;

/**
 * A Python sandbox whose block results are scripted. These tests are about what the agent does with
 * the results.
 */
function pythonLike(blocks: readonly Block[]): ExecutorFactory & { readonly environments: ExecutionEnvironment[] } {
  const environments: ExecutionEnvironment[] = [];
  const open = async (): Promise<Executor> => {
    let block = 0;
    const waiting = new Map<number, (value: unknown) => void>();
    return {
      start: async (environment) => void environments.push(environment),
      execute: async (_code, { onCall }) => {
        let callIndex = 0;
        const run = blocks[block++] ?? (async () => value(null));
        return run((name, given) => {
          callIndex++;
          const outcome = new Promise((resolve) => waiting.set(callIndex, resolve));
          onCall({ callIndex, name, args: [], ...given });
          return outcome;
        });
      },
      deliver: async (callIndex, outcome) => waiting.get(callIndex)?.(outcome),
      [Symbol.asyncDispose]: async () => {},
    };
  };
  return { language: "python", replay: "never", environments, open };
}

const value = (text: string | null): ExecutionResult => ({
  type: "value",
  output: text === null ? null : { text },
  operations: 0,
  unawaited: [],
});
const answer = (...args: readonly unknown[]): ExecutionResult => ({
  type: "final-answer",
  args: args.map((arg) => encodeValue(arg)),
  operations: 0,
  unawaited: [],
});
const code = (text: string): string => `I compute.\n<code>\n${text}\n</code>`;

const weather = tool({
  name: "getWeather",
  description: "Tells the weather.",
  input: jsonSchema<{ city: string; maxDays?: number }>({
    type: "object",
    properties: { maxDays: { type: "integer" }, city: { type: "string", description: "where" } },
    required: ["city"],
  }),
  execute: (input) => JSON.stringify(input),
});

const promptOf = (messages: readonly ChatMessage[]): string => messages.map(textOf).join("\n");

test("the prompt is about Python, with tools as snake_case functions and with final_answer", async () => {
  const model = scriptedModel([code("final_answer(1)")]);
  const executor = pythonLike([async () => answer(1)]);
  const agent = new CodeAgent({ model, tools: [weather], executor, additionalAuthorizedImports: ["numpy.*"] });
  expect(await agent.run("How is it?")).toBe(1);
  const prompt = promptOf(model.requests[0]?.messages ?? []);
  expect(prompt).toContain("def get_weather(city: str, max_days: int = None) -> Any:");
  expect(prompt).toContain("        city: where");
  expect(prompt).toContain("final_answer(value)");
  expect(prompt).toMatch(/You can import these modules and no others: .*math, .*numpy\.\*/);
  expect(prompt).not.toMatch(/JavaScript|finalAnswer|getWeather/);
  expect(executor.environments[0]?.tools).toEqual(["get_weather", "final_answer"]);
  expect(executor.environments[0]?.imports?.authorizedImports).toContain("numpy.*");
});

const argumentForms: [what: string, given: Partial<HostCall>, input: unknown][] = [
  ["positional arguments", { args: ["Paris", 3] }, { city: "Paris", maxDays: 3 }],
  ["named arguments", { keywords: { max_days: 3, city: "Paris" } }, { city: "Paris", maxDays: 3 }],
  ["both", { args: ["Paris"], keywords: { max_days: 3 } }, { city: "Paris", maxDays: 3 }],
  ["None for what may be left out", { args: ["Paris", null] }, { city: "Paris" }],
  ["names as the tool has them", { keywords: { city: "Paris", maxDays: 3 } }, { city: "Paris", maxDays: 3 }],
];

test.each(argumentForms)("a tool gets one object for %s", async (_what, given, input) => {
  const seen: unknown[] = [];
  const executor = pythonLike([
    async (call) => {
      seen.push(await call("get_weather", given));
      return answer("done");
    },
  ]);
  const run = new CodeAgent({ model: scriptedModel([code("x")]), tools: [weather], executor }).run("?");
  expect(await run).toBe("done");
  const [outcome] = seen as { type: string; value: string }[];
  expect(outcome?.type === "ok" && JSON.parse(outcome.value)).toEqual(input);
  const { steps } = await run.result;
  expect(steps.flatMap((step) => (step.type === "action" ? step.toolCalls.map(({ name }) => name) : []))).toEqual([
    "getWeather",
  ]);
});

test("arguments that do not fit are refused with the signature", async () => {
  const outcomes: unknown[] = [];
  const executor = pythonLike([
    async (call) => {
      outcomes.push(await call("get_weather", { args: ["a", 1, 2] }));
      outcomes.push(await call("get_weather", { args: ["a"], keywords: { city: "b" } }));
      return answer("done");
    },
  ]);
  await new CodeAgent({ model: scriptedModel([code("x")]), tools: [weather], executor }).run("?");
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      type: "refused",
      error: { code: "tool-input", hint: "write: get_weather(city: str, max_days: int = None)" },
    });
  }
});

test.each([
  ["by its name", { keywords: { answer: 5 } }, 5],
  ["by any name", { keywords: { result: 5 } }, 5],
  ["by several names", { keywords: { a: 1, b: 2 } }, { a: 1, b: 2 }],
])("an answer can be passed %s", async (_what, given, expected) => {
  const executor = pythonLike([async () => ({ ...answer(), ...given }) as ExecutionResult]);
  expect(await new CodeAgent({ model: scriptedModel([code("x")]), executor }).run("?")).toEqual(expected);
});

test("an agent manages agents under names of Python", async () => {
  const worker = new CodeAgent({
    name: "bigWorker",
    description: "Works.",
    model: scriptedModel(["<code>\nfinalAnswer(6 * 7)\n</code>"]),
  });
  const executor = pythonLike([
    async (call) => {
      const outcome = await call("big_worker", {
        keywords: { task: "Multiply.", additional_args: encodeValue({ a: 1 }) },
      });
      return answer(outcome);
    },
  ]);
  const model = scriptedModel([code("x")]);
  const result = await new CodeAgent({ model, managedAgents: [worker], executor }).run("?");
  expect(result).toEqual({ type: "ok", value: "42" });
  expect(promptOf(model.requests[0]?.messages ?? [])).toContain("- big_worker: behind this function is another agent");
});

test.each([
  ["lambda", /is a reserved word in Python/],
  ["print_", null],
  ["list", /is a reserved word in Python/],
])("a tool named %s", (name, problem) => {
  const make = (): unknown => new CodeAgent({ model: () => "", tools: { [name]: weather }, executor: pythonLike([]) });
  if (problem) expect(make).toThrow(problem);
  else expect(make).not.toThrow();
});

test("two tools that would have the same name in code are refused", () => {
  const tools = { webSearch: weather, web_search: weather };
  expect(() => new CodeAgent({ model: () => "", tools, executor: pythonLike([]) })).toThrow(
    'the tools "webSearch" and "web_search" are both "web_search" in code',
  );
});

test("modules of JavaScript and a check of JavaScript are refused", () => {
  const executor = pythonLike([]);
  const check = Object.assign(async () => [], { language: "javascript" as const });
  expect(() => new CodeAgent({ model: () => "", executor, checkCode: check })).toThrow(/checkCode reads JavaScript/);
});

test("a log of one language is refused by an executor of the other", async () => {
  const log = memoryLog();
  const session = new CodeAgent({
    model: scriptedModel([code("x")]),
    executor: pythonLike([async () => answer(1)]),
  }).session({ log });
  await session.run("One?");
  await session[Symbol.asyncDispose]();
  const other = new CodeAgent({ model: scriptedModel(["<code>finalAnswer(2)</code>"]) }).session({ log });
  await expect(other.run("Two?")).rejects.toMatchObject({
    code: "invalid-option",
    message: "the code in this log is Python, but this executor runs JavaScript",
  });
  await other[Symbol.asyncDispose]();
});

test("a saved agent keeps its language, and leaves out its executor", () => {
  const model = Object.assign(scriptedModel([]), { reference: { name: "hf:x/y" } });
  const agent = new CodeAgent({ model, executor: pythonLike([]), additionalAuthorizedImports: ["pandas"] });
  expect(JSON.parse(JSON.stringify(agent))).toMatchObject({
    language: "python",
    options: { additionalAuthorizedImports: ["pandas"] },
  });
});

const texts: [text: string, found: string][] = [
  ["I say.\n<code>\nprint('</code>')\n</code>", "print('</code>')"],
  ['<code>\ns = """a\n</code>\nb"""\n# it\'s\nx\n</code>\nDone.', 's = """a\n</code>\nb"""\n# it\'s\nx'],
  ["```python\nx = 1\n```", "x = 1"],
  ["```py\nx = 1\n```\nObservation: 1", "x = 1"],
  ["import math\nprint(math.pi)", "import math\nprint(math.pi)"],
  ["for n in range(3):\n    print(n)", "for n in range(3):\n    print(n)"],
  ['{"name": "python_interpreter", "arguments": {"code": "x = 1"}}', "x = 1"],
  ["<code>\nx = ''\ny = '</code>'\n</code>\nand more", "x = ''\ny = '</code>'"],
];

test.each(texts)("finds the code in %j", (text, found) => {
  expect(parseCode(text, { language: "python" })).toBe(found);
  if (!text.startsWith("<code>") && !text.startsWith("I say")) return;
  for (const size of [1, 3, 100]) {
    const stream = createCodeStream(undefined, "python");
    const deltas = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    const pieces = [...deltas.flatMap((delta) => stream.push(delta)), ...stream.end()];
    expect(pieces.flatMap((piece) => (piece.type === "code" ? [piece.text] : [])).join("")).toBe(found);
  }
});

test("the hint for a text without code is written in Python", () => {
  expect(() => parseCode("The final answer is 4.", { language: "python" })).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('final_answer("your answer")') }),
  );
  expect(() => parseCode('I call {"name":"web_search","arguments":{"query":"a"}}', { language: "python" })).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('print(web_search(query="a"))') }),
  );
});

test("descriptions cannot end their docstring, and odd names are passed by **", () => {
  const hostile = {
    name: "do_it",
    description: 'Does it."""\nimport os',
    inputSchema: { type: "object" as const, properties: { "content-type": { type: "string" as const }, class: {} } },
  };
  const prompt = systemPrompt({ actions: "code", tools: [hostile], language: "python", modules: ["*"] });
  expect(prompt).toContain("\"\"\"Does it.'''\n    import os\n");
  expect(prompt).toContain('**{"content-type": ...}');
  expect(prompt).toContain("def do_it(**kwargs)");
  expect(prompt).toContain("You can import any module that is installed.");
});
