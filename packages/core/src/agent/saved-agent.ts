// Turns an agent into plain data and back. Only data is saved. The source text of a function is not
// saved, because it might mean something else in another module. So a tool is saved as the module
// and the export that it comes from. Anything else that is not data is refused with an error that
// names it.

import {
  type AgentError,
  type ExecutorFactory,
  invalidOption,
  type JsonValue,
  type Model,
  type ModelReference,
  type Tool,
  type ToolReference,
} from "@smolts/protocol";
import { isLanguageId } from "../languages/language-titles.ts";
import { defaultLanguage } from "../languages/languages.ts";
import type { MultiStepAgent } from "../multi-step-agent.ts";
import { isAgentTool } from "../tools/agent-tool.ts";
import { finalAnswer } from "../tools/final-answer.ts";
import type { CodeAgentOptions } from "./agent-options.ts";

/** A tool of a saved agent: its name in the agent, and where to import it from. */
export interface SavedTool extends ToolReference {
  readonly name: string;
}

/**
 * An agent as plain data, without secrets. `agent.toJSON()` returns it, and the file `agent.json`
 * contains it.
 */
export interface SavedAgent {
  readonly version: 1;
  readonly type: "code" | "tool-calling";
  /**
   * The name of the model and its options. Options that may contain a secret (keys, headers) are
   * left out.
   */
  readonly model: ModelReference;
  readonly tools: readonly SavedTool[];
  readonly managedAgents: readonly SavedAgent[];
  /**
   * The language of a code agent that does not write JavaScript. To load the agent, pass an
   * executor of this language, because the executor itself is not saved.
   */
  readonly language?: ExecutorFactory["language"];
  /** All other options that are set on the agent, by name. */
  readonly options: { readonly [name: string]: JsonValue };
}

/**
 * Returns an agent as plain data.
 *
 * @throws AgentError `invalid-option` that names the tool, model or option that is not data, and
 * says what to do
 */
export function savedAgent({ type, name, options, model, tools }: MultiStepAgent): SavedAgent {
  const { executor, ...others }: Partial<CodeAgentOptions> = options;
  // The language is saved so that loading asks for an executor. Without an executor, the loaded
  // agent would write JavaScript.
  const language = executor && executor.language !== defaultLanguage.id ? executor.language : undefined;
  const {
    model: _,
    tools: __,
    metadata: _ofOneCaller,
    store: _place,
    reader: _ofThisProcess,
    managedAgents = [],
    ...rest
  } = language ? others : options;
  const set = Object.entries(rest).filter(([, value]) => value !== undefined);
  for (const [option, value] of set) mustBeData(value, option, name);
  const managedNames = new Set(managedAgents.map((managed) => managed.name));
  const own = [...tools.values()].filter(
    (tool) => tool !== finalAnswer && !(isAgentTool(tool) && managedNames.has(tool.name)),
  );
  return {
    version: 1,
    type,
    model: modelReference(model),
    tools: own.map(savedTool),
    managedAgents: managedAgents.map(savedManagedAgent),
    ...(language && { language }),
    options: Object.fromEntries(set) as SavedAgent["options"], // each value was checked above
  };
}

function modelReference({ id, reference }: Model): ModelReference {
  if (reference) return reference;
  throw invalidOption(
    `the model "${id}" cannot be saved: it has no name from which it can be created again`,
    'to save the agent, name a preset, such as "hf:Qwen/Qwen3-8B"; load() takes any other model as its option "model"',
  );
}

function savedTool({ name, reference }: Tool): SavedTool {
  if (reference) return { name, ...reference };
  throw invalidOption(
    `the tool "${name}" cannot be saved: its module is not known`,
    `export it and write tool({ ..., module: import.meta.url, export: "${name}" }); or save the agent without it and pass it to load({ tools })`,
  );
}

function savedManagedAgent(managed: { readonly name: string; toJSON?(): SavedAgent }): SavedAgent {
  if (managed.toJSON) return managed.toJSON();
  throw invalidOption(
    `the managed agent "${managed.name}" cannot be saved: it has no toJSON()`,
    "use an agent of smolts",
  );
}

function mustBeData(value: unknown, place: string, agentName: string): void {
  const found = notData(value, place);
  if (found === undefined) return;
  const [option = place] = place.split(".", 1);
  throw invalidOption(
    `"${found}" of the agent "${agentName}" cannot be saved: it is not plain data`,
    `save the agent without it, as agent.with({ ${option}: undefined }), and pass it to load({ ${option} })`,
  );
}

/**
 * Returns the place of a part that JSON cannot represent, such as `metadata.list[0]`. Undefined if
 * the value has no such part.
 */
function notData(value: unknown, place: string): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : place;
  if (typeof value !== "object") return place;
  if (Array.isArray(value)) return firstOf(value.map((item, index) => notData(item, `${place}[${index}]`)));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return place;
  return firstOf(
    Object.entries(value).map(([key, inner]) => (inner === undefined ? undefined : notData(inner, `${place}.${key}`))),
  );
}

const firstOf = (places: readonly (string | undefined)[]): string | undefined =>
  places.find((place) => place !== undefined);

/**
 * Reads a saved agent.
 *
 * @param where - the name of the input in error messages
 * @throws AgentError `invalid-option` that says which part is invalid
 */
export function parseSavedAgent(value: unknown, where: string): SavedAgent {
  if (!isDeeperThan(value, maxDepth)) return parseAgent(value, where);
  throw invalidOption(
    `${where} is nested more than ${maxDepth} levels deep`,
    "save() never writes this; check where the saved agent comes from",
  );
}

/** The deepest nesting of objects and lists that is read. Each managed agent takes two levels. */
const maxDepth = 200;

/**
 * Says whether a value is nested too deeply. It walks level by level, because recursion would fail
 * on exactly such a value.
 */
function isDeeperThan(value: unknown, depth: number): boolean {
  let level = [value];
  for (let at = 0; at <= depth; at++) {
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}

const agentKeys = ["version", "type", "model", "tools", "managedAgents", "language", "options"];

function parseAgent(value: unknown, where: string): SavedAgent {
  const {
    version,
    type,
    model,
    tools = [],
    managedAgents = [],
    language,
    options = {},
  } = record(value, where, agentKeys);
  if (version !== 1) throw unfit(`${where}: version`, version, "1; another version of smolts wrote it");
  if (type !== "code" && type !== "tool-calling") throw unfit(`${where}: type`, type, 'one of "code", "tool-calling"');
  if (language !== undefined && !isLanguageId(language)) {
    throw unfit(`${where}: language`, language, "a language that this version knows");
  }
  return {
    version,
    type,
    ...(language && { language }),
    model: parseModel(model, `${where}: model`),
    tools: list(tools, `${where}: tools`).map((tool, index) => parseTool(tool, `${where}: tools[${index}]`)),
    managedAgents: list(managedAgents, `${where}: managedAgents`).map((agent, index) =>
      parseAgent(agent, `${where}: managedAgents[${index}]`),
    ),
    // The cast is safe: the values come from JSON, and the agent checks each of them.
    options: record(options, `${where}: options`) as SavedAgent["options"],
  };
}

function parseModel(value: unknown, where: string): ModelReference {
  const { name, options } = record(value, where, ["name", "options"]);
  return {
    name: text(name, `${where}.name`),
    ...(options === undefined
      ? {}
      : { options: record(options, `${where}.options`) as NonNullable<ModelReference["options"]> }), // from JSON
  };
}

function parseTool(value: unknown, where: string): SavedTool {
  const { name, module, export: exported, options } = record(value, where, ["name", "module", "export", "options"]);
  return {
    name: text(name, `${where}.name`),
    module: text(module, `${where}.module`),
    export: text(exported, `${where}.export`),
    ...(options === undefined
      ? {}
      : { options: record(options, `${where}.options`) as NonNullable<ToolReference["options"]> }), // from JSON
  };
}

/**
 * Checks that a value is an object.
 *
 * @param keys - the keys that it may have; any keys if absent
 */
function record(value: unknown, where: string, keys?: readonly string[]): { readonly [key: string]: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw unfit(where, value, "an object");
  const unknown = Object.keys(value).find((key) => keys && !keys.includes(key));
  if (unknown === undefined) return { ...value };
  throw invalidOption(
    `${where} has the unknown key "${unknown}"; expected ${keys?.join(", ")}`,
    "options of the agent, such as maxSteps, belong in its options",
  );
}

function list(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw unfit(where, value, "a list");
}

function text(value: unknown, where: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw unfit(where, value, "a string");
}

const unfit = (where: string, value: unknown, expected: string): AgentError =>
  invalidOption(
    `${where} is ${JSON.stringify(value)?.slice(0, 100) ?? "absent"}; expected ${expected}`,
    "save the agent again with save(agent, folder)",
  );
