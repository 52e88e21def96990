// A request as the call options of a specification. The three agree but for files, which v4 tells by kind.

import type { ModelRequest, ReadBlob, ToolDeclaration } from "@smolts/protocol";
import type { Specification } from "./ai-sdk-model.ts";
import type { AiSdkOptions } from "./from-ai-sdk-model.ts";
import { toPrompt } from "./prompt.ts";

/** The options of one call, without its signal. */
export async function callOptions(
  { messages, tools = [], toolChoice, stop = [], responseFormat, ...request }: ModelRequest,
  specification: Specification,
  { defaults = {}, providerOptions }: Pick<AiSdkOptions, "defaults" | "providerOptions">,
  readBlob: ReadBlob,
): Promise<object> {
  const { temperature = defaults.temperature, maxOutputTokens = defaults.maxOutputTokens } = request;
  return {
    prompt: await toPrompt(messages, specification, readBlob),
    ...(tools.length === 0 ? {} : { tools: tools.map(functionTool), toolChoice: choiceOf(toolChoice) }),
    ...(stop.length === 0 ? {} : { stopSequences: [...stop] }),
    ...(responseFormat && { responseFormat: { type: "json", ...responseFormat } }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(providerOptions && { providerOptions }),
  };
}

function functionTool({ name, description, inputSchema }: ToolDeclaration): object {
  return { type: "function", name, description, inputSchema };
}

function choiceOf(choice: ModelRequest["toolChoice"] = "auto"): object {
  return typeof choice === "object" ? { type: "tool", toolName: choice.name } : { type: choice };
}
