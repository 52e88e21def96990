// Agents in folders, with what only the door knows: presets of models, and the toolbox.

import { createLoad, type LoadOptions } from "@smolts/core/save";
import { resolveModel } from "@smolts/models";
import { toolbox } from "@smolts/tools/toolbox";
import { CodeAgent, ToolCallingAgent } from "./agents.ts";

export { type LoadOptions, save } from "@smolts/core/save";

/**
 * Makes the agent that a folder holds, as `save` wrote it there.
 *
 * Its models are found by their presets, which read their keys from the environment; its tools in
 * the toolbox. Modules that the folder names are imported, and addresses in it used, only with
 * `trustCode: true`. Every option of an agent may be given, too, and goes before the saved one.
 *
 * @throws AgentError `invalid-option`: no saved agent, a tool or model that cannot be found,
 *   something that needs `trustCode`
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
