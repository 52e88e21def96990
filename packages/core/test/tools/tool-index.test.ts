import { CodeAgent, createToolSearch } from "@smolts/core";
import { textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { manyTools, toolQuestions } from "./many-tools.ts";

const code = (text: string): string => `On it.\n<code>\n${text}\n</code>`;

async function systemPromptOf(count: number): Promise<string> {
  const model = scriptedModel([code("finalAnswer(1)")]);
  await new CodeAgent({ model, tools: manyTools.slice(0, count) }).run("x");
  return textOf(model.requests[0]?.messages[0] ?? []);
}

test("for 9 of 10 questions about 1,000 tools, the tool is among the first five results", () => {
  const search = createToolSearch(manyTools);
  const questions = toolQuestions(200);
  const missed = questions.filter(({ question, name }) => !search(question, 5).some((tool) => tool.name === name));
  expect(manyTools).toHaveLength(1_000);
  expect(missed.map(({ question, name }) => `${name}: ${question}`).length).toBeLessThanOrEqual(20);
});

test("a question of which no word occurs finds nothing", () => {
  expect(createToolSearch(manyTools)("zygote", 5)).toEqual([]);
});

test("few tools are declared, and many are listed in an index", async () => {
  expect(await systemPromptOf(20)).toContain("declare function createInvoice(");
  const prompt = await systemPromptOf(1_000);
  expect(prompt).not.toContain("declare function createInvoice(");
  expect(prompt).toContain("Your code can call 1000 functions");
  for (const name of ["searchTools", "describeTool"]) expect(prompt).toContain(`declare function ${name}(`);
});

test("the prompt with 1,000 tools is at most 1.2 times that with 100", async () => {
  const [some, many] = [countTokens(await systemPromptOf(100)), countTokens(await systemPromptOf(1_000))];
  expect(many).toBeLessThanOrEqual(1.2 * some);
});

test("declarations never take more than 4,000 tokens", async () => {
  const sizes = await Promise.all(
    [40, 60, 80, 100, 120].map(async (count) => countTokens(await systemPromptOf(count))),
  );
  const base = countTokens(await systemPromptOf(0));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(base + 4_000);
});

test("code finds a tool, reads how it is called, and calls it", async () => {
  const blocks = [
    'const found = await searchTools({ query: "decline a refund" }); print(found[0].name); print(found[0].declaration)',
    'print(await describeTool("rejectRefund"))',
    'finalAnswer(await rejectRefund({ id: "r1" }))',
  ];
  const model = scriptedModel(blocks.map(code));
  expect(await new CodeAgent({ model, tools: manyTools }).run("Decline the refund r1.")).toBe("reject refund");
  const seen = model.requests.map((request) => textOf(request.messages.at(-1) ?? []));
  expect(seen[1]).toContain(
    "rejectRefund\n/** Rejects one refund that waits for review. */\ndeclare function rejectRefund(",
  );
  expect(seen[2]).toContain(
    "declare function rejectRefund(input: { id: string /* of the refund */ }): Promise<string>;",
  );
});

const mistakes: [what: string, source: string, said: RegExp][] = [
  ["a search for nothing", "await searchTools({})", /tool "searchTools" got no "query"/],
  ["a limit that is not a number", 'await searchTools({ query: "x", limit: "many" })', /got the limit "many"/],
  ["a name that no tool has", 'await describeTool({ name: "rejectRefunds" })', /did you mean "rejectRefund"\?/],
];

test.each(mistakes)("%s is answered with what to write", async (_what, source, said) => {
  const model = scriptedModel([code(source), code("finalAnswer(1)")]);
  await new CodeAgent({ model, tools: manyTools }).run("x");
  expect(textOf(model.requests[1]?.messages.at(-1) ?? [])).toMatch(said);
});

test("a tool that has the name of the search is refused when there are many tools, and only then", async () => {
  const [first, ...others] = manyTools;
  const own = { ...first, name: "searchTools" } as (typeof manyTools)[number];
  const agent = (tools: typeof manyTools) => new CodeAgent({ model: scriptedModel([code("finalAnswer(1)")]), tools });
  expect(() => agent([own, ...others]).run("x")).toThrow(/"searchTools" is the function that finds them/);
  expect(await agent([own]).run("x")).toBe(1);
});

test("the index is added to a custom system prompt, too", async () => {
  const model = scriptedModel([code("finalAnswer(1)")]);
  await new CodeAgent({ model, tools: manyTools, prompts: { system: "You run an office." } }).run("x");
  expect(textOf(model.requests[0]?.messages[0] ?? [])).toMatch(
    /^You run an office\.\n\nYour code can call 1000 functions/,
  );
});
