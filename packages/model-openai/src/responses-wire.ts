import {
  concessions,
  formatOf,
  hasMedia,
  presentFieldNames,
  strictSchema,
  withoutRefused,
} from "@smolts/models/adapting";
import type { ModelRequest, ToolDeclaration } from "@smolts/protocol";
import type { OpenAI } from "openai";
import type { OpenAIOptions } from "./openai-options.ts";
import { createInputWriter, type InputWriter } from "./responses-input.ts";
import { createResponsesReader } from "./responses-reader.ts";
import type { RequestBody, Wire } from "./wire.ts";

/** Creates the wire format of the Responses API. */
export function createResponsesWire(modelId: string, options: OpenAIOptions): Wire {
  // If the server refuses the system role or media, all messages are written without them. So there
  // is one writer for each combination of these refusals.
  const writers = new Map<string, InputWriter>();
  const writerFor = (refused: ReadonlySet<string>): InputWriter => {
    const asUser = refused.has(concessions.noSystemRole);
    const asText = refused.has(concessions.noMedia);
    const writer =
      writers.get(`${asUser} ${asText}`) ??
      createInputWriter({ ...options.roles, ...(asUser ? { system: "user" } : {}) }, asText);
    writers.set(`${asUser} ${asText}`, writer);
    return writer;
  };
  return {
    path: "responses",
    async body(request, refused, readBlob) {
      const fields = {
        ...requestFields(modelId, request, options, refused),
        ...withoutRefused(optionalFields(request, options, refused), refused),
        ...withoutRefused(options.extra ?? {}, refused),
      };
      const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
      return { input: await writerFor(refused).write(request.messages, readBlob), ...Object.fromEntries(present) };
    },
    fields(request, refused) {
      const { extra = {} } = options;
      const own = Object.entries(withoutRefused(optionalFields(request, options, refused), refused));
      return [
        ...presentFieldNames([
          ...own.filter(([name]) => !(name in extra)),
          ...Object.entries(withoutRefused(extra, refused)),
        ]),
        ...concessionsFor(request, options).filter((name) => !refused.has(name)),
      ];
    },
    open: (client, body, signal) => client.responses.create(body as unknown as StreamingBody, { signal }),
    createReader: createResponsesReader,
  };
}

// The type of a body with `stream: true`, for which the SDK returns a stream of events.
type StreamingBody = Parameters<OpenAI["responses"]["create"]>[0] & { stream: true };

function requestFields(
  modelId: string,
  { tools = [] }: ModelRequest,
  { store = false }: OpenAIOptions,
  refused: ReadonlySet<string>,
): RequestBody {
  const isStrict = !refused.has(concessions.notStrict);
  return {
    model: modelId,
    stream: true,
    store,
    tools: tools.length === 0 ? undefined : tools.map((tool) => toolDeclaration(tool, isStrict)),
  };
}

/** Returns the fields that a model may refuse. */
function optionalFields(
  { tools = [], toolChoice, responseFormat, ...request }: ModelRequest,
  { defaults = {}, reasoning, store = false }: OpenAIOptions,
  refused: ReadonlySet<string>,
): RequestBody {
  const { temperature = defaults.temperature, maxOutputTokens = defaults.maxOutputTokens } = request;
  const isStrict = !refused.has(concessions.notStrict);
  return {
    // If the reasoning is not stored at OpenAI, it must be sent to us encrypted.
    include: store ? undefined : ["reasoning.encrypted_content"],
    reasoning: reasoning && { ...reasoning },
    tool_choice: tools.length === 0 ? undefined : toolChoiceOf(toolChoice, refused),
    text: responseFormat && { format: { type: "json_schema", ...formatOf(responseFormat, isStrict) } },
    max_output_tokens: maxOutputTokens,
    temperature,
  };
}

function concessionsFor(
  { messages, tools = [], toolChoice, responseFormat }: ModelRequest,
  { roles = {}, extra = {} }: OpenAIOptions,
): readonly string[] {
  const isForced = tools.length > 0 && toolChoice !== undefined && toolChoice !== "auto" && toolChoice !== "none";
  const schemas = [...tools.map(({ inputSchema }) => inputSchema), ...(responseFormat ? [responseFormat.schema] : [])];
  const possible: readonly (readonly [name: string, isPossible: boolean])[] = [
    [concessions.freeToolChoice, isForced && !("tool_choice" in extra)],
    [concessions.notStrict, schemas.some((schema) => strictSchema(schema) !== null)],
    [concessions.noSystemRole, roles.system === undefined && messages.some(({ role }) => role === "system")],
    [concessions.noMedia, messages.some(hasMedia)],
  ];
  return possible.filter(([, isPossible]) => isPossible).map(([name]) => name);
}

function toolDeclaration({ name, description, inputSchema }: ToolDeclaration, isStrict: boolean): object {
  const strict = isStrict ? strictSchema(inputSchema) : null;
  // Always send `strict`: this API's default is true, which refuses every schema with an optional
  // property.
  return { type: "function", name, description, parameters: strict ?? inputSchema, strict: strict !== null };
}

function toolChoiceOf(choice: ModelRequest["toolChoice"], refused: ReadonlySet<string>): unknown {
  const isForced = choice !== undefined && choice !== "auto" && choice !== "none";
  if (isForced && refused.has(concessions.freeToolChoice)) return "auto";
  return typeof choice === "object" ? { type: "function", name: choice.name } : choice;
}
