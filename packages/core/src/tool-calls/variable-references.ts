import { AgentError, decodeValue, type EncodedValue, encodeValue, isRecord, type Tool } from "@smolts/protocol";
import { finalAnswer } from "../tools/final-answer.ts";

/** Encoded variables by their name. */
export type Variables = { readonly [name: string]: EncodedValue };

/**
 * Returns the arguments of a JSON call with each `{ "$var": name }` replaced by that variable of
 * the run. A plain string that is the name of a variable is not replaced here. Otherwise a web page
 * could make the model write the name of a variable, and so get its value. The only exception is
 * {@link withMedia}.
 *
 * @throws AgentError `tool-input` when there is no such variable
 */
export function withVariables(args: readonly EncodedValue[], variablesNow: () => Variables): readonly EncodedValue[] {
  if (!JSON.stringify(args).includes("$var")) return args;
  const variables = variablesNow();
  return args.map((arg) => encodeValue(resolved(decodeValue(arg), variables)));
}

/**
 * Replaces names of media that the model wrote as plain strings, and returns the new arguments. It
 * does so in two places where only media makes sense:
 *
 * - in an argument that takes media
 * - in the final answer, if the name is the whole answer
 */
export function withMedia(
  tool: Tool,
  args: readonly EncodedValue[],
  mediaNow: () => Variables,
): readonly EncodedValue[] {
  if (!/"(?:made_)?(?:image|audio|file)\d+"/.test(JSON.stringify(args))) return args;
  const media = mediaNow();
  return args.map((arg) => {
    const value = decodeValue(arg);
    if (typeof value !== "object" || value === null) return arg;
    const fields = Object.entries(value).map(([key, item]) => {
      const bytes =
        typeof item === "string" && takesMedia(tool, key) && Object.hasOwn(media, item) ? media[item] : undefined;
      return [key, bytes === undefined ? item : decodeValue(bytes)] as const;
    });
    return encodeValue(Object.fromEntries(fields));
  });
}

function takesMedia(tool: Tool, key: string): boolean {
  if (tool === finalAnswer) return key === "answer";
  const { properties } = tool.inputSchema;
  return isRecord(properties) && isMediaSchema(properties[key]);
}

function isMediaSchema(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const { anyOf, properties } = schema;
  if (Array.isArray(anyOf)) return anyOf.some(isMediaSchema);
  const type = isRecord(properties) ? properties["type"] : undefined;
  return isRecord(type) && ["image", "audio", "file"].includes(String(type["const"]));
}

function resolved(value: unknown, variables: Variables): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, variables));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [key, name] = entries[0] ?? [];
  if (entries.length === 1 && key === "$var" && typeof name === "string") return variableOf(name, variables);
  return Object.fromEntries(entries.map(([field, item]) => [field, resolved(item, variables)]));
}

function variableOf(name: string, variables: Variables): unknown {
  const bytes = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (bytes !== undefined) return decodeValue(bytes);
  const names = Object.keys(variables);
  throw new AgentError("tool-input", `there is no variable "${name}"`, {
    hint:
      names.length === 0
        ? "this run has no variables; write the value itself"
        : `the variables are: ${names.join(", ")}`,
  });
}
