// Loads agents from folders. Unlike `load` of `@smolts/core`, this `load` can create the saved
// models and the tools of the toolbox.

import { createLoad, type LoadOptions } from "@smolts/core/save";
import { resolveModel } from "@smolts/models";
import { toolbox } from "@smolts/tools/toolbox";
import { CodeAgent, ToolCallingAgent } from "./agents.ts";

export { type LoadOptions, save } from "@smolts/core/save";

/**
 * Loads the agent that `save` has written to a folder.
 *
 * The presets create its models again, and read the models' keys from the environment. Its tools
 * come from the toolbox. Modules and addresses that the folder names are used only with
 * `trustCode: true`. You can also pass any option of an agent, which replaces the saved option.
 *
 * @throws AgentError `invalid-option` if the folder contains no saved agent, if a tool or model
 *   cannot be found, or if something needs `trustCode`
 * @example
 * ```ts
 * import { CodeAgent, webSearch } from "smolts";
 * import { load, save } from "smolts/save";
 *
 * async function saveAndLoad(folder: string): Promise<CodeAgent> {
 *   await save(new CodeAgent({ model: "ollama:qwen3", tools: [webSearch({ maxResults: 5 })], maxSteps: 6 }), folder);
 *   return (await load(folder, { maxSteps: 8 })) as CodeAgent;
 * }
 * ```
 */
export const load: (folder: string, options?: LoadOptions) => Promise<CodeAgent | ToolCallingAgent> = createLoad<
  CodeAgent | ToolCallingAgent
>({
  kinds: { code: CodeAgent, "tool-calling": ToolCallingAgent },
  resolveModel,
  toolbox,
  importModule: (specifier) => import(specifier),
});

/** @internal */
export { loadCollection, loadTool, push } from "./other-names.ts";
