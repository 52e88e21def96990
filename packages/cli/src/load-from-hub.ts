// Tools and agents of the Hugging Face Hub: `--tools user/space`, `--agent user/name`. The package
// that speaks to the Hub is the user's own.

import { join } from "node:path";
import type { MultiStepAgent } from "@smolts/core";
import { AgentError, type Model, type Tool, visible } from "@smolts/protocol";
import { isFileReference } from "./file-reference.ts";
import { importPackage } from "./import-package.ts";
import type { McpSurroundings } from "./load-mcp.ts";

/** How tools of the Hub are loaded. */
export interface HubTools {
  /** Whether their code is imported. */
  readonly trustCode: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
}

/** How an agent of the Hub is loaded. */
export interface HubAgentOptions {
  /** Whether its code is imported, its MCP servers are started, and addresses in it are used. */
  readonly trustCode: boolean;
  /** In place of the saved one. */
  readonly model?: Model;
}

/** An agent of the Hub, to be disposed when its run is over. */
export interface LoadedHubAgent extends AsyncDisposable {
  readonly agent: MultiStepAgent;
  /** Names the parts of the repository that the agent does not have. */
  readonly leftOut: readonly string[];
}

/** The part of `@smolts/hub` that the command uses. */
interface HubPackage {
  loadTool(repo: string, options: object): Promise<Tool>;
  load(repo: string, options: object): Promise<LoadedHubAgent>;
}

/** Remembers what was trusted, where the command runs. */
const lockFile = "smolts-hub.lock.json";

/**
 * Whether a name on the command line is a repository, such as `ada/weather` or `ada/weather@v1`.
 * One such as `src/agent.ts` is a path without its `./`.
 */
export const isHubReference = (given: string): boolean =>
  !isFileReference(given) && /^[\w.-]+\/[\w.-]+(?:@[\w.-]+)?$/.test(given) && !/\.[cm]?[jt]s$/.test(given);

/**
 * Loads a tool of the Hub, and holds it against the lock file of the folder.
 *
 * @throws AgentError `invalid-option` without `--trust-code`, with what the repository holds; or
 *   when it is not what the lock file says
 */
export async function loadHubTool(given: string, directory: string, hub: HubTools): Promise<Tool> {
  const { loadTool } = await importHub(directory);
  const { repo, options } = placeOf(given, directory, hub);
  return await loadTool(repo, options).catch((error: unknown) => {
    throw inFlags(error, "--tools");
  });
}

/**
 * Loads an agent of the Hub, and holds it against the lock file of the folder when its code is
 * trusted. Says what the agent does not have.
 *
 * @throws AgentError `invalid-option` for an agent that needs `--trust-code`, with what the
 *   repository holds; or when it is not what the lock file says
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
      return await (mcpTools as (servers: readonly object[]) => Promise<AsyncDisposable>)(servers); // by its name
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
  (await importPackage("@smolts/hub", directory)) as unknown as HubPackage; // the package of that name

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

/** An error of the package, with flags for its options. */
function inFlags(error: unknown, flag: string): unknown {
  if (!AgentError.is(error)) return error;
  const needsTrust = /\btrust(?:Code|Addresses): true\b/.test(error.hint ?? "");
  const hint = needsTrust
    ? `read it, then add --trust-code\n${String(error.details ?? "")}`.trimEnd()
    : error.hint?.replace(/give load\(\{ model \}\) one(?: of yours)?/, "add --model preset:model-id");
  return new AgentError("invalid-option", `${flag}: ${error.message}`, { cause: error, hint });
}
