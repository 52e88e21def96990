// Tests that CopilotKit reads our AG-UI stream. Its client calls its runtime, which calls a smolts
// agent.

import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { toResponse } from "../../packages/streams/src/index.ts";
import { absent, npmInstall, npmVersion, type Peer } from "./peer.ts";

const version = "1.75.0";

/** CopilotKit's runtime and its client, without a web page. */
export const copilotKit: Peer = {
  name: "CopilotKit (npm)",
  install: (folder) => [
    npmInstall(join(folder, "copilot-kit"), [
      "--legacy-peer-deps",
      `@copilotkit/core@${version}`,
      `@copilotkit/runtime@${version}`,
    ]),
  ],
  async drive(folder) {
    const home = join(folder, "copilot-kit");
    const found = npmVersion(home, "@copilotkit/runtime");
    if (found === null) return absent("it is not installed");
    process.env["COPILOTKIT_TELEMETRY_DISABLED"] = "true";
    return { type: "driven", version: found, seen: [await chat(createRequire(join(home, "package.json")))] };
  },
};

/** The members of the client's agent that this test uses. */
interface ClientAgent {
  readonly messages: readonly ClientMessage[];
  addMessage(message: ClientMessage): void;
}

interface ClientMessage {
  readonly id: string;
  readonly role: string;
  readonly content?: unknown;
  readonly toolCalls?: readonly { readonly function: { readonly name: string } }[];
}

interface Client {
  readonly runtimeConnectionStatus: string;
  getAgent(id: string): ClientAgent | undefined;
  runAgent(run: { readonly agent: ClientAgent }): Promise<unknown>;
}

interface RuntimePackage {
  readonly CopilotRuntime: new (options: object) => object;
  readonly InMemoryAgentRunner: new () => object;
}

interface NodePackage {
  createCopilotNodeListener(options: object): RequestListener;
}

async function chat(load: NodeJS.Require): Promise<string> {
  const { CopilotRuntime, InMemoryAgentRunner } = load("@copilotkit/runtime/v2") as RuntimePackage;
  const { createCopilotNodeListener } = load("@copilotkit/runtime/v2/node") as NodePackage;
  const { HttpAgent } = load("@ag-ui/client") as { readonly HttpAgent: new (options: object) => object };
  const { CopilotKitCore } = load("@copilotkit/core") as { readonly CopilotKitCore: new (options: object) => Client };
  const ours = await listening(
    createServer((request, response) => void answer(request).then((reply) => send(reply, response))),
  );
  const runtime = new CopilotRuntime({
    agents: { default: new HttpAgent({ url: urlOf(ours) }) },
    runner: new InMemoryAgentRunner(),
  });
  const theirs = await listening(createServer(createCopilotNodeListener({ runtime, basePath: "/api/copilotkit" })));
  // Imitate a web page, because the client sends no requests without a web page.
  const page = { location: new URL("http://localhost/"), addEventListener() {}, removeEventListener() {} };
  Object.assign(globalThis, { window: page });
  try {
    const client = new CopilotKitCore({ runtimeUrl: `${urlOf(theirs)}/api/copilotkit`, runtimeTransport: "rest" });
    await until(() => client.runtimeConnectionStatus === "connected");
    const agent = client.getAgent("default");
    if (!agent) throw new Error("the client has no agent");
    const texts: string[] = [];
    for (const location of ["Oslo", "Rome"]) {
      agent.addMessage({ id: `ask-${location}`, role: "user", content: `Weather in ${location}?` });
      await client.runAgent({ agent });
      texts.push(String(agent.messages.findLast(({ role }) => role === "assistant")?.content));
    }
    const wanted = ["rain in Oslo", "rain in Rome"];
    if (wanted.some((text, index) => texts[index] !== text)) throw new Error(`answers: ${JSON.stringify(texts)}`);
    const calls = agent.messages.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => call.function.name));
    for (const name of ["runCode", "getWeather"])
      if (!calls.includes(name)) throw new Error(`no call of ${name}: ${JSON.stringify(agent.messages)}`);
    return `two messages of one conversation, their answers as text, ${calls.length} calls as tools`;
  } finally {
    Reflect.deleteProperty(globalThis, "window");
    for (const server of [theirs, ours]) {
      server.closeAllConnections();
      server.close();
    }
  }
}

async function listening(server: Server): Promise<Server> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

// The cast is safe: the server listens on a port.
const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function send({ status, headers, body }: Response, response: Parameters<RequestListener>[1]): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  for await (const chunk of body ?? []) response.write(chunk);
  response.end();
}

async function answer(request: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  // The cast is safe: no encoding is set, so the chunks are Buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { threadId, runId, messages, protocolVersion } = JSON.parse(Buffer.concat(chunks).toString()) as {
    readonly threadId: string;
    readonly runId: string;
    readonly messages: readonly ClientMessage[];
    readonly protocolVersion?: string;
  };
  const task = String(messages.findLast(({ role }) => role === "user")?.content);
  const weather = tool({
    name: "getWeather",
    description: "Weather at a location.",
    input: { location: "string" },
    output: "string",
    effects: "none",
    execute: ({ location }) => `rain in ${location}`,
  });
  const place = task.includes("Oslo") ? "Oslo" : "Rome";
  const model = scriptedModel([`I look.\n<code>\nfinalAnswer(await getWeather({ location: "${place}" }));\n</code>`]);
  const run = new CodeAgent({ model, tools: [weather] }).run(task);
  return toResponse(run, {
    format: "ag-ui",
    threadId,
    runId,
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
  });
}

async function until(condition: () => boolean): Promise<void> {
  for (let count = 0; count < 1_000; count++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("not within twenty seconds");
}
