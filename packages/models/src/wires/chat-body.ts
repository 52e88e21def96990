import type { ModelRequest, ReadBlob, ToolDeclaration } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import type { MessageWriter } from "./chat-messages.ts";

/** What of a model's settings goes into its request bodies. */
export interface BodySettings extends Pick<AdapterOptions, "defaults" | "extra"> {
  readonly modelId: string;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  readonly messages: MessageWriter;
}

/** Nothing was refused yet. */
const nothing: ReadonlySet<string> = new Set();

/**
 * The JSON text of a request: the fields, and the messages' kept texts as they are.
 *
 * @param refused - fields that the server does not take
 */
export async function requestBody(
  request: ModelRequest,
  settings: BodySettings,
  readBlob: ReadBlob,
  refused: ReadonlySet<string> = nothing,
): Promise<string> {
  const messages = await settings.messages.write(request.messages, readBlob);
  const fields = Object.entries({ ...requestFields(request, settings, refused), ...settings.extra }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return `{"messages":[${messages}],${JSON.stringify(Object.fromEntries(fields)).slice(1)}`;
}

/** The fields of this request's body that are ours to leave out: those that a model may refuse, and that `extra` does not set. */
export function dispensableFields(
  request: ModelRequest,
  settings: BodySettings,
  refused: ReadonlySet<string>,
): readonly string[] {
  const { extra = {} } = settings;
  return Object.entries(optionalFields(request, settings, refused))
    .filter(([name, value]) => value !== undefined && !(name in extra))
    .map(([name]) => name);
}

function requestFields(request: ModelRequest, settings: BodySettings, refused: ReadonlySet<string>): object {
  const { tools = [] } = request;
  return {
    model: settings.modelId,
    stream: true,
    tools: tools.length === 0 ? undefined : toolDeclarations(tools),
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
    tool_choice: tools.length === 0 ? undefined : toolChoiceOf(toolChoice),
    stop: stop.length === 0 ? undefined : stop,
    response_format: responseFormat && { type: "json_schema", json_schema: responseFormat },
    [maxTokensName(maxTokensField, refused)]: maxOutputTokens,
    temperature,
  };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !refused.has(name)));
}

/** A server that refuses one name of the limit mostly knows the other. */
function maxTokensName(usual: BodySettings["maxTokensField"], refused: ReadonlySet<string>): string {
  if (!refused.has(usual)) return usual;
  return usual === "max_tokens" ? "max_completion_tokens" : "max_tokens";
}

/** Tools as functions that the model may call. */
export function toolDeclarations(tools: readonly ToolDeclaration[]): readonly object[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
}

function toolChoiceOf(choice: ModelRequest["toolChoice"]): unknown {
  return typeof choice === "object" ? { type: "function", function: { name: choice.name } } : choice;
}
