import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { toResponse } from "../../packages/streams/src/index.ts";
import { absent, npmInstall, npmVersion, type Peer } from "./peer.ts";

/**
 * The versions of the AI SDK that have `useChat`, by the name under which each is installed, with
 * the oldest Node that each supports.
 */
const versions = [
  { ai: "ai5", react: "ai-react2", packages: ["ai5@npm:ai@5.0.277", "ai-react2@npm:@ai-sdk/react@2.0.280"], node: 20 },
  { ai: "ai6", react: "ai-react3", packages: ["ai6@npm:ai@6.0.326", "ai-react3@npm:@ai-sdk/react@3.0.327"], node: 20 },
  { ai: "ai7", react: "ai-react4", packages: ["ai7@npm:ai@7.0.173", "ai-react4@npm:@ai-sdk/react@4.0.177"], node: 22 },
] as const;

/** Tests `useChat` in a simulated page without a browser, against `toResponse`. */
export const useChatOfAiSdk: Peer = {
  name: "useChat of the AI SDK (@ai-sdk/react of npm)",
  install: (folder) => [
    npmInstall(folder, [
      "--legacy-peer-deps",
      "react@19.3.1",
      "react-dom@19.3.1",
      "jsdom@26.1.0",
      ...versions.flatMap(({ packages }) => packages),
    ]),
  ],
  async drive(folder) {
    if (npmVersion(folder, "ai-react2") === null) return absent("it is not installed");
    const seen: string[] = [];
    const driven: string[] = [];
    for (const { ai, react, node } of versions) {
      const version = npmVersion(folder, ai) ?? "unknown";
      if (Number(process.versions.node.split(".")[0]) < node) {
        seen.push(`${version} is left out: it needs Node ${node}`);
        continue;
      }
      seen.push(`${version}: ${await chat(folder, ai, react)}`);
      driven.push(version);
    }
    return { type: "driven", version: driven.join(", "), seen };
  },
};

/** The members of the packages that this test uses. */
interface Chat {
  readonly messages: readonly { readonly role: string; readonly parts: readonly Record<string, unknown>[] }[];
  readonly status: string;
  readonly error: Error | undefined;
  sendMessage(message: { readonly text: string }): Promise<void>;
}

async function chat(folder: string, ai: string, reactPackage: string): Promise<string> {
  const load = createRequire(join(folder, "package.json"));
  const { JSDOM } = load("jsdom") as { JSDOM: new (html: string, options: object) => { readonly window: Window } };
  const { window } = new JSDOM('<div id="root"></div>', { url: "http://localhost" });
  const globals = { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: false };
  // If this version of Node has its own `navigator`, keep it.
  Object.assign(globalThis, globals, "navigator" in globalThis ? {} : { navigator: window.navigator });
  const React = load("react") as { createElement(component: unknown): unknown };
  const { createRoot } = load("react-dom/client") as {
    createRoot(place: Element): { render(element: unknown): void; unmount(): void };
  };
  const { DefaultChatTransport } = load(ai) as { DefaultChatTransport: new (options: object) => unknown };
  const { useChat } = load(reactPackage) as { useChat(options: object): Chat };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, headers, body } = answer(Buffer.concat(chunks).toString());
    response.writeHead(status, Object.fromEntries(headers));
    for await (const chunk of body ?? []) response.write(chunk);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The cast is safe: the server listens on a port.
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chat`;
  const transport = new DefaultChatTransport({ api });
  let current: Chat | null = null;
  const Page = (): null => {
    current = useChat({ transport });
    return null;
  };
  const root = createRoot(window.document.querySelector("#root")!);
  try {
    root.render(React.createElement(Page));
    const now = (): Chat | null => current;
    await until(() => now() !== null);
    void now()?.sendMessage({ text: "Weather in Oslo?" });
    await until(
      () => (now()?.messages.at(-1)?.role === "assistant" && now()?.status === "ready") || now()?.error !== undefined,
    );
    const { messages, error } = now()!;
    if (error) throw error;
    const parts = messages.at(-1)!.parts;
    const text = parts.flatMap((part) => (part["type"] === "text" ? [String(part["text"])] : [])).join("");
    const calls = parts.filter(({ type }) => /^tool-|dynamic-tool/.test(String(type)));
    if (!text.includes("rain in Oslo")) throw new Error(`the answer is ${JSON.stringify(parts)}`);
    if (!calls.some((call) => JSON.stringify(call).includes("getWeather")))
      throw new Error(`no call: ${JSON.stringify(parts)}`);
    return `a message, its answer as text, ${calls.length} calls as tools`;
  } finally {
    root.unmount();
    server.closeAllConnections();
    server.close();
  }
}

function answer(request: string): Response {
  const { messages } = JSON.parse(request) as { messages: { parts: { text?: string }[] }[] };
  const task =
    messages
      .at(-1)
      ?.parts.map(({ text = "" }) => text)
      .join("") ?? "";
  const weather = tool({
    name: "getWeather",
    description: "Weather at a location.",
    input: { location: "string" },
    output: "string",
    effects: "none",
    execute: ({ location }) => `rain in ${location}`,
  });
  const model = scriptedModel(['I look.\n<code>\nfinalAnswer(await getWeather({ location: "Oslo" }));\n</code>']);
  return toResponse(new CodeAgent({ model, tools: [weather] }).run(task), { format: "ai-sdk" });
}

async function until(condition: () => boolean): Promise<void> {
  for (let count = 0; count < 1_000; count++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("not within twenty seconds");
}
