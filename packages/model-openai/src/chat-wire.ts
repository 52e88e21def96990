import {
  type BodySettings,
  type Callee,
  createAnswerReader,
  createBodyWriter,
  reportsFailure,
  streamError,
} from "@smolts/models/adapting";
import type { OpenAI } from "openai";
import type { OpenAIOptions } from "./openai-options.ts";
import type { RequestBody, Wire, WireReader } from "./wire.ts";

/**
 * Creates the wire format of Chat Completions. `@smolts/models` writes the body and reads the
 * answer; the SDK sends the request.
 */
export function createChatWire(modelId: string, options: OpenAIOptions): Wire {
  const { defaults, extra, reasoning } = options;
  const settings: BodySettings = {
    modelId,
    maxTokensField: "max_completion_tokens",
    strictTools: true,
    messages: options,
    ...(defaults && { defaults }),
    extra: { ...(reasoning?.effort === undefined ? {} : { reasoning_effort: reasoning.effort }), ...extra },
  };
  const writer = createBodyWriter(settings);
  return {
    path: "chat/completions",
    // The cast is safe: the writer returns the text of a JSON object.
    body: async (request, refused, readBlob) =>
      JSON.parse(await writer.write(request, refused, readBlob)) as RequestBody,
    fields: writer.fields,
    open: (client, body, signal) => client.chat.completions.create(body as unknown as StreamingBody, { signal }),
    createReader: createChatReader,
  };
}

// The body has `stream: true`. The SDK does not check its other fields.
type StreamingBody = Parameters<OpenAI["chat"]["completions"]["create"]>[0] & { stream: true };

function createChatReader(callee: Callee): WireReader {
  const reader = createAnswerReader();
  let hasUsage = false;
  return {
    read(chunk) {
      const fields = chunk as Readonly<Record<string, unknown>>; // the SDK parsed it from JSON
      if (reportsFailure(fields)) throw streamError(callee, fields);
      hasUsage ||= typeof fields["usage"] === "object" && fields["usage"] !== null;
      return reader.read(fields);
    },
    get hasEnded() {
      return reader.hasEnded;
    },
    get isComplete() {
      return reader.hasEnded && hasUsage;
    },
    get flaw() {
      return reader.flaw;
    },
    end: () => reader.end(),
  };
}
