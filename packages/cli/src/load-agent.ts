import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CodeAgent, type MultiStepAgent, ToolCallingAgent } from "@smolts/core";
import { createLoad } from "@smolts/core/save";
import { resolveModel } from "@smolts/models";
import { invalidOption, type Model } from "@smolts/protocol";
import { toolbox } from "@smolts/tools/toolbox";
import { isAgent, loadServed } from "./load-tools.ts";

/** Settings of {@link loadAgent}. */
export interface LoadAgentOptions {
  /** The folder that relative paths start from. */
  readonly directory: string;
  /** Whether the modules that a saved agent names may be imported. */
  readonly trustCode: boolean;
  /** Replaces every model of a saved agent. */
  readonly model?: Model;
}

/**
 * Loads an agent: from a module whose default export is an agent or a function that returns one, or
 * from a folder that `save` wrote.
 *
 * Loading a module runs it, with all rights of this process.
 *
 * @throws AgentError `invalid-option` that says what was found instead of an agent
 */
export async function loadAgent(given: string, { directory, ...options }: LoadAgentOptions): Promise<MultiStepAgent> {
  const path = resolve(directory, given);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return loadSaved(path, options);
  const served = await loadServed(given, directory);
  const agent: unknown = typeof served === "function" ? await served() : served;
  if (isAgent(agent)) return agent as MultiStepAgent; // safe cast: `isAgent` has checked its shape
  throw invalidOption(
    `"${given}" does not export an agent`,
    "write export default new CodeAgent({ ... }), or a function that returns one",
  );
}

const loadSaved = /* @__PURE__ */ createLoad<MultiStepAgent>({
  kinds: { code: CodeAgent, "tool-calling": ToolCallingAgent },
  resolveModel,
  toolbox,
});
