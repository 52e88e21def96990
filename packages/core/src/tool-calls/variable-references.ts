import { AgentError, decodeValue, type EncodedValue, encodeValue } from "@smolts/protocol";

/** A run's variables by name, in the codec's bytes. */
export type Variables = { readonly [name: string]: EncodedValue };

/**
 * The arguments of a JSON call with each `{ "$var": name }` replaced by that variable of the run. A plain text is never replaced: what a web page
 * makes a model write must not become a value that the page knows only by name.
 *
 * @throws AgentError `tool-input` when there is no such variable
 */
export function withVariables(args: readonly EncodedValue[], variables: Variables): readonly EncodedValue[] {
  if (!JSON.stringify(args).includes("$var")) return args;
  return args.map((arg) => encodeValue(resolved(decodeValue(arg), variables)));
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
