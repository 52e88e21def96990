// Reads a message of A2A, in both versions of the protocol, and converts it to a task for the
// agent.

import { fromBase64, isRecord } from "@smolts/protocol";
import { isEmpty } from "../openai/chat-request.ts";
import type { Fields } from "../openai/content-parts.ts";
import { badRequest, unsupported } from "../refused-request.ts";
import type { TaskPart } from "../served-agent.ts";

/** The parts of a message that the server uses. */
export interface ReadMessage {
  readonly content: readonly TaskPart[];
  /** The id of the conversation that the message continues; undefined for a new one. */
  readonly contextId: string | undefined;
  /** The id of the task that the message belongs to; undefined for a new one. */
  readonly taskId: string | undefined;
  /**
   * Whether to answer immediately with the task's current state, instead of waiting for its end.
   */
  readonly isImmediate: boolean;
}

/** Reads the parameters of a message. @throws RefusedRequest that names the wrong field */
export function readMessage(params: Fields): ReadMessage {
  const { message, configuration } = params;
  if (!isRecord(message)) throw badRequest("params.message is missing");
  const { parts, contextId, taskId } = message;
  if (!Array.isArray(parts) || parts.length === 0) throw badRequest("params.message.parts is empty");
  const { blocking, returnImmediately } = isRecord(configuration) ? configuration : {};
  const content = parts.map((part: unknown, index) => readPart(part, `params.message.parts[${index}]`));
  if (isEmpty(content)) throw badRequest("the text of params.message.parts is empty");
  return {
    content,
    contextId: optionalId(contextId, "contextId"),
    taskId: optionalId(taskId, "taskId"),
    isImmediate: returnImmediately === true || blocking === false,
  };
}

function readPart(part: unknown, where: string): TaskPart {
  if (!isRecord(part)) throw badRequest(`${where} is not an object`);
  const { text, data, file } = part;
  if (typeof text === "string") return { type: "text", text };
  if (data !== undefined) return { type: "text", text: JSON.stringify(data) };
  const given = isRecord(file) ? { ...file, raw: file["bytes"], url: file["uri"], mediaType: file["mimeType"] } : part;
  return readMedia(given, where);
}

/** Accepts only web addresses and bytes. A path would name a file of this machine. */
function readMedia({ raw, url, mediaType, filename, name }: Fields, where: string): TaskPart {
  const kind = typeof mediaType === "string" ? mediaType.toLowerCase() : "application/octet-stream";
  const [family = ""] = kind.split("/");
  const type = family === "image" || family === "audio" ? family : "file";
  const called = filename ?? name;
  const named = typeof called === "string" && called !== "" ? { name: called.slice(0, 200) } : {};
  if (typeof url === "string" && /^https?:\/\//i.test(url) && URL.canParse(url))
    return { type, source: { url }, ...named };
  const bytes = typeof raw === "string" ? fromBase64(raw) : null;
  if (bytes && bytes.length > 0) return { type, source: { bytes, mediaType: kind }, ...named };
  throw unsupported(`${where} is neither text, data, bytes in base64 nor an https: address`);
}

function optionalId(given: unknown, name: string): string | undefined {
  if (given === undefined || given === null || given === "") return undefined;
  if (typeof given === "string" && given.length <= 200) return given;
  throw badRequest(`params.message.${name} is not an id`);
}
