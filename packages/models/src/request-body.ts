import type { ModelRequest, ReadBlob, ToolDeclaration } from "@smolts/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import type { MessageWriter } from "./message-wire.ts";

/** What of a model's settings goes into its request bodies. */
export interface BodySettings extends Pick<AdapterOptions, "defaults" | "extra"> {
  readonly modelId: string;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  readonly messages: MessageWriter;
}

/** The JSON text of a request: the fields, and the messages' kept texts as they are. */
export async function requestBody(request: ModelRequest, settings: BodySettings, readBlob: ReadBlob): Promise<string> {
  const messages = await settings.messages.write(request.messages, readBlob);
  const fields = Object.entries({ ...requestFields(request, settings), ...settings.extra }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return `{"messages":[${messages}],${JSON.stringify(Object.fromEntries(fields)).slice(1)}`;
}

function requestFields(request: ModelRequest, { modelId, maxTokensField, defaults = {} }: BodySettings): object {
  const { tools = [], toolChoice, stop = [], responseFormat } = request;
  const { temperature = defaults.temperature, maxOutputTokens = defaults.maxOutputTokens } = request;
  return {
    model: modelId,
    stream: true,
    stream_options: { include_usage: true },
    tools: tools.length === 0 ? undefined : tools.map(toolDeclaration),
    tool_choice: tools.length === 0 ? undefined : toolChoiceOf(toolChoice),
    stop: stop.length === 0 ? undefined : stop,
    response_format: responseFormat && { type: "json_schema", json_schema: responseFormat },
    [maxTokensField]: maxOutputTokens,
    temperature,
  };
}

function toolDeclaration({ name, description, inputSchema }: ToolDeclaration): object {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}

function toolChoiceOf(choice: ModelRequest["toolChoice"]): unknown {
  return typeof choice === "object" ? { type: "function", function: { name: choice.name } } : choice;
}
