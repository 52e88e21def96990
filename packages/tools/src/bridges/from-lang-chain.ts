import { convertToOpenAIFunction } from "@langchain/core/utils/function_calling";
import { AgentError, type JsonSchema, type OptionTable, readOptions, type Tool, wrongArgument } from "@smolts/protocol";
import { checkEffects, type EffectsByTool, effectsOf } from "../foreign-tool.ts";
import type { InputForm } from "../input/input-form.ts";
import { isSchemaObject, mapSchema } from "../input/walk-schema.ts";
import { tool } from "../tool.ts";
import { type ToolCollection, toolCollection } from "../tool-collection.ts";
import { toToolName } from "../tool-name.ts";

/** A tool of LangChain: what its `tool()` gives, or an instance of one of its classes. */
export interface LangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  // LangChain's own type of it has overloads and generics that nothing but itself can fulfil.
  invoke(input: never, config?: never): Promise<unknown>;
}

/** Options of {@link fromLangChain}. */
export interface FromLangChainOptions {
  /** What calls do to the world, by tool. @defaultValue "once" for each */
  readonly effects?: EffectsByTool;
}

/**
 * Takes tools that were written for LangChain. A name that code cannot call is changed into one:
 * `tavily-search` is `tavilySearch`.
 *
 * They validate their input by themselves once more. Of a tool that gives content and an artifact,
 * the content is the result.
 *
 * @throws AgentError `invalid-option` for a tool whose schema has no JSON Schema, and for what
 *   `tool()` refuses
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
  const made = [...tools].map((given) => toTool(given, effects));
  checkEffects(
    effects,
    made.map(({ name }) => name),
    "fromLangChain",
  );
  return toolCollection(made);
}

const fromLangChainOptions: OptionTable<FromLangChainOptions> = { effects: "object" };

function toTool(given: LangChainTool, effects: EffectsByTool): Tool {
  const name = toToolName(given.name);
  return tool({
    name,
    description: given.description,
    input: parametersOf(given) as InputForm, // its type is "object"
    effects: effectsOf(name, effects) ?? "once",
    // It takes what its own schema describes, and the part of LangChain's configuration that stops
    // it.
    execute: async (input, { signal }) => plain(await given.invoke(input as never, { signal } as never)),
  });
}

function parametersOf(given: LangChainTool): JsonSchema {
  try {
    // It reads these fields alone, whatever else the type asks for.
    const { parameters } = convertToOpenAIFunction(given as Parameters<typeof convertToOpenAIFunction>[0]);
    return { type: "object", ...withoutRequiredDefaults(parameters) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AgentError("invalid-option", `tool "${given.name}" of LangChain has no JSON Schema: ${reason}`, {
      cause: error,
      hint: "use types that JSON has, and convert them in the tool",
    });
  }
}

/**
 * LangChain's schema is of what a tool has got in the end: there, what has a default is always
 * there. Its caller may leave it out.
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
 * Messages and documents of LangChain are instances of its classes; what a model needs of them is
 * their content.
 */
function plain(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(plain);
  if (typeof result !== "object" || result === null || Object.getPrototypeOf(result) === Object.prototype)
    return result;
  if ("pageContent" in result) return { pageContent: result.pageContent, metadata: Reflect.get(result, "metadata") };
  return "content" in result ? result.content : result;
}
