// The agent's side of the Agent Client Protocol. Whoever started this process is its client, so there is no key.

import { Readable, Writable } from "node:stream";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { agent as acpAgent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { AgentError } from "@smolts/protocol";
import { RefusedRequest } from "../refused-request.ts";
import { isAgent, type Served } from "../served-agent.ts";
import { AcpSession, type SessionAgent } from "./acp-session.ts";
import { readPrompt } from "./read-prompt.ts";
import type { AcpServing, ServeAcpOptions } from "./serve-acp.ts";

/** An editor opens a session for each of its conversations. */
const maxSessions = 100;

/** Serves by standard input and output. */
export async function serveStdio(served: Served, options: ServeAcpOptions): Promise<AcpServing> {
  if (!isAgent(served) && typeof served !== "function") {
    throw new AgentError("invalid-option", "what is served is neither an agent nor a function that makes one");
  }
  const name = options.name ?? (isAgent(served) ? served.name : undefined) ?? "agent";
  const sessions = new Map<string, AcpSession>();
  const app = acpAgent({ name })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
      },
      agentInfo: { name, version: "0.0.0" },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, async ({ client }) => {
      if (sessions.size >= maxSessions)
        throw RequestError.invalidRequest(undefined, `there are ${maxSessions} sessions`);
      const sessionId = crypto.randomUUID();
      sessions.set(sessionId, new AcpSession(sessionId, await openSession(served), client));
      return { sessionId };
    })
    .onRequest(methods.agent.session.prompt, async ({ params, signal }) => {
      const session = sessions.get(params.sessionId);
      if (!session) throw RequestError.resourceNotFound(params.sessionId);
      return { stopReason: await session.prompt(partsOf(params.prompt), signal) };
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel());
  const input = Readable.toWeb(readableOf(options.input ?? process.stdin)) as ReadableStream<Uint8Array>; // bytes, as no encoding is set
  const output = Writable.toWeb(writableOf(options.output ?? process.stdout)) as WritableStream<Uint8Array>; // as above
  const connection = app.connect(ndJsonStream(output, input));
  const closed = connection.closed.then(async () => {
    await Promise.all([...sessions.values()].map((session) => session.close()));
    sessions.clear();
  });
  const close = async (): Promise<void> => {
    connection.close();
    await closed;
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}

async function openSession(served: Served): Promise<SessionAgent> {
  const agent: unknown = isAgent(served) ? served : await served({ client: "editor" });
  const { session } = (typeof agent === "object" && agent !== null ? agent : {}) as { readonly session?: unknown };
  if (typeof session === "function") return (session as () => SessionAgent).call(agent);
  throw new AgentError("invalid-option", "the function that was served made no agent", {
    hint: "return a CodeAgent or a ToolCallingAgent",
  });
}

function partsOf(prompt: readonly ContentBlock[]): ReturnType<typeof readPrompt> {
  try {
    return readPrompt(prompt);
  } catch (error) {
    if (error instanceof RefusedRequest) throw RequestError.invalidParams(undefined, error.message);
    throw error;
  }
}

/** Streams of this process, as both kinds of types describe them. */
const readableOf = (stream: NodeJS.ReadableStream): Readable => stream as Readable;
const writableOf = (stream: NodeJS.WritableStream): Writable => stream as Writable;
