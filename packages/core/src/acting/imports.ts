// The modules that an agent's code may import. They belong to the agent or to its executor.
// Functions of host modules are called and recorded in the same way as tools, so that a resumed run
// reads their results from the log.

import { checkModules, declareImports } from "@smolts/interpreter";
import {
  type AgentError,
  type ExecutorFactory,
  type HostFunction,
  type ImportableModules,
  invalidOption,
  type Modules,
  type Tool,
  type ToolEffects,
} from "@smolts/protocol";
import { languageOf } from "../languages/languages.ts";

/** The modules of an agent. */
export interface AgentImports {
  /** The modules in the form that a sandbox gets. */
  readonly declared: ImportableModules;
  /** The names of the modules that the model is shown. */
  readonly shown: readonly string[];
  /** The functions of host modules by name, in the form `module.function`. */
  readonly functions: ReadonlyMap<string, Tool>;
}

/**
 * Collects the modules that the code of an agent may import.
 *
 * @throws AgentError `invalid-option` when an authorised import does not match any module, or the
 * executor does not support modules
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

/**
 * Returns the module names for the model. Patterns of authorised imports are shown as they are; `*`
 * is replaced by the names of all modules.
 */
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
 * Wraps a host function as a tool. The input of the tool is the list of arguments, which only the
 * function itself checks.
 */
const toolOf = (name: string, run: HostFunction, effects: ToolEffects): Tool => ({
  name,
  description: "",
  inputSchema: { type: "array" },
  effects,
  parseInput: (input) => input,
  execute: (input) => run(...(input as never[])), // the input is the list of arguments
});

const noModules = (language: string): AgentError =>
  invalidOption(
    `modules cannot be passed to an executor for ${language}, which imports only what is installed in it`,
    "leave modules out, and name what may be imported in additionalAuthorizedImports",
  );
