// Tools of the Hugging Face Hub: `--tools user/space`. The package that speaks to the Hub is the user's own.

import { join } from "node:path";
import { AgentError, type Tool } from "@smolts/protocol";
import { importPackage } from "./import-package.ts";

/** How tools of the Hub are loaded. */
export interface HubTools {
  /** Whether their code is imported. */
  readonly trustCode: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
}

/** The part of `@smolts/hub` that the command uses. */
interface HubPackage {
  loadTool(repo: string, options: object): Promise<Tool>;
}

/** Remembers what was trusted, where the command runs. */
const lockFile = "smolts-hub.lock.json";

/** Whether a name on the command line is a repository, such as `ada/weather` or `ada/weather@v1`. */
export const isHubReference = (given: string): boolean => /^[\w.-]+\/[\w.-]+(?:@[\w.-]+)?$/.test(given);

/**
 * Loads a tool of the Hub, and holds it against the lock file of the folder.
 *
 * @throws AgentError `invalid-option` without `--trust-code`, with what the repository holds; or when it is not what the lock file says
 */
export async function loadHubTool(
  given: string,
  directory: string,
  { trustCode, environment }: HubTools,
): Promise<Tool> {
  const { loadTool } = (await importPackage("@smolts/hub", directory)) as unknown as HubPackage; // the package of that name
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
  try {
    return await loadTool(repo, options);
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    const hint = trustCode ? error.hint : `read it, then add --trust-code\n${String(error.details ?? "")}`;
    throw new AgentError("invalid-option", `--tools: ${error.message}`, { cause: error, hint });
  }
}
