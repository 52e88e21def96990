import { convertToOpenAIFunction } from "@langchain/core/utils/function_calling";
import {
  AgentError,
  type JsonSchema,
  type OptionTable,
  readOptions,
  type Tool,
  thrownText,
  wrongArgument,
} from "@smolts/protocol";
import { checkEffects, type EffectsByTool, effectsOf } from "../foreign-tool.ts";
import type { InputForm } from "../input/input-form.ts";
import { isSchemaObject, mapSchema } from "../input/walk-schema.ts";
import { tool } from "../tool.ts";
import { type ToolCollection, toolCollection } from "../tool-collection.ts";
import { toToolName } from "../tool-name.ts";

/**
 * A tool of LangChain: the result of LangChain's `tool()`, or an instance of one of its classes.
 */
export interface LangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  // LangChain's type of this method has overloads and generics that only LangChain can satisfy.
  invoke(input: never, config?: never): Promise<unknown>;
}

/** Options of {@link fromLangChain}. */
export interface FromLangChainOptions {
  /** The effects of calls, keyed by the name of the tool. @defaultValue "once" for each */
  readonly effects?: EffectsByTool;
}

/**
 * Converts tools that were written for LangChain. A name that is not a valid identifier is changed:
 * `tavily-search` becomes `tavilySearch`.
 *
 * The tools also validate their input themselves. If a tool returns content and an artifact, the
 * content is the result.
 *
 * @throws AgentError `invalid-option` for a tool whose schema cannot be converted to JSON Schema,
 *   and for options that `tool()` refuses
 * @example
 * ```ts
 * import { fromLangChain } from "@smolts/tools/from-lang-chain";
 * import { tool } from "@langchain/core/tools";
 * import { z } from "zod";
 *
 * const add = tool(({ left, right }) => left + right, {
 *   name: "add-numbers",
 *   description: "Adds two numbers.",
 *   schema: z.object({ left: z.number(), right: z.number() }),
 * });
 * const [addNumbers] = fromLangChain([add], { effects: { addNumbers: "none" } });
 * console.log(addNumbers?.name); // addNumbers
 * ```
 */
export function fromLangChain(tools: Iterable<LangChainTool>, options: FromLangChainOptions = {}): ToolCollection {
  const { effects = {} } = readOptions(options, "fromLangChain()", fromLangChainOptions);
  if (typeof tools?.[Symbol.iterator] !== "function" || typeof tools === "string") {
    throw wrongArgument("fromLangChain()", tools, "a list of tools", "write fromLangChain([tool])");
  }
  const made = [...tools].map((source) => toTool(source, effects));
  checkEffects(
    effects,
    made.map(({ name }) => name),
    "fromLangChain",
  );
  return toolCollection(made);
}

const fromLangChainOptions: OptionTable<FromLangChainOptions> = { effects: "object" };

function toTool(source: LangChainTool, effects: EffectsByTool): Tool {
  const name = toToolName(source.name);
  return tool({
    name,
    description: source.description,
    input: parametersOf(source) as InputForm, // the schema's type is "object"
    effects: effectsOf(name, effects) ?? "once",
    // The casts are safe: the input fits the tool's schema, and the signal alone is a valid
    // configuration of LangChain.
    execute: async (input, { signal }) => plain(await source.invoke(input as never, { signal } as never)),
  });
}

function parametersOf(source: LangChainTool): JsonSchema {
  try {
    // The cast is safe: the function reads only the fields that LangChainTool has, although the
    // function's type asks for more.
    const { parameters } = convertToOpenAIFunction(source as Parameters<typeof convertToOpenAIFunction>[0]);
    return { type: "object", ...withoutRequiredDefaults(parameters) };
  } catch (error) {
    const reason = thrownText(error);
    throw new AgentError("invalid-option", `tool "${source.name}" of LangChain has no JSON Schema: ${reason}`, {
      cause: error,
      hint: "use types that JSON has, and convert them in the tool",
    });
  }
}

/**
 * Makes arguments with a default optional. LangChain's schema describes the input after defaults
 * were filled in. So it lists these arguments as required, although the caller may leave them out.
 */
function withoutRequiredDefaults(schema: JsonSchema): JsonSchema {
  const { properties, required, ...rest } = mapSchema(schema, withoutRequiredDefaults);
  const hasDefault = (name: unknown): boolean => {
    const part = isSchemaObject(properties) && typeof name === "string" ? properties[name] : undefined;
    return isSchemaObject(part) && "default" in part;
  };
  return {
    ...rest,
    ...(properties !== undefined && { properties }),
    ...(Array.isArray(required) && { required: required.filter((name) => !hasDefault(name)) }),
  };
}

/**
 * Returns a result as plain data. Messages and documents of LangChain are instances of its classes.
 * A model needs only their content.
 */
function plain(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(plain);
  if (typeof result !== "object" || result === null || Object.getPrototypeOf(result) === Object.prototype)
    return result;
  if ("pageContent" in result) return { pageContent: result.pageContent, metadata: Reflect.get(result, "metadata") };
  return "content" in result ? result.content : result;
}
