import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { openai } from "@smolts/model-openai";
import { anthropic, ollama, openAICompatible } from "@smolts/models";
import type { Model } from "@smolts/protocol";
import { tool } from "@smolts/tools";
import { absent, importFrom, npmInstall, npmVersion, type Peer } from "./peer.ts";

const name = "@copilotkit/aimock";

/** The members of the package that this test uses. */
interface Mock {
  readonly url: string;
  start(): Promise<unknown>;
  stop(): Promise<unknown>;
  on(match: object, answer: object): unknown;
  onMessage(text: string, answer: object): unknown;
}

/** CopilotKit's mock server for the APIs of OpenAI, Anthropic and Ollama. */
export const aimock: Peer = {
  name: `aimock (${name} of npm)`,
  install: (folder) => [npmInstall(folder, [`${name}@1.43.0`])],
  async drive(folder) {
    const version = npmVersion(folder, name);
    if (version === null) return absent("it is not installed");
    const mock = await startMock(folder);
    try {
      const baseUrl = `${mock.url}/v1`;
      const apiKey = "sk-aimock-0123456789";
      const models: readonly [wire: string, model: Model][] = [
        ["Chat Completions", openAICompatible("gpt-5-mini", { baseUrl })],
        ["Chat Completions by OpenAI's SDK", openai("gpt-5-mini", { baseUrl, apiKey, api: "chat" })],
        ["Responses by OpenAI's SDK", openai("gpt-5-mini", { baseUrl, apiKey })],
        ["Anthropic's Messages", anthropic("claude-sonnet-4-5", { baseUrl, apiKey })],
        ["Ollama's chat", ollama("qwen3:8b", { baseUrl: mock.url })],
      ];
      const seen: string[] = [];
      for (const [wire, model] of models) seen.push(await driveByMessages(wire, model));
      return { type: "driven", version, seen };
    } finally {
      await mock.stop();
    }
  },
};

/** Starts the mock with the answers that {@link driveByMessages} needs. */
export async function startMock(folder: string): Promise<Mock> {
  const { LLMock } = await importFrom(folder, name);
  // The cast is safe: the documentation shows this constructor.
  const mock = new (LLMock as new (options: object) => Mock)({ port: 0, host: "127.0.0.1", chunkSize: 5 });
  await mock.start();
  mock.onMessage("six times seven", { content: "I multiply.\n<code>\nfinalAnswer(6 * 7);\n</code>" });
  mock.on(
    { toolResultContains: "rain in Oslo" },
    { toolCalls: [{ name: "finalAnswer", arguments: { answer: "It rains." } }] },
  );
  mock.onMessage("Oslo", { toolCalls: [{ id: "call_1", name: "getWeather", arguments: { location: "Oslo" } }] });
  return mock;
}

const weather = tool({
  name: "getWeather",
  description: "Weather at a location.",
  input: { location: "string" },
  output: "string",
  effects: "none",
  execute: ({ location }) => `rain in ${location}`,
});

/** Runs both kinds of agent with tasks that the mock server can answer. */
export async function driveByMessages(wire: string, model: Model): Promise<string> {
  const number = await new CodeAgent({ model }).run("What is six times seven?");
  const sentence = await new ToolCallingAgent({ model, tools: [weather] }).run("Weather in Oslo?");
  if (number !== 42 || sentence !== "It rains.")
    throw new Error(`over ${wire}: ${String(number)}, ${String(sentence)}`);
  return `${wire}: both kinds of agent`;
}
