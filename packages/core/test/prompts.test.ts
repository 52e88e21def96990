import { codeSystemPrompt, finalAnswer, finalAnswerMessages, toolCallingSystemPrompt } from "@smolts/core";
import { type ChatMessage, type ToolDeclaration, textOf } from "@smolts/protocol";
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
  const prompt = codeSystemPrompt({ tools: [weather, finalAnswer] });
  expect(prompt).toContain("declare function getWeather(input: { location: string /* a city */; celsius?: boolean })");
  expect(prompt).not.toContain("declare function finalAnswer");
  expect(prompt.length).toBeLessThan(2_300);
});

test("a finalAnswer of the user's own is declared", () => {
  expect(codeSystemPrompt({ tools: [{ ...finalAnswer }] })).toContain("declare function finalAnswer(");
});

test("the code prompt says how to look, to end, and to write large numbers", () => {
  const prompt = codeSystemPrompt({ tools: [weather] });
  for (const word of ["<code>\n", "\n</code>\n", "print(", "finalAnswer(", "Promise.all", "BigInt", "unknown"]) {
    expect(prompt).toContain(word);
  }
});

test("the code prompt speaks of the tags that were asked for, and of no others", () => {
  const prompt = codeSystemPrompt({ tools: [weather], tags: ["[run]", "[/run]"] });
  expect(prompt).toContain("[run]\n");
  expect(prompt).toContain("\n[/run]\n");
  expect(prompt).not.toContain("<code>");
});

test("a code agent without tools is told so", () => {
  expect(codeSystemPrompt({ tools: [finalAnswer] })).not.toContain("```ts");
});

test("the prompt for tool calls is shorter still", () => {
  const prompt = toolCallingSystemPrompt({ tools: [weather, finalAnswer] });
  expect(prompt).toContain("finalAnswer");
  expect(prompt.length).toBeLessThan(1_000);
});

test("instructions stand last", () => {
  const instructions = " Answer in French.\n";
  expect(codeSystemPrompt({ tools: [], instructions })).toMatch(/\n\nInstructions:\nAnswer in French\.$/);
  expect(toolCallingSystemPrompt({ tools: [], instructions })).toMatch(/\n\nInstructions:\nAnswer in French\.$/);
  expect(codeSystemPrompt({ tools: [], instructions: " " })).not.toContain("Instructions");
});

test("the same definition gives the same prompt", () => {
  expect(codeSystemPrompt({ tools: [weather] })).toBe(codeSystemPrompt({ tools: [structuredClone(weather)] }));
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
