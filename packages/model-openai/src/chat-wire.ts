import {
  type BodySettings,
  type Callee,
  createAnswerReader,
  createBodyWriter,
  failedInStream,
  tellsOfFailure,
} from "@smolts/models/adapting";
import type { OpenAI } from "openai";
import type { OpenAIOptions } from "./openai-options.ts";
import type { RequestBody, Wire, WireReader } from "./wire.ts";

/** Chat Completions: the body and the reading of `@smolts/models`, sent by the SDK. */
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
    // The writer makes the text of an object.
    body: async (request, refused, readBlob) =>
      JSON.parse(await writer.write(request, refused, readBlob)) as RequestBody,
    fields: writer.fields,
    open: (client, body, signal) => client.chat.completions.create(body as unknown as StreamingBody, { signal }),
    createReader: createChatReader,
  };
}

// The body has `stream: true`; its other fields are the server's business, not the SDK's.
type StreamingBody = Parameters<OpenAI["chat"]["completions"]["create"]>[0] & { stream: true };

function createChatReader(callee: Callee): WireReader {
  const reader = createAnswerReader();
  let hasUsage = false;
  return {
    read(chunk) {
      const fields = chunk as Readonly<Record<string, unknown>>; // parsed from JSON by the SDK
      if (tellsOfFailure(fields)) throw failedInStream(callee, fields);
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
