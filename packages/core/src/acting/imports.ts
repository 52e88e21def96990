// The modules that an agent's code may import. Modules come with the agent or with its executor;
// the functions of host modules are called through the one door like tools, so that a resumed run
// is served from its record.

import { checkModules, declareImports } from "@smolts/interpreter";
import {
  AgentError,
  type ExecutorFactory,
  type HostFunction,
  type ImportableModules,
  type Modules,
  type Tool,
  type ToolEffects,
} from "@smolts/protocol";
import { languageOf } from "../languages/languages.ts";

/** The modules of an agent. */
export interface AgentImports {
  /** As a sandbox receives them. */
  readonly declared: ImportableModules;
  /** As the model sees them. */
  readonly shown: readonly string[];
  /** Functions of host modules as `module.function`. */
  readonly functions: ReadonlyMap<string, Tool>;
}

/**
 * Puts together what the code of an agent may import.
 *
 * @throws AgentError `invalid-option` when an authorised import is none of the modules, or the
 *   executor takes no modules
 */
export function importsOf(
  executor: ExecutorFactory,
  given: Modules = {},
  authorizedImports: readonly string[] | undefined = executor.authorizedImports,
): AgentImports | null {
  const modules = { ...executor.modules, ...given };
  const { name, importableModules } = languageOf(executor.language);
  if (importableModules) {
    if (Object.keys(modules).length > 0) throw noModules(name);
    const { rules, shown } = importableModules(authorizedImports ?? []);
    return { declared: { modules: [], authorizedImports: rules }, shown, functions: new Map() };
  }
  checkModules(modules, authorizedImports);
  if (Object.keys(modules).length === 0) return null;
  const declared = declareImports(modules, authorizedImports);
  return {
    declared,
    shown: shownModules(modules, authorizedImports),
    functions: new Map(Object.entries(modules).flatMap(functionsOf)),
  };
}

/** Patterns stand for themselves, and `*` for every module. */
function shownModules(modules: Modules, authorized?: readonly string[]): string[] {
  const names = authorized && !authorized.includes("*") ? authorized : Object.keys(modules);
  return names.toSorted().map((name) => {
    const module = modules[name];
    return module?.type === "host-module" ? `"${name}" (await its ${functionNames(module.functions)})` : `"${name}"`;
  });
}

const functionNames = (functions: { readonly [name: string]: HostFunction }): string =>
  Object.keys(functions)
    .map((name) => `${name}()`)
    .join(", ");

function functionsOf([name, module]: [string, Modules[string]]): (readonly [string, Tool])[] {
  if (module.type !== "host-module") return [];
  return Object.entries(module.functions).map(([key, run]) => {
    const tool = toolOf(`${name}.${key}`, run, module.effects);
    return [tool.name, tool];
  });
}

/**
 * A function takes the list of its arguments as they are: what it makes of them is its own affair.
 */
const toolOf = (name: string, run: HostFunction, effects: ToolEffects): Tool => ({
  name,
  description: "",
  inputSchema: { type: "array" },
  effects,
  parseInput: (input) => input,
  execute: (input) => run(...(input as never[])), // the list of arguments
});

const noModules = (language: string): AgentError =>
  new AgentError(
    "invalid-option",
    `modules cannot be given to an executor of ${language}, which imports what is installed in it`,
    {
      hint: "leave modules out, and name what may be imported in additionalAuthorizedImports",
    },
  );
