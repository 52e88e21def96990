// Converts a request to the call options of a specification. The three specifications differ only
// in the format of files: v4 distinguishes kinds of files.

import { concessions, withoutRefused } from "@smolts/models/adapting";
import type { ModelRequest, ReadBlob, ToolDeclaration } from "@smolts/protocol";
import type { Specification } from "./ai-sdk-model.ts";
import type { AiSdkOptions } from "./from-ai-sdk-model.ts";
import { toPrompt } from "./prompt.ts";

/**
 * Returns the options of one call, without its signal.
 *
 * @param refused - the options from {@link dispensableOptions} that the server has refused
 */
export async function callOptions(
  { messages, tools = [], toolChoice, stop = [], responseFormat, ...request }: ModelRequest,
  specification: Specification,
  { defaults = {}, providerOptions }: Pick<AiSdkOptions, "defaults" | "providerOptions">,
  readBlob: ReadBlob,
  refused: ReadonlySet<string>,
): Promise<CallOptions> {
  const { temperature = defaults.temperature, maxOutputTokens = defaults.maxOutputTokens } = request;
  const known = toolChoice !== "none" && refused.has(concessions.freeToolChoice) ? "auto" : toolChoice;
  const fields: CallOptions = {
    prompt: await toPrompt(messages, specification, readBlob),
    ...(tools.length === 0 ? {} : { tools: tools.map(functionTool), toolChoice: choiceOf(known) }),
    ...(stop.length === 0 ? {} : { stopSequences: [...stop] }),
    ...(responseFormat && { responseFormat: { type: "json", ...responseFormat } }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(providerOptions && { providerOptions }),
  };
  return withoutRefused(fields, refused);
}

/** Returns the names of the options that the call can do without if the server refuses them. */
export function dispensableOptions(options: CallOptions, refused: ReadonlySet<string>): readonly string[] {
  const { type } = (options["toolChoice"] ?? {}) as { readonly type?: string }; // made above
  const isForced = type !== undefined && type !== "auto" && type !== "none";
  const names = ["toolChoice", "stopSequences", "responseFormat", "temperature"].filter((name) => name in options);
  return isForced && !refused.has(concessions.freeToolChoice) ? [concessions.freeToolChoice, ...names] : names;
}

/** The options of one call, by name. */
export type CallOptions = { readonly [option: string]: unknown };

function functionTool({ name, description, inputSchema }: ToolDeclaration): object {
  return { type: "function", name, description, inputSchema };
}

function choiceOf(choice: ModelRequest["toolChoice"] = "auto"): object {
  return typeof choice === "object" ? { type: "tool", toolName: choice.name } : { type: choice };
}
