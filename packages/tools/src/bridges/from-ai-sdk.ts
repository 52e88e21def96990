import {
  AgentError,
  type JsonSchema,
  type JsonValue,
  type OptionTable,
  readOptions,
  type Tool,
  type ToolContext,
} from "@smolts/protocol";
import { checkEffects, type EffectsByTool, effectsOf } from "../foreign-tool.ts";
import type { InputForm, OutputForm } from "../input/input-form.ts";
import { jsonSchema } from "../input/json-schema.ts";
import { isStandardSchema, type SchemaResult, type StandardJsonSchema } from "../input/standard-schema.ts";
import { isSchemaObject } from "../input/walk-schema.ts";
import { tool } from "../tool.ts";
import { type ToolCollection, toolCollection } from "../tool-collection.ts";

/** A tool of the AI SDK, as its `tool()` returns it. */
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
  /** The effects of calls, by tool. @defaultValue "once" for each */
  readonly effects?: EffectsByTool;
}

/**
 * Takes tools that were written for the AI SDK, as they are; the keys of the record are their
 * names, as there.
 *
 * They validate their input by themselves, and receive the call's id and abort signal. Values that
 * a tool yields before its last are reported as progress, and what it yields last is its result.
 *
 * @throws AgentError `invalid-option` for a tool that only a provider or a browser can run, and for
 *   what `tool()` refuses
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

function toTool(name: string, given: AiSdkTool, effects: Tool["effects"] = "once"): Tool {
  const { description, inputSchema, outputSchema, inputExamples, execute } = given;
  if (typeof execute !== "function") throw notRunnable(name, given);
  const where = `tool "${name}" of the AI SDK`;
  const examples = Array.isArray(inputExamples) ? { examples: inputExamples.map(({ input }) => input) } : {};
  return tool({
    name,
    // tool() refuses one without a description or schema.
    description: description as string,
    input: readSchema(inputSchema, `${where}: inputSchema`) as InputForm,
    ...(outputSchema === undefined ? {} : { output: readSchema(outputSchema, `${where}: outputSchema`) as OutputForm }),
    ...examples,
    effects,
    ...approvalOf(given),
    execute: (input, context) => lastOf(execute.call(given, input, callOptions(context)), context),
  });
}

function notRunnable(name: string, { type }: AiSdkTool): AgentError {
  const who = type === "provider" ? "the provider" : "the page that shows the chat";
  return new AgentError("invalid-option", `tool "${name}" of the AI SDK has no execute: it is one that ${who} runs`, {
    hint: "give it an execute function, or leave it out",
  });
}

function approvalOf(given: AiSdkTool): Pick<Tool, "needsApproval"> {
  const { needsApproval } = given;
  if (typeof needsApproval !== "function") return needsApproval === true ? { needsApproval: () => true } : {};
  return {
    needsApproval: async (input, context) => Boolean(await needsApproval.call(given, input, callOptions(context))),
  };
}

/** The AI SDK's details of a call; its versions use two names for the caller's own part. */
function callOptions({ callId, signal, metadata }: ToolContext): object {
  return { toolCallId: callId, messages: [], abortSignal: signal, experimental_context: metadata, context: metadata };
}

async function lastOf(result: unknown, { emit, signal }: ToolContext): Promise<unknown> {
  if (!isAsyncIterable(result)) return await result;
  let last: unknown;
  for await (const part of result) {
    signal.throwIfAborted();
    emit(part as JsonValue); // whoever reads the progress copies it as JSON, if it is any
    last = part;
  }
  return last;
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/**
 * A schema as the AI SDK takes them: its own, made at once or at first use, or one of a library.
 */
function readSchema(given: unknown, where: string): StandardJsonSchema {
  const schema = typeof given === "function" && !isStandardSchema(given) ? given() : given;
  if (isStandardSchema(schema)) return schema;
  if (isSchemaObject(schema) && isSchemaObject(schema["jsonSchema"]) && !isPromise(schema["jsonSchema"])) {
    return withOwnValidation(jsonSchema(schema["jsonSchema"]), schema["validate"]);
  }
  throw new AgentError("invalid-option", `${where} is not a schema that says its JSON Schema at once`, {
    hint: "use zod 4.2 or later, or jsonSchema() with the schema itself",
  });
}

const isPromise = (value: JsonSchema): boolean => typeof value["then"] === "function";

/** The issues that the AI SDK's own validation finds after ours, if it has one. */
function withOwnValidation(schema: StandardJsonSchema, validate: unknown): StandardJsonSchema {
  if (typeof validate !== "function") return schema;
  const standard = schema["~standard"];
  const both = async (value: unknown): Promise<SchemaResult<unknown>> => {
    const first = await standard.validate(value);
    if (first.issues) return first;
    const { success, value: parsed, error } = await validate(value);
    return success
      ? { value: parsed }
      : { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
  };
  return { "~standard": { ...standard, validate: both } };
}
