// Loads a folder that Python smolagents saved. It loads a tool only if smolts has the same tool.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { LoadOptions } from "@smolts/core/save";
import { resolveModel } from "@smolts/models";
import { AgentError, invalidOption, isRecord, type Model, type Tool } from "@smolts/protocol";
import { toolbox } from "@smolts/tools/toolbox";
import type { HubErrorDetails } from "./hub-error-details.ts";
import { type MadeAgent, withoutTrust } from "./tiny-agent.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Maps the names of smolagents tools to the names of the equivalent tools of smolts. */
const knownTools: { readonly [name: string]: string } = {
  web_search: "@smolts/tools/web-search#webSearch",
  visit_webpage: "@smolts/tools/visit-webpage#visitWebpage",
  wikipedia_search: "@smolts/tools/wikipedia-search#wikipediaSearch",
  user_input: "@smolts/tools/user-input#userInput",
};

/** Maps model classes of smolagents to the presets that use the same servers. */
const presets: { readonly [type: string]: string } = {
  InferenceClientModel: "hf",
  HfApiModel: "hf",
  OpenAIModel: "openai",
  OpenAIServerModel: "openai",
  LiteLLMModel: "litellm",
};

/** Settings of smolagents that have no effect in smolts. */
const withoutEffect = new Set(["verbosity_level", "requirements", "stream_outputs", "grammar"]);
const convertedFields = [
  "class",
  "model",
  "tools",
  "managed_agents",
  "name",
  "description",
  "max_steps",
  "planning_interval",
];

/** The imports that smolagents allows in every code agent. */
const defaultImports = new Set([
  ...["collections", "datetime", "itertools", "math", "queue", "random", "re", "stat", "statistics", "time"],
  "unicodedata",
]);

/**
 * Creates an agent from an `agent.json` of Python smolagents. `leftOut` names the parts that could
 * not be carried over.
 *
 * @param read - returns the JSON of another file of the folder, such as
 *   `managed_agents/helper/agent.json`; undefined when there is none
 */
export async function fromSmolagents(
  definition: unknown,
  options: LoadOptions,
  read: (path: string) => unknown,
): Promise<MadeAgent> {
  const fields = fieldsOf(definition, "agent.json");
  const leftOut: string[] = [];
  const name = typeof fields["name"] === "string" ? fields["name"] : undefined;
  const agentLabel = name === undefined ? "the agent" : `the agent "${name}"`;
  const { tools: given = [], ...overrides } = options;
  const own = Array.isArray(given) ? (given as readonly Tool[]) : Object.values(given);
  const tools = [...(await toolsOf(fields, agentLabel, own, leftOut)), ...own];
  const managedAgents: MadeAgent["agent"][] = [];
  const managedOptions = options.model === undefined ? {} : { model: options.model };
  for (const { folder, managed } of managedOf(fields, read)) {
    if (managed === undefined) {
      leftOut.push(`${agentLabel}: its managed agent, since there is no "${folder}agent.json"`);
      continue;
    }
    const made = await fromSmolagents(managed, managedOptions, (path) => read(`${folder}${path}`));
    managedAgents.push(made.agent);
    leftOut.push(...made.leftOut);
  }
  for (const [field, value] of Object.entries(fields)) {
    if (convertedFields.includes(field) || withoutEffect.has(field) || isUnset(field, value)) continue;
    leftOut.push(
      `${agentLabel}: ${(Object.hasOwn(reasons, field) && reasons[field]) || `its setting "${field}" is not known here`}`,
    );
  }
  const { class: kind } = fields;
  const isCode = kind !== "ToolCallingAgent";
  if (isCode && kind !== "CodeAgent") {
    leftOut.push(`${agentLabel}: its class ${JSON.stringify(kind) ?? "is not named, so"} is taken for a CodeAgent`);
  }
  const common = {
    ...(name === undefined ? {} : { name }),
    ...(typeof fields["description"] === "string" ? { description: fields["description"] } : {}),
    ...countOf(fields, "max_steps", "maxSteps"),
    ...countOf(fields, "planning_interval", "planningInterval"),
    ...(managedAgents.length === 0 ? {} : { managedAgents }),
    ...withoutTrust(overrides),
    model: options.model ?? modelOf(fields, agentLabel, leftOut),
    tools,
  };
  return { agent: isCode ? new CodeAgent(common) : new ToolCallingAgent(common), leftOut };
}

const reasons: { readonly [field: string]: string } = {
  prompt_templates: "its prompts are for Python; those of smolts are used",
  authorized_imports: "its imports are Python modules",
  executor_type: "its executor is not saved; pass load({ executor })",
  executor_kwargs: "its executor is not saved; pass load({ executor })",
  max_print_outputs_length: "pass load({ maxPrintedLength }) for what max_print_outputs_length was",
};

/** Says whether a setting has the value that is the default in smolagents. */
function isUnset(field: string, value: unknown): boolean {
  if (value === null || (typeof value === "object" && Object.keys(value).length === 0)) return true;
  if (field === "executor_type") return value === "local";
  return field === "authorized_imports" && Array.isArray(value) && value.every((name) => defaultImports.has(name));
}

async function toolsOf(
  { tools }: Fields,
  agentLabel: string,
  own: readonly Tool[],
  leftOut: string[],
): Promise<readonly Tool[]> {
  const names = Array.isArray(tools) ? tools.map(toolName) : [];
  const found: Tool[] = [];
  for (const name of names) {
    if (name === "final_answer" || own.some((tool) => tool.name === name)) continue;
    const make = Object.hasOwn(knownTools, name) ? toolbox[knownTools[name] ?? ""] : undefined;
    if (make) found.push(await make({}));
    else leftOut.push(`${agentLabel}: the tool "${name}" is Python; write it in TypeScript and pass load({ tools })`);
  }
  return found;
}

/**
 * Returns the name of a tool. In older `agent.json` files, a tool is an object that contains the
 * name.
 */
const toolName = (given: unknown): string =>
  typeof given === "object" && given !== null && "name" in given ? String(given.name) : String(given);

interface ManagedAgent {
  /**
   * The folder that contains the managed agent's files. Empty if the manager's file contains the
   * managed agent.
   */
  readonly folder: string;
  readonly managed: unknown;
}

/**
 * Returns the managed agents. Older files contain the complete managed agents. Newer files contain
 * only names, and each managed agent has its own folder.
 */
function managedOf({ managed_agents: given }: Fields, read: (path: string) => unknown): readonly ManagedAgent[] {
  if (typeof given !== "object" || given === null) return [];
  return Object.entries(given).map(([name, managed]) => {
    if (typeof managed !== "string") return { folder: "", managed };
    const folder = `managed_agents/${name}/`;
    return { folder, managed: read(`${folder}agent.json`) };
  });
}

function modelOf({ model }: Fields, agentLabel: string, leftOut: string[]): Model {
  const { class: type, data } = fieldsOf(model, "model");
  const { model_id: id, provider, ...settings } = fieldsOf(data ?? {}, "model.data");
  const preset = typeof type === "string" && Object.hasOwn(presets, type) ? presets[type] : undefined;
  if (preset === undefined || typeof id !== "string") {
    throw new AgentError(
      "invalid-option",
      `${agentLabel} has a model of the class ${JSON.stringify(type)}, which has no counterpart`,
      {
        hint: "pass a model of your own: load({ model })",
        details: { missing: "model" } satisfies HubErrorDetails,
      },
    );
  }
  const names = Object.keys(settings).filter((name) => settings[name] !== null);
  if (names.length > 0) leftOut.push(`${agentLabel}: settings of its model: ${names.join(", ")}`);
  return resolveModel(preset === "hf" && typeof provider === "string" ? `hf:${id}:${provider}` : `${preset}:${id}`);
}

function countOf(fields: Fields, name: string, option: string): { readonly [option: string]: number } {
  const value = fields[name];
  return typeof value === "number" && Number.isInteger(value) && value >= 1 ? { [option]: value } : {};
}

function fieldsOf(value: unknown, where: string): Fields {
  if (isRecord(value)) return { ...value };
  throw invalidOption(
    `${where} is ${JSON.stringify(value)?.slice(0, 80)}; expected an object`,
    "save the agent again with agent.save(folder)",
  );
}
