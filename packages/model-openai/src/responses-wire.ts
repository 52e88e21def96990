import type { ModelRequest, ToolDeclaration } from "@smolts/protocol";
import type { OpenAI } from "openai";
import type { OpenAIOptions } from "./openai-options.ts";
import { createInputWriter } from "./responses-input.ts";
import { createResponsesReader } from "./responses-reader.ts";
import type { RequestBody, Wire } from "./wire.ts";

/** The Responses interface. */
export function createResponsesWire(modelId: string, options: OpenAIOptions): Wire {
  const input = createInputWriter(options.roles);
  return {
    path: "responses",
    async body(request, readBlob) {
      const fields = { ...requestFields(modelId, request, options), ...options.extra };
      const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
      return { input: await input.write(request.messages, readBlob), ...Object.fromEntries(present) };
    },
    open: (client, body, signal) => client.responses.create(body as unknown as StreamingBody, { signal }),
    createReader: createResponsesReader,
  };
}

// The body has `stream: true`; its other fields are the server's business, not the SDK's.
type StreamingBody = Parameters<OpenAI["responses"]["create"]>[0] & { stream: true };

function requestFields(
  modelId: string,
  { tools = [], toolChoice, responseFormat, ...request }: ModelRequest,
  { defaults = {}, reasoning, store = false }: OpenAIOptions,
): RequestBody {
  const { temperature = defaults.temperature, maxOutputTokens = defaults.maxOutputTokens } = request;
  return {
    model: modelId,
    stream: true,
    store,
    // What is not stored comes along, encrypted.
    include: store ? undefined : ["reasoning.encrypted_content"],
    reasoning,
    tools: tools.length === 0 ? undefined : tools.map(toolDeclaration),
    tool_choice: tools.length === 0 ? undefined : toolChoiceOf(toolChoice),
    text: responseFormat && { format: { type: "json_schema", ...responseFormat } },
    max_output_tokens: maxOutputTokens,
    temperature,
  };
}

function toolDeclaration({ name, description, inputSchema }: ToolDeclaration): object {
  // Strict is this interface's default, and refuses every schema with an optional property.
  return { type: "function", name, description, parameters: inputSchema, strict: false };
}

function toolChoiceOf(choice: ModelRequest["toolChoice"]): unknown {
  return typeof choice === "object" ? { type: "function", name: choice.name } : choice;
}
