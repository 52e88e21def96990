import { foldSteps, toMessages } from "@smolts/memory";
import { type ChatMessage, type MemoryStep, type SerializedError, textOf } from "@smolts/protocol";
import { expect, test } from "vitest";
import { action, call, ends, logOf, result, says, start, text } from "./a-run.ts";

const image = { type: "image", source: { digest: "sha256-x", mediaType: "image/png", size: 3 } } as const;
const assistant = (...content: ChatMessage["content"]): ChatMessage => ({ role: "assistant", content });
const failed: SerializedError = { code: "code-execution", name: "TypeError", message: "x is not a function" };
const rolesOf = (messages: readonly ChatMessage[]): string[] => messages.map((message) => message.role);

/** Returns the provider ids of the calls that have an answer. */
const answeredIds = (messages: readonly ChatMessage[]): string[] =>
  messages.flatMap((message) => message.content).flatMap((part) => (part.type === "tool-result" ? [part.id] : []));

const lastText = (messages: readonly ChatMessage[]): string => {
  const content = messages.at(-1)?.content ?? [];
  return textOf(content.flatMap((part) => (part.type === "tool-result" ? part.output : [part])));
};

test("system prompt, task, the model's answer and the observation are in that order", () => {
  const steps: MemoryStep[] = [
    { type: "system-prompt", text: "You are an agent." },
    { type: "task", runId: "r", content: [text("Add."), image] },
    action({ modelOutput: assistant(text("<code>1</code>")), observation: [text("1")] }),
  ];
  expect(toMessages(steps)).toEqual([
    { role: "system", content: [text("You are an agent.")] },
    { role: "user", content: [text("Add."), image] },
    assistant(text("<code>1</code>")),
    { role: "user", content: [text("1")] },
  ]);
});

test("results are before the observation, and an error is last", () => {
  const step = action({
    modelOutput: assistant(text("Let me look."), call("a")),
    observation: [image, result("a", "found")],
    error: failed,
  });
  const messages = toMessages([step]);
  expect(rolesOf(messages)).toEqual(["assistant", "tool", "user"]);
  expect(messages[1]?.content).toEqual([result("a", "found")]);
  expect(messages[2]?.content[0]).toBe(image);
  expect(lastText(messages)).toContain("TypeError: x is not a function");
});

test("the same steps have the same message objects, even after steps were added", () => {
  const { events } = logOf(
    start("Add."),
    { type: "step-start", stepNumber: 1 },
    says(1, text("hm"), call("a")),
    ends(1, { observation: [result("a", "1")] }),
  );
  const steps = foldSteps(events);
  const first = toMessages(steps);
  const second = toMessages([...steps, action({ modelOutput: assistant(text("more")) })]);
  expect(second.slice(0, first.length).every((message, index) => message === first[index])).toBe(true);
  expect(second).toHaveLength(first.length + 1);
});

test("the model's own message is returned unchanged", () => {
  const step = action({ modelOutput: assistant({ type: "reasoning", text: "hm", providerData: 1 }, text("1")) });
  expect(toMessages([step])[0]).toBe(step.modelOutput);
});

test("an empty message of the model is left out", () => {
  expect(rolesOf(toMessages([action({ modelOutput: assistant(text(" \n")), error: failed })]))).toEqual(["user"]);
});

test("an error has the failure, then the hint, then a request to try something else", () => {
  const error = { ...failed, hint: "check the name" };
  const lines = lastText(toMessages([action({ modelOutput: assistant(text("x")), error })])).split("\n");
  expect(lines).toEqual([
    "Your code failed: TypeError: x is not a function",
    "check the name",
    expect.stringMatching(/do not send the same again/),
  ]);
});

test("an error does not run into the text before it", () => {
  const step = action({ modelOutput: assistant(text("x")), observation: [text("printed")], error: failed });
  expect(lastText(toMessages([step]))).toMatch(/^printed\nYour code failed/);
});

test("every call of a failed step gets a result, and the error appears once", () => {
  const step = action({
    modelOutput: assistant(call("a"), call("b"), call("c")),
    observation: [result("b", "found")],
    error: { code: "unknown-tool", message: 'no tool "serch"' },
  });
  const messages = toMessages([step]);
  expect(answeredIds(messages)).toEqual(["a", "b", "c"]);
  expect(rolesOf(messages)).toEqual(["assistant", "tool"]);
  expect(lastText(messages).split('no tool "serch"')).toHaveLength(2);
  expect(lastText(toMessages([step], { summary: true })).split('no tool "serch"')).toHaveLength(2);
});

test("a step that was interrupted during its calls says what is known about each", () => {
  const record = { name: "search", args: [] };
  const step = action({
    modelOutput: assistant(call("a"), call("b"), call("c")),
    toolCalls: [
      { ...record, callId: "1", providerId: "a", outcome: { type: "ok", value: ["sent"] } },
      { ...record, callId: "2", providerId: "b", outcome: null },
    ],
    error: { code: "interrupted", message: "secret reason" },
  });
  const [, tool] = toMessages([step]);
  const outputs = tool?.content.map((part) => (part.type === "tool-result" ? textOf(part.output) : ""));
  expect(outputs?.[0]).toContain('["sent"]');
  expect(outputs?.[1]).toContain("may have happened");
  expect(outputs?.[2]).toContain("was not run");
  expect(outputs?.join("")).not.toContain("secret reason");
});

test("results are in the order of the calls", () => {
  const step = action({
    modelOutput: assistant(call("a"), call("b")),
    observation: [result("b", "2"), result("a", "1")],
  });
  expect(answeredIds(toMessages([step]))).toEqual(["a", "b"]);
});

test("a failed model call has no message", () => {
  expect(toMessages([action({ error: { code: "generation", message: "503" } })])).toEqual([]);
});

test("final answers and custom steps have no messages", () => {
  const steps: MemoryStep[] = [
    { type: "final-answer", runId: "r", answer: 1 },
    { type: "custom", name: "acme/x", data: null },
  ];
  expect(toMessages(steps)).toEqual([]);
});

test("of several system prompts only the newest is used, as the first message", () => {
  const steps: MemoryStep[] = [
    { type: "system-prompt", text: "old" },
    { type: "task", runId: "r", content: [text("One.")] },
    { type: "system-prompt", text: "new" },
    { type: "task", runId: "r", content: [text("Two.")] },
  ];
  expect(toMessages(steps).map((message) => textOf(message))).toEqual(["new", "One.", "Two."]);
});

test("a summary has no system prompt and no thoughts, and is text only", () => {
  const steps: MemoryStep[] = [
    { type: "system-prompt", text: "You are an agent." },
    { type: "task", runId: "r", content: [text("Add.")] },
    action({ modelOutput: assistant(text("Thought\n<code>1</code>")), code: "1", observation: [text("1")] }),
    action({ modelOutput: assistant(text("hm"), call("a")), observation: [result("a", "found")], error: failed }),
  ];
  const messages = toMessages(steps, { summary: true });
  expect(messages.map((message) => [message.role, textOf(message)])).toEqual([
    ["user", "Add."],
    ["assistant", "1"],
    ["user", "1\n"],
    ["assistant", 'search({"q":"a"})'],
    ["user", expect.stringMatching(/^found\nYour code failed/)],
  ]);
  expect(messages.flatMap((message) => message.content).every((part) => part.type === "text")).toBe(true);
});

test("a summary and the complete messages do not affect each other", () => {
  const step = action({ modelOutput: assistant(text("Thought <code>1</code>")), code: "1" });
  expect(toMessages([step], { summary: true })).not.toEqual(toMessages([step]));
  expect(toMessages([step])).toEqual([step.modelOutput]);
});
