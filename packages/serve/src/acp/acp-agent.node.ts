// The agent's side of the Agent Client Protocol. It checks no key, because its only client is the
// program that started this process.

import { Readable, Writable } from "node:stream";
import {
  agent as acpAgent,
  type ContentBlock,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk";
import { fromBase64, invalidOption } from "@smolts/protocol";
import { badRequest, RefusedRequest } from "../refused-request.ts";
import { isAgent, type Servable, type TaskPart } from "../served-agent.ts";
import { AcpSession, type SessionAgent } from "./acp-session.ts";
import type { AcpConnection, ServeAcpOptions } from "./serve-acp.ts";

/**
 * The maximum number of sessions per connection. An editor opens a session for each conversation.
 */
const maxSessions = 100;

/** Serves an agent over standard input and output. */
export async function serveStdio(served: Servable, options: ServeAcpOptions): Promise<AcpConnection> {
  if (!isAgent(served) && typeof served !== "function") {
    throw invalidOption("the served value is neither an agent nor a function that returns one");
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
        throw RequestError.invalidRequest(undefined, `there are already ${maxSessions} sessions`);
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
  // The cast is safe: the stream contains bytes, because no encoding is set.
  const input = Readable.toWeb(readableOf(options.input ?? process.stdin)) as ReadableStream<Uint8Array>;
  // The cast is safe: this stream takes bytes too.
  const output = Writable.toWeb(writableOf(options.output ?? process.stdout)) as WritableStream<Uint8Array>;
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

async function openSession(served: Servable): Promise<SessionAgent> {
  const agent: unknown = isAgent(served) ? served : await served({ client: "editor" });
  const { session } = (typeof agent === "object" && agent !== null ? agent : {}) as { readonly session?: unknown };
  if (typeof session === "function") return (session as () => SessionAgent).call(agent);
  throw invalidOption("the served function did not return an agent", "return a CodeAgent or a ToolCallingAgent");
}

function partsOf(prompt: readonly ContentBlock[]): ReturnType<typeof readPrompt> {
  try {
    return readPrompt(prompt);
  } catch (error) {
    if (error instanceof RefusedRequest) throw RequestError.invalidParams(undefined, error.message);
    throw error;
  }
}

/** Node has an interface and a class for streams. Its own streams are instances of the class. */
const readableOf = (stream: NodeJS.ReadableStream): Readable => stream as Readable;
const writableOf = (stream: NodeJS.WritableStream): Writable => stream as Writable;

/**
 * Reads what a person wrote in the editor.
 *
 * @throws RefusedRequest for invalid base64, or an empty prompt
 */
function readPrompt(blocks: readonly ContentBlock[]): readonly TaskPart[] {
  const parts = blocks.map(readBlock);
  if (parts.some((part) => part.type !== "text" || part.text.trim() !== "")) return parts;
  throw badRequest("the prompt is empty");
}

function readBlock(block: ContentBlock): TaskPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return { type: block.type, source: { bytes: bytes(block.data), mediaType: block.mimeType } };
    case "resource_link":
      return { type: "text", text: `\n[${block.name}](${block.uri})\n` };
    case "resource": {
      const { resource } = block;
      if ("text" in resource)
        return { type: "text", text: `\n<file path="${resource.uri}">\n${resource.text}\n</file>\n` };
      const mediaType = resource.mimeType ?? "application/octet-stream";
      return { type: "file", source: { bytes: bytes(resource.blob), mediaType }, name: resource.uri.slice(0, 200) };
    }
    default:
      return block satisfies never;
  }
}

function bytes(data: string): Uint8Array {
  const decoded = fromBase64(data);
  if (decoded && decoded.length > 0) return decoded;
  throw badRequest("the data of a part of the prompt is not base64");
}
