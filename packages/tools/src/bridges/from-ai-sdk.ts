import {
  type AgentError,
  invalidOption,
  type JsonSchema,
  type JsonValue,
  type OptionTable,
  readOptions,
  type Tool,
  type ToolContext,
  thrownText,
} from "@smolts/protocol";
import { checkEffects, type EffectsByTool, effectsOf } from "../foreign-tool.ts";
import type { InputForm, OutputForm } from "../input/input-form.ts";
import { jsonSchema } from "../input/json-schema.ts";
import { isStandardSchema, type SchemaResult, type StandardJsonSchema } from "../input/standard-schema.ts";
import { isSchemaObject } from "../input/walk-schema.ts";
import { tool } from "../tool.ts";
import { type ToolCollection, toolCollection } from "../tool-collection.ts";

/** A tool of the AI SDK, as the SDK's `tool()` returns it. */
export interface AiSdkTool {
  readonly description?: unknown;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly inputExamples?: unknown;
  readonly needsApproval?: unknown;
  readonly execute?: unknown;
  readonly type?: unknown;
}

/** Options of {@link fromAiSdk}. */
export interface FromAiSdkOptions {
  /** The effects of calls, keyed by the name of the tool. @defaultValue "once" for each */
  readonly effects?: EffectsByTool;
}

/**
 * Converts tools that were written for the AI SDK. The keys of the record become the names of the
 * tools, as in the AI SDK.
 *
 * The tools validate their input themselves, and receive the call's id and abort signal. If a tool
 * yields values, the last one is its result, and the others are reported as progress.
 *
 * @throws AgentError `invalid-option` for a tool that only a provider or a browser can run, and for
 *   options that `tool()` refuses
 * @example
 * ```ts
 * import { fromAiSdk } from "@smolts/tools/from-ai-sdk";
 * import { z } from "zod";
 *
 * // As `tool()` of the AI SDK returns it.
 * const getWeather = { description: "The weather.", inputSchema: z.object({ city: z.string() }), execute: async () => "rain" };
 * const tools = fromAiSdk({ getWeather }, { effects: { getWeather: "none" } });
 * console.log(tools.tools.map(({ name, effects }) => `${name} ${effects}`).join()); // getWeather none
 * ```
 */
export function fromAiSdk(tools: Readonly<Record<string, AiSdkTool>>, options: FromAiSdkOptions = {}): ToolCollection {
  const { effects = {} } = readOptions(options, "fromAiSdk()", fromAiSdkOptions);
  checkEffects(effects, Object.keys(tools), "fromAiSdk");
  return toolCollection(Object.entries(tools).map(([name, given]) => toTool(name, given, effectsOf(name, effects))));
}

const fromAiSdkOptions: OptionTable<FromAiSdkOptions> = { effects: "object" };

function toTool(name: string, source: AiSdkTool, effects: Tool["effects"] = "once"): Tool {
  const { description, inputSchema, outputSchema, inputExamples, execute } = source;
  if (typeof execute !== "function") throw notRunnable(name, source);
  const where = `tool "${name}" of the AI SDK`;
  const examples = Array.isArray(inputExamples) ? { examples: inputExamples.map(({ input }) => input) } : {};
  return tool({
    name,
    // If there is no description or no schema, `tool()` throws a helpful error.
    description: description as string,
    input: readSchema(inputSchema, `${where}: inputSchema`) as InputForm,
    ...(outputSchema === undefined ? {} : { output: readSchema(outputSchema, `${where}: outputSchema`) as OutputForm }),
    ...examples,
    effects,
    ...approvalOf(source),
    execute: (input, context) => lastOf(execute.call(source, input, callOptions(context)), context),
  });
}

function notRunnable(name: string, { type }: AiSdkTool): AgentError {
  const who = type === "provider" ? "the provider" : "the page that shows the chat";
  return invalidOption(
    `tool "${name}" of the AI SDK has no execute, because ${who} runs it`,
    "give it an execute function, or leave it out",
  );
}

function approvalOf(source: AiSdkTool): Pick<Tool, "needsApproval"> {
  const { needsApproval } = source;
  if (typeof needsApproval !== "function") return needsApproval === true ? { needsApproval: () => true } : {};
  return {
    needsApproval: async (input, context) => Boolean(await needsApproval.call(source, input, callOptions(context))),
  };
}

/**
 * Returns the call's details in the AI SDK's format. Old and new versions of the AI SDK use
 * different names for the caller's own data, so both names are set.
 */
function callOptions({ callId, signal, metadata }: ToolContext): object {
  return { toolCallId: callId, messages: [], abortSignal: signal, experimental_context: metadata, context: metadata };
}

async function lastOf(result: unknown, { emit, signal }: ToolContext): Promise<unknown> {
  if (!isAsyncIterable(result)) return await result;
  let last: unknown;
  for await (const part of result) {
    signal.throwIfAborted();
    // The cast is safe: readers of the progress copy it as JSON, and drop it if it is not JSON.
    emit(part as JsonValue);
    last = part;
  }
  return last;
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/**
 * Reads a schema in any form that the AI SDK accepts: its own schema, a function that creates one,
 * or the schema of a library.
 */
function readSchema(source: unknown, where: string): StandardJsonSchema {
  const schema = typeof source === "function" && !isStandardSchema(source) ? source() : source;
  if (isStandardSchema(schema)) return schema;
  if (isSchemaObject(schema) && isSchemaObject(schema["jsonSchema"]) && !isPromise(schema["jsonSchema"])) {
    return withOwnValidation(jsonSchema(schema["jsonSchema"]), schema["validate"]);
  }
  throw invalidOption(
    `${where} is a schema that cannot return its JSON Schema at once`,
    "use zod 4.2 or later, or jsonSchema() with the schema itself",
  );
}

const isPromise = (value: JsonSchema): boolean => typeof value["then"] === "function";

/**
 * Adds the issues that the AI SDK's own validation finds, if the schema has such a validation. That
 * validation runs after ours.
 */
function withOwnValidation(schema: StandardJsonSchema, validate: unknown): StandardJsonSchema {
  if (typeof validate !== "function") return schema;
  const standard = schema["~standard"];
  const both = async (value: unknown): Promise<SchemaResult<unknown>> => {
    const first = await standard.validate(value);
    if (first.issues) return first;
    const { success, value: parsed, error } = await validate(value);
    return success ? { value: parsed } : { issues: [{ message: thrownText(error) }] };
  };
  return { "~standard": { ...standard, validate: both } };
}
