// Loads tools and agents from the Hugging Face Hub: `--tools user/space`, `--agent user/name`. The
// package `@smolts/hub` is imported from the user's project.

import { join } from "node:path";
import type { MultiStepAgent } from "@smolts/core";
import { AgentError, type Model, type Tool, visible } from "@smolts/protocol";
import { isFileReference } from "./file-reference.ts";
import { importPackage } from "./import-package.ts";
import type { McpSurroundings } from "./load-mcp.ts";

/** Settings for loading tools from the Hub. */
export interface HubTools {
  /** Whether the code of the tools may be imported. */
  readonly trustCode: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
}

/** Settings for loading an agent from the Hub. */
export interface HubAgentOptions {
  /**
   * Whether to trust the repository: import its code, start its MCP servers and use its addresses.
   */
  readonly trustCode: boolean;
  /** Replaces the saved model. */
  readonly model?: Model;
}

/** An agent from the Hub. Dispose it after the run. */
export interface LoadedHubAgent extends AsyncDisposable {
  readonly agent: MultiStepAgent;
  /** Sentences that name the parts of the repository that were not loaded. */
  readonly leftOut: readonly string[];
}

/** The part of `@smolts/hub` that the command uses. */
interface HubPackage {
  loadTool(repo: string, options: object): Promise<Tool>;
  load(repo: string, options: object): Promise<LoadedHubAgent>;
}

/**
 * The details of errors of `@smolts/hub`: which option is missing (`trust` or `model`), and a
 * description of the repository.
 */
interface HubErrorDetails {
  readonly missing?: string;
  readonly contents?: string;
}

/** The lock file with the repositories that the user trusts. It is in the current folder. */
const lockFile = "smolts-hub.lock.json";

/**
 * Says whether a name on the command line is a repository, such as `ada/weather` or
 * `ada/weather@v1`. A name such as `src/agent.ts` is a path without `./`, and not a repository.
 */
export const isHubReference = (given: string): boolean =>
  !isFileReference(given) && /^[\w.-]+\/[\w.-]+(?:@[\w.-]+)?$/.test(given) && !/\.[cm]?[jt]s$/.test(given);

/**
 * Loads a tool from the Hub, and compares it with the lock file in the folder.
 *
 * @throws AgentError `invalid-option` if `--trust-code` is missing (the error describes the
 *   repository), or if the repository differs from the lock file
 */
export async function loadHubTool(given: string, directory: string, hub: HubTools): Promise<Tool> {
  const { loadTool } = await importHub(directory);
  const { repo, options } = placeOf(given, directory, hub);
  return await loadTool(repo, options).catch((error: unknown) => {
    throw inFlags(error, "--tools");
  });
}

/**
 * Loads an agent from the Hub, and prints which parts of it were left out. If its code is trusted,
 * compares it with the lock file in the folder.
 *
 * @throws AgentError `invalid-option` if the agent needs `--trust-code` (the error describes the
 *   repository), or if the repository differs from the lock file
 */
export async function loadHubAgent(
  given: string,
  { trustCode, model }: HubAgentOptions,
  { directory, environment, errorOutput, interruption }: McpSurroundings,
): Promise<LoadedHubAgent> {
  const { load } = await importHub(directory);
  const { repo, options } = placeOf(given, directory, { trustCode, environment });
  const loaded = await load(repo, {
    ...options,
    ...(model && { model }),
    ...(interruption && { signal: interruption.signal }),
    mcpTools: async (servers: readonly object[]) => {
      const { mcpTools } = await importPackage("@smolts/mcp", directory);
      // The cast is safe: the package exports this function.
      return await (mcpTools as (servers: readonly object[]) => Promise<AsyncDisposable>)(servers);
    },
  }).catch((error: unknown) => {
    throw inFlags(error, "--agent");
  });
  for (const line of loaded.leftOut) {
    const text = line.replace("{ trustCode: true, mcpTools }", "--trust-code");
    errorOutput?.write(`smolts: ${visible(repo)} left out: ${visible(text)}\n`);
  }
  return loaded;
}

const importHub = async (directory: string): Promise<HubPackage> =>
  // The cast is safe: the package exports these functions.
  (await importPackage("@smolts/hub", directory)) as unknown as HubPackage;

function placeOf(
  given: string,
  directory: string,
  { trustCode, environment }: HubTools,
): { readonly repo: string; readonly options: object } {
  const [repo = given, revision] = given.split("@");
  const { HF_TOKEN: token, HF_ENDPOINT: hubUrl } = environment;
  const options = {
    trustCode,
    folder: join(directory, ".smolts/hub"),
    ...(revision === undefined ? {} : { revision }),
    ...(token ? { token } : {}),
    ...(hubUrl ? { hubUrl } : {}),
    ...(trustCode ? { lock: join(directory, lockFile) } : {}),
  };
  return { repo, options };
}

/** Replaces option names in an error of the package by flags of the command. */
function inFlags(error: unknown, flag: string): unknown {
  if (!AgentError.is(error)) return error;
  return new AgentError("invalid-option", `${flag}: ${error.message}`, { cause: error, hint: hintOf(error) });
}

function hintOf({ hint, details }: AgentError): string | undefined {
  // The cast is safe: the errors of the package have these details, and all other errors lack these
  // fields.
  const { missing, contents = "" } = (details ?? {}) as HubErrorDetails;
  if (missing === "trust") return `read it, then add --trust-code\n${contents}`.trimEnd();
  return missing === "model" ? "add --model preset:model-id" : hint;
}
