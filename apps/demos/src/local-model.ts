// Uses a model on this machine. The demo looks for a running server of Ollama, llama.cpp, LM Studio
// or vLLM. If it finds none, the scripted model of the demo answers.
//
//   pnpm --filter @smolts/demos local-model

import { CodeAgent, type Model, resolveModel } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** The address where a server may be running, and the preset of that server. */
export interface LocalServer {
  readonly preset: string;
  /** The server's origin, such as `http://127.0.0.1:11434`. */
  readonly origin: string;
}

/** Options of the demo. */
export interface LocalModelOptions {
  /** The model that answers if no server is found. */
  readonly model: Model;
  readonly servers?: readonly LocalServer[];
  readonly level?: PrintLevel;
}

/** The default addresses of the supported local servers. */
const usualServers: readonly LocalServer[] = [
  { preset: "ollama", origin: "http://127.0.0.1:11434" },
  { preset: "llamacpp", origin: "http://127.0.0.1:8080" },
  { preset: "lmstudio", origin: "http://127.0.0.1:1234" },
  { preset: "vllm", origin: "http://127.0.0.1:8000" },
];

/** Asks an agent with a local model, and returns its answer. */
export async function localModel({
  model,
  servers = usualServers,
  level = "info",
}: LocalModelOptions): Promise<unknown> {
  const found = await findModel(servers);
  if (level !== "off") console.log(found ? `Found ${found.id} on this machine.` : notFound(servers));
  const agent = new CodeAgent({ model: found ?? model });
  return await printRun(agent.run("What is 3 to the power of 21?"), { level });
}

/** Returns the first model of the first server that answers, or null. */
async function findModel(servers: readonly LocalServer[]): Promise<Model | null> {
  for (const { preset, origin } of servers) {
    const id = await firstModel(origin);
    // The preset `ollama` uses Ollama's own API, which is not below /v1. The other presets use
    // OpenAI's API.
    if (id !== null) return resolveModel(`${preset}:${id}`, { baseUrl: preset === "ollama" ? origin : `${origin}/v1` });
  }
  return null;
}

async function firstModel(origin: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/v1/models`, { signal: AbortSignal.timeout(1_000) });
    // The cast follows the format in OpenAI's API reference.
    const { data } = (await response.json()) as { readonly data?: readonly { readonly id: string }[] };
    return data?.[0]?.id ?? null;
  } catch {
    // Either nothing listens at that address, or some other program does.
    return null;
  }
}

function notFound(servers: readonly LocalServer[]): string {
  const names = servers.map(({ preset, origin }) => `${preset} at ${origin}`).join(", ");
  return `No server with a model answers (looked for ${names}). Start one, with "ollama serve" for example.`;
}

/** The scripted model's answers. */
export const script: readonly string[] = [
  `I let the interpreter multiply.
<code>
finalAnswer(3 ** 21);
</code>`,
];

await runDemo(import.meta.url, script, (model) => localModel({ model }));
