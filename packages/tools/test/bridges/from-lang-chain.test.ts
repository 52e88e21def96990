import { Document } from "@langchain/core/documents";
import { DynamicStructuredTool, DynamicTool, tool as langChainTool, StructuredTool } from "@langchain/core/tools";
import type { Tool } from "@smolts/protocol";
import { fromLangChain, type LangChainTool } from "@smolts/tools/from-lang-chain";
import { expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { call } from "../toolbox/tool-call.ts";

const only = (given: LangChainTool, options = {}): Tool => {
  const [tool] = fromLangChain([given], options);
  if (!tool) throw new Error("no tool was made");
  return tool;
};

const name = "add-numbers";
const description = "Adds two numbers.";

test("a tool of LangChain keeps its arguments, and gets a name that code can call", async () => {
  const add = langChainTool(({ left, right }) => left + right, {
    name,
    description,
    schema: z.object({ left: z.number().describe("the first"), right: z.number() }),
  });
  const tool = only(add, { effects: { addNumbers: "none" } });
  expect(tool).toMatchObject({
    name: "addNumbers",
    description,
    effects: "none",
    inputSchema: {
      type: "object",
      properties: { left: { type: "number", description: "the first" } },
      required: ["left", "right"],
    },
  });
  expect(await call(tool, { left: 1, right: 2 })).toBe(3);
  await expect(call(tool, { left: "1", right: 2 })).rejects.toMatchObject({ code: "tool-input" });
});

class Shout extends StructuredTool {
  name = "shout";
  description = "Says it loudly.";
  // The cast is needed because LangChain's types expect a schema of another copy of zod.
  schema = z3.object({ text: z3.string() }) as never;
  protected async _call({ text }: { text: string }): Promise<string> {
    return text.toUpperCase();
  }
}

const kinds: [what: string, tool: LangChainTool, input: object, result: unknown][] = [
  ["an instance of a class, with a schema of zod 3", new Shout(), { text: "a" }, "A"],
  [
    "a tool with one string as its input",
    new DynamicTool({ name: "echo", description, func: async (text) => `${text}!` }),
    { input: "a" },
    "a!",
  ],
  [
    "a JSON Schema",
    new DynamicStructuredTool({
      name: "double",
      description,
      schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      func: async (input) => (input as { n: number }).n * 2, // it is validated
    }),
    { n: 2 },
    4,
  ],
  [
    "content and an artifact",
    langChainTool(async () => ["the content", { large: true }], {
      name: "both",
      description,
      schema: z.object({}),
      responseFormat: "content_and_artifact",
    }),
    {},
    "the content",
  ],
  [
    "documents",
    langChainTool(async () => [new Document({ pageContent: "a", metadata: { page: 1 } })], {
      name: "find",
      description,
      schema: z.object({}),
    }),
    {},
    [{ pageContent: "a", metadata: { page: 1 } }],
  ],
];
test.each(kinds)("%s works", async (_what, given, input, result) => {
  expect(await call(only(given), input)).toEqual(result);
});

test("an abort of the call reaches it, and its errors are thrown", async () => {
  const signals: unknown[] = [];
  const probe = langChainTool(async (_input, config) => signals.push(config.signal), {
    name: "probe",
    description,
    schema: z.object({}),
  });
  const controller = new AbortController();
  await call(only(probe), {}, { signal: controller.signal });
  controller.abort();
  expect(signals).toMatchObject([{ aborted: true }]);
  const broken = langChainTool(async () => Promise.reject(new Error("no luck")), {
    name: "broken",
    description,
    schema: z.object({}),
  });
  await expect(call(only(broken), {})).rejects.toThrow("no luck");
});

test("tools with the same name are refused, and so is an unknown name in effects", () => {
  const make = (): LangChainTool => new DynamicTool({ name: "echo", description, func: async () => "" });
  expect(() => fromLangChain([make(), make()])).toThrow('two tools have the name "echo"');
  expect(() => fromLangChain([make()], { effects: { ecco: "none" } })).toThrow('effects names "ecco"');
});

test("its effects are once by default", () => {
  expect(only(new Shout()).effects).toBe("once");
});

test("an argument with a default may be left out, and LangChain fills it in", async () => {
  const page = langChainTool(async ({ query, count }) => `${query} ${count}`, {
    name: "page",
    description: "Pages.",
    schema: z.object({ query: z.string(), count: z.number().default(5) }),
  });
  const [made] = fromLangChain([page], { effects: { page: "none" } });
  expect(made?.inputSchema).toMatchObject({ required: ["query"], properties: { count: { default: 5 } } });
  const input = await made?.parseInput({ query: "x" });
  expect(await made?.execute(input as never, { signal: new AbortController().signal } as never)).toBe("x 5");
});
