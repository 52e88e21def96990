// Tests answers that were cut off, over each wire format, with each finish reason that servers use.
// No tool call in such an answer may run, and the answer must not become a result.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { fromAiSdkModel } from "@smolts/model-ai-sdk";
import { openai } from "@smolts/model-openai";
import { anthropic, ollama, openAICompatible } from "@smolts/models";
import type { Model, ModelEvent } from "@smolts/protocol";
import { tool } from "@smolts/tools";

/** The results for a series of answers that were cut off. */
export interface CutsReport {
  readonly cuts: number;
  /**
   * Messages about cut answers that were wrongly accepted: they had an effect or became a result.
   */
  readonly cutAccepted: readonly string[];
  /** The answers that took longer than the time limit. */
  readonly hangs: readonly string[];
}

/** How the model writes its answer: as native tool calls, or as text. */
interface Shape {
  readonly name: string;
  readonly agent: "code" | "tool-calling";
  /** The text of the answer. Null for native calls. */
  readonly text: string | null;
}

/** The finish reasons of servers. Null for a stream that ends without one. */
const words: readonly (string | null)[] = [
  "length",
  "MAX_TOKENS",
  "content_filter",
  "SAFETY",
  "abort",
  "insufficient_system_resource",
  "pause_turn",
  "a word of next year",
  "error",
  null,
];

const sending = 'await send({ to: "all" });';
const sendCall = '{"name": "send", "arguments": {"to": "all"}}';

const cutCodes: Readonly<Record<string, string>> = {
  "in a list": `Thought: send.\n<code>\n${sending}\nconst rest = [1, 2`,
  "in a string": `<code>\n${sending}\nconst text = "half`,
  "in a template": `<code>\n${sending}\nprint(\`sum: \${1 + `,
  "in a comment": `<code>\n${sending}\n/* and then`,
  "in a regular expression": `<code>\n${sending}\nconst found = /ab`,
  "after a statement": `<code>\n${sending}\n`,
  "after a whole answer": '<code>\nfinalAnswer("4");\n',
  "in the closing tag": `<code>\n${sending}\n</co`,
  "in the answer": `<code>\n${sending}\nfinalAnswer("The answer is 4`,
  "in a fence": `I send.\n\`\`\`js\n${sending}\nconst x = {`,
  "in a fence, after a statement": `I send.\n\`\`\`js\n${sending}\n`,
  "in the end of a fence": `\`\`\`js\n${sending}\n\`\``,
  "as bare code": sending,
  "in a function": `<code>\nasync function main() {\n  ${sending}\n`,
  "in a call in the text": `<tool_call>\n${sendCall}`,
  "in code as JSON": `{"thought": "send", "code": ${JSON.stringify(sending).slice(0, -1)}`,
  "in a thought": `<think>I could\n<code>\n${sending}\n</code>`,
};

const cutCalls: Readonly<Record<string, string>> = {
  "in an answer": "The answer is 4",
  "before the second call": `<tool_call>${sendCall}</tool_call>\n<tool_call>{"na`,
  "after a call": `<tool_call>${sendCall}</tool_call>`,
  "in the arguments": '<tool_call>{"name": "send", "arguments": {"to": "al',
  "in the arguments of JSON": '{"name": "send", "arguments": {"to": "all"}',
  "in a list of calls": `[${sendCall}, {"name": "se`,
  "in elements": "<tool_call>\n<function=send>\n<parameter=to>\nall\n</parameter>\n",
  "in Mistral's form": '[TOOL_CALLS]send[ARGS]{"to": "all"}',
  "in ReAct's form": 'Action: send\nAction Input: {"to": "all"}',
  "in the final answer": '{"name": "finalAnswer", "arguments": {"answer": "The answer is 4',
  "after the final answer": '{"name": "finalAnswer", "arguments": {"answer": "The answer is 4"}}',
};

const shapesOf = (agent: Shape["agent"], texts: Readonly<Record<string, string>>): readonly Shape[] =>
  Object.entries(texts).map(([name, text]) => ({ name, agent, text }));

const shapes: readonly Shape[] = [
  ...shapesOf("code", cutCodes),
  ...shapesOf("tool-calling", cutCalls),
  { name: "after native calls", agent: "tool-calling", text: null },
];

const timeLimitMs = 20_000;

/** Tests answers that are cut off, over each wire format. */
export async function runCuts(): Promise<CutsReport> {
  const cutAccepted: string[] = [];
  const hangs: string[] = [];
  let cuts = 0;
  for (const [wire, modelFor] of Object.entries(wires))
    for (const word of words)
      for (const shape of shapes) {
        cuts++;
        const what = `a ${shape.agent} agent's, cut ${shape.name} by ${JSON.stringify(word)} over ${wire}`;
        const outcome = await Promise.race([outcomeOf(modelFor(shape, word), shape), tooLate()]);
        if (outcome === "late") hangs.push(what);
        else if (outcome !== null) cutAccepted.push(`${what}: ${outcome}`);
      }
  return { cuts, cutAccepted, hangs };
}

const tooLate = (): Promise<"late"> => new Promise((resolve) => setTimeout(() => resolve("late"), timeLimitMs).unref());

async function outcomeOf(model: Model, shape: Shape): Promise<string | null> {
  let sent = 0;
  const send = tool({
    name: "send",
    description: "Sends.",
    input: { to: "string" },
    execute: () => {
      sent++;
      return "sent";
    },
  });
  const options = { model, tools: [send], maxSteps: 2 };
  const agent =
    shape.agent === "code" ? new CodeAgent(options) : new ToolCallingAgent({ ...options, answerByText: true });
  const { status, output } = await agent.run("Go.", { forceAnswer: false }).result;
  if (sent > 0) return "it was done";
  return status === "success" ? `it became the answer ${JSON.stringify(output)}` : null;
}

const common = { baseUrl: "http://127.0.0.1:9/v1", apiKey: "key", retries: { attempts: 1 } };

const wires: Readonly<Record<string, (shape: Shape, word: string | null) => Model>> = {
  "chat completions": (shape, word) => openAICompatible("m", { ...common, fetch: serving(chatBody(shape, word)) }),
  "model-openai": (shape, word) => openai("m", { ...common, api: "chat", fetch: serving(chatBody(shape, word)) }),
  anthropic: (shape, word) => anthropic("m", { ...common, fetch: serving(anthropicBody(shape, word)) }),
  ollama: (shape, word) => ollama("m", { ...common, fetch: serving(ollamaBody(shape, word), "application/x-ndjson") }),
  "model-ai-sdk": (shape, word) => aiSdkModel(shape, word),
  "a model of one's own": (shape, word) => ({ id: "own", stream: () => ownEvents(shape, word) }),
};

const json = (value: unknown): string => JSON.stringify(value);
const sse = (events: readonly object[]): string => events.map((event) => `data: ${json(event)}\n\n`).join("");
const input = json({ to: "all" });

const serving =
  (body: string, mediaType = "text/event-stream"): typeof globalThis.fetch =>
  async () =>
    new Response(body, { headers: { "content-type": mediaType } });

function chatBody(shape: Shape, word: string | null): string {
  const call = { index: 0, id: "call_1", function: { name: "send", arguments: input } };
  const delta = shape.text === null ? { tool_calls: [call] } : { content: shape.text };
  const chunk = (one: object, finish_reason: string | null): object => ({
    choices: [{ index: 0, delta: one, finish_reason }],
  });
  return sse([chunk(delta, null), ...(word === null ? [] : [chunk({}, word)])]);
}

function anthropicBody(shape: Shape, word: string | null): string {
  const block =
    shape.text === null
      ? { type: "tool_use", id: "toolu_1", name: "send", input: { to: "all" } }
      : { type: "text", text: shape.text };
  return sse([
    { type: "message_start", message: {} },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_stop", index: 0 },
    ...(word === null ? [] : [{ type: "message_delta", delta: { stop_reason: word } }, { type: "message_stop" }]),
  ]);
}

function ollamaBody(shape: Shape, word: string | null): string {
  const calls = [{ function: { name: "send", arguments: { to: "all" } } }];
  const said = shape.text === null ? { content: "", tool_calls: calls } : { content: shape.text };
  const end = word === null ? "" : `${json({ message: { content: "" }, done: true, done_reason: word })}\n`;
  return `${json({ message: said, done: false })}\n${end}`;
}

function aiSdkModel(shape: Shape, raw: string | null): Model {
  const unified = raw === "length" || raw === "error" ? raw : raw === "content_filter" ? "content-filter" : "other";
  const said =
    shape.text === null
      ? { type: "tool-call", toolCallId: "1", toolName: "send", input }
      : { type: "text-delta", id: "1", delta: shape.text };
  const parts = [said, ...(raw === null ? [] : [{ type: "finish", finishReason: { unified, raw }, usage: {} }])];
  const doStream = async (): Promise<{ stream: ReadableStream<unknown> }> => ({
    stream: new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  });
  return fromAiSdkModel(
    { specificationVersion: "v3", provider: "p", modelId: "m", doStream },
    { retries: { attempts: 1 } },
  );
}

async function* ownEvents(shape: Shape, word: string | null): AsyncGenerator<ModelEvent> {
  yield shape.text === null
    ? { type: "tool-call-delta", index: 0, id: "1", name: "send", inputText: input }
    : { type: "text-delta", text: shape.text };
  // The cast is needed because a real server may send any word.
  if (word !== null) yield { type: "end", finishReason: word as "other" };
}
