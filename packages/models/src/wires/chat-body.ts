import type { JsonSchema, ModelRequest, ReadBlob, ToolDeclaration } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { concessions, essential } from "../http/refused-field.ts";
import {
  createMessageWriter,
  hasMedia,
  hasResultsBeforeUser,
  type MessageSettings,
  type MessageWriter,
} from "./chat-messages.ts";
import { strictSchema } from "./strict-schema.ts";

/** The settings that are needed to write a model's request bodies. */
export interface BodySettings extends Pick<AdapterOptions, "defaults" | "extra"> {
  /** The name of the model on the server. */
  readonly modelId: string;
  /** The field that holds the limit of output tokens. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /**
   * Whether the schemas of tools may be marked as strict. A strict schema forces the model to
   * follow it.
   */
  readonly strictTools?: boolean;
  /** How messages are written for this model. */
  readonly messages: MessageSettings;
}

/** Writes the bodies of one model's requests. */
export interface BodyWriter {
  /**
   * Writes the JSON text of a request. Reuses the texts of messages that have already been written.
   *
   * @param refused - the names from {@link BodyWriter.fields} that the server does not accept
   */
  write(request: ModelRequest, refused: ReadonlySet<string>, readBlob: ReadBlob): Promise<string>;
  /**
   * Returns the names that may be passed as `refused` for this request: the fields of its body that
   * can be left out, and the `concessions` that can be made.
   */
  fields(request: ModelRequest, refused: ReadonlySet<string>): readonly string[];
}

/** Creates a {@link BodyWriter} that keeps the text of each message it has written. */
export function createBodyWriter(settings: BodySettings): BodyWriter {
  // If the server refuses something in the messages, such as the system role, all messages are
  // written in another way. So there is one writer for each set of refusals.
  const writers = new Map<string, MessageWriter>();
  const writerFor = (refused: ReadonlySet<string>): MessageWriter => {
    const key = messageConcessions.filter((name) => refused.has(name)).join();
    const writer = writers.get(key) ?? createMessageWriter(withConcessions(settings.messages, refused));
    writers.set(key, writer);
    return writer;
  };
  return {
    async write(request, refused, readBlob) {
      const messages = await writerFor(refused).write(request.messages, readBlob);
      const fields = { ...requestFields(request, settings, refused), ...withoutRefused(settings.extra ?? {}, refused) };
      const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
      return `{"messages":[${messages}],${JSON.stringify(Object.fromEntries(present)).slice(1)}`;
    },
    fields(request, refused) {
      const { extra = {} } = settings;
      const own = Object.entries(optionalFields(request, settings, refused)).filter(([name]) => !(name in extra));
      return [
        ...presentFieldNames([...own, ...Object.entries(withoutRefused(extra, refused))]),
        ...concessionsFor(request, settings, refused),
      ];
    },
  };
}

/** Returns the names of the fields that have a value and can be left out. */
export function presentFieldNames(fields: readonly (readonly [name: string, value: unknown])[]): readonly string[] {
  return fields
    .filter(([name, value]) => value !== undefined && value !== null && !essential.has(name))
    .map(([name]) => name);
}

/** Returns the fields that the server has not refused. */
export function withoutRefused<Value>(
  fields: { readonly [field: string]: Value },
  refused: ReadonlySet<string>,
): { readonly [field: string]: Value } {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !refused.has(name)));
}

const messageConcessions = [
  concessions.noSystemRole,
  concessions.noMedia,
  concessions.shortCallIds,
  concessions.turnAfterResults,
];

function withConcessions(settings: MessageSettings, refused: ReadonlySet<string>): MessageSettings {
  return {
    ...settings,
    ...(refused.has(concessions.noSystemRole) ? { roles: { ...settings.roles, system: "user" } } : {}),
    ...(refused.has(concessions.noMedia) ? { contentAsText: true, mediaNote: unseenNote } : {}),
    ...(refused.has(concessions.shortCallIds) ? { callIds: "short" } : {}),
    ...(refused.has(concessions.turnAfterResults) ? { turnAfterResults: true } : {}),
  };
}

/**
 * The note that is sent instead of an image or a sound, so that the model does not guess at content
 * that it cannot see.
 */
const unseenNote = "not shown: this model takes no such input";

function concessionsFor(
  { messages, tools = [], toolChoice, responseFormat }: ModelRequest,
  { messages: settings, strictTools = false, extra = {} }: BodySettings,
  refused: ReadonlySet<string>,
): readonly string[] {
  const isForced = tools.length > 0 && toolChoice !== undefined && toolChoice !== "auto" && toolChoice !== "none";
  const isStrict =
    (responseFormat !== undefined && strictSchema(responseFormat.schema) !== null) ||
    (strictTools && tools.some(({ inputSchema }) => strictSchema(inputSchema) !== null));
  const possible: readonly [name: string, isPossible: boolean][] = [
    [concessions.freeToolChoice, isForced && !("tool_choice" in extra)],
    [concessions.notStrict, isStrict],
    [concessions.noSystemRole, settings.roles?.system === undefined && messages.some(({ role }) => role === "system")],
    [concessions.noMedia, settings.contentAsText !== true && messages.some(hasMedia)],
    [concessions.shortCallIds, settings.callIds !== "short"],
    [concessions.turnAfterResults, settings.turnAfterResults !== true && hasResultsBeforeUser(messages)],
  ];
  return possible.filter(([name, isPossible]) => isPossible && !refused.has(name)).map(([name]) => name);
}

function requestFields(request: ModelRequest, settings: BodySettings, refused: ReadonlySet<string>): object {
  const { tools = [] } = request;
  const isStrict = settings.strictTools === true && !refused.has(concessions.notStrict);
  return {
    model: settings.modelId,
    stream: true,
    tools: tools.length === 0 ? undefined : toolDeclarations(tools, isStrict),
    ...optionalFields(request, settings, refused),
  };
}

function optionalFields(
  request: ModelRequest,
  { maxTokensField, defaults = {} }: BodySettings,
  refused: ReadonlySet<string>,
): object {
  const { tools = [], toolChoice, stop = [], responseFormat } = request;
  const { temperature = defaults.temperature, maxOutputTokens = defaults.maxOutputTokens } = request;
  const fields = {
    stream_options: { include_usage: true },
    tool_choice: tools.length === 0 ? undefined : toolChoiceOf(toolChoice, refused),
    stop: stop.length === 0 ? undefined : stop,
    response_format: responseFormat && {
      type: "json_schema",
      json_schema: formatOf(responseFormat, !refused.has(concessions.notStrict)),
    },
    [maxTokensName(maxTokensField, refused)]: maxOutputTokens,
    temperature,
  };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !refused.has(name)));
}

/**
 * Returns the name of the field for the token limit. A server that refuses one name usually accepts
 * the other.
 */
function maxTokensName(usual: BodySettings["maxTokensField"], refused: ReadonlySet<string>): string {
  if (!refused.has(usual)) return usual;
  return usual === "max_tokens" ? "max_completion_tokens" : "max_tokens";
}

/** Returns the response format. Marks it as strict if the schema can be written in strict form. */
export function formatOf(
  { name, schema }: NonNullable<ModelRequest["responseFormat"]>,
  isStrict: boolean,
): { readonly name: string; readonly schema: JsonSchema; readonly strict?: true } {
  const strict = isStrict ? strictSchema(schema) : null;
  return strict === null ? { name, schema } : { name, schema: strict, strict: true };
}

/** Returns the tools in the API's format, as functions that the model may call. */
export function toolDeclarations(tools: readonly ToolDeclaration[], isStrict = false): readonly object[] {
  return tools.map(({ name, description, inputSchema }) => {
    const strict = isStrict ? strictSchema(inputSchema) : null;
    const schema = strict === null ? { parameters: inputSchema } : { parameters: strict, strict: true };
    return { type: "function", function: { name, description, ...schema } };
  });
}

function toolChoiceOf(choice: ModelRequest["toolChoice"], refused: ReadonlySet<string>): unknown {
  if (choice === undefined || choice === "auto" || choice === "none") return choice;
  if (refused.has(concessions.freeToolChoice)) return "auto";
  return typeof choice === "object" ? { type: "function", function: { name: choice.name } } : choice;
}
