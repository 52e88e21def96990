import { AgentError, type JsonSchema, nearestName } from "@smolts/protocol";
import { describeSchema } from "./describe-schema.ts";
import { previewValue } from "./preview-value.ts";
import { valueAt } from "./schema-issues.ts";
import type { SchemaIssue } from "./standard-schema.ts";
import { isSchemaObject } from "./walk-schema.ts";

/** The most problems in one error. A model does not correct more than that at once. */
const maxIssues = 12;

/** A wrong input of a tool, and its issues. */
export interface WrongInput {
  readonly name: string;
  readonly inputSchema: JsonSchema;
  readonly input: unknown;
  readonly issues: readonly SchemaIssue[];
  /** The library that wrote the texts of the issues. */
  readonly vendor: string;
}

/**
 * Creates the error for a wrong input. For each problem it names the argument, its value and what
 * was expected. The hint shows how to call the tool.
 */
export function toolInputError({ name, inputSchema, input, issues, vendor }: WrongInput): AgentError {
  const problems = issues.slice(0, maxIssues).map((issue) => {
    const path = issue.path?.map((part) => (typeof part === "object" ? part.key : part)) ?? [];
    const message = vendor === "smolts" ? issue.message : foreignMessage(issue.message, path, input, inputSchema);
    return { path: writtenPath(path), message };
  });
  const lines = problems.map(({ path, message }) => (path === "" ? `the input ${message}` : `"${path}" ${message}`));
  if (issues.length > maxIssues) lines.push(`and ${issues.length - maxIssues} more`);
  const listed = lines.length === 1 ? ` ${lines[0]}` : lines.map((line) => `\n- ${line}`).join("");
  return new AgentError("tool-input", `wrong input for the tool "${name}":${listed}`, {
    hint: callHint(name, inputSchema),
    details: problems,
  });
}

/** Returns a hint that shows a model how to call the tool. */
export function callHint(name: string, inputSchema: JsonSchema): string {
  const shape = describeSchema(inputSchema, inputSchema);
  return shape === "{}" ? `it takes no arguments: ${name}()` : `call it as ${name}(${shape.slice(0, 500)})`;
}

// Adds the value and a suggested name to another library's message, which has neither.
function foreignMessage(message: string, path: readonly PropertyKey[], input: unknown, schema: JsonSchema): string {
  const said = message === "" ? "is wrong" : message[0]!.toLowerCase() + message.slice(1);
  const found = valueAt(input, path);
  if (path.length === 0) return `is wrong: ${said}`;
  return found === undefined
    ? `is missing; ${said}${meantName(path, input, schema)}`
    : `is ${previewValue(found)}; ${said}`;
}

/** Suggests the argument that was probably misspelt: an unknown one similar to the missing one. */
function meantName(path: readonly PropertyKey[], input: unknown, schema: JsonSchema): string {
  const properties = schema["properties"];
  if (path.length !== 1 || !isSchemaObject(input) || !isSchemaObject(properties)) return "";
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(properties, name));
  const near = nearestName(String(path[0]), unknown);
  return near ? ` (there is an unknown "${near}"; write "${String(path[0])}")` : "";
}

/** Writes a path as in code: `filters.tags[1]`. */
function writtenPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, key) => {
    if (typeof key === "number") return `${before}[${key}]`;
    const name = String(key);
    if (before === "") return name;
    return /^[A-Za-z_$][\w$]*$/.test(name) ? `${before}.${name}` : `${before}[${JSON.stringify(name)}]`;
  }, "");
}
