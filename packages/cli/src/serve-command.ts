// Runs `smolts serve`. The package with the servers is imported from the user's project when it is
// first needed.

import { invalidOption, type RunStore } from "@smolts/protocol";
import { exitCodes } from "./exit-code.ts";
import { importPackage } from "./import-package.ts";
import { loadServed } from "./load-tools.ts";
import type { CommandContext } from "./run-command.ts";
import type { ServeArguments } from "./serve-arguments.ts";
import type { OpenedStore } from "./store/open-store.ts";

/** The part of `@smolts/serve` that the command uses. */
interface ServePackage {
  serve(served: unknown, options: object): Promise<RunningServer>;
  serveAcp(served: unknown, options: object): Promise<EditorServing>;
}

interface EditorServing {
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

interface RunningServer {
  readonly url: string;
  readonly key?: string;
  readonly approvalKey?: string;
  close(): Promise<void>;
}

const keyVariable = "SMOLTS_SERVE_KEY";
const approvalVariable = "SMOLTS_APPROVAL_KEY";

/**
 * Serves until it is interrupted, and returns the exit code.
 *
 * @throws AgentError `invalid-option` when `@smolts/serve` is not installed in the current folder,
 *   or a file cannot be used
 */
export async function serveCommand(given: ServeArguments, context: CommandContext): Promise<number> {
  const { directory, environment, interruption } = context;
  const streams = given.isForEditor ? protocolStreams(context) : null;
  // The cast is safe: the package exports these functions.
  const { serve, serveAcp } = (await importPackage("@smolts/serve", directory)) as unknown as ServePackage;
  const served = await loadServed(given.target, directory);
  if (streams) {
    const { name } = given;
    return await serveEditor(await serveAcp(served, { ...streams, ...(name === undefined ? {} : { name }) }), context);
  }
  await using opened = await openStoreOf(given, context);
  const serving = await serve(served, optionsOf(given, environment, opened?.store));
  announce(serving, context);
  interruption.beginRun();
  await interruption.aborted;
  await serving.close();
  return exitCodes.success;
}

/**
 * Reserves the standard streams for the protocol. Call it before the user's file is loaded, because
 * the file may print something.
 */
function protocolStreams({ protocolStreams }: CommandContext): object {
  if (protocolStreams) return protocolStreams();
  throw invalidOption("standard output cannot be used for the protocol here", "leave out --acp");
}

async function serveEditor(serving: EditorServing, { interruption }: CommandContext): Promise<number> {
  interruption.beginRun();
  await Promise.race([serving.closed, interruption.aborted]);
  await serving.close();
  return exitCodes.success;
}

async function openStoreOf({ store, keyFile }: ServeArguments, context: CommandContext): Promise<OpenedStore | null> {
  const place = store ?? context.environment["SMOLTS_STORE"];
  if (place === undefined) return null;
  const { openStore } = await import("./store/open-store.ts");
  return openStore({ store: place, keyFile }, context);
}

function optionsOf(
  { port, host, publicUrl, name, maxRuns }: ServeArguments,
  environment: CommandContext["environment"],
  store: RunStore | undefined,
): object {
  const [key, approvalKey] = [environment[keyVariable], environment[approvalVariable]];
  return {
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(name === undefined ? {} : { name }),
    ...(maxRuns === undefined ? {} : { limits: { runs: maxRuns, runsPerClient: maxRuns } }),
    ...(key === undefined ? {} : { auth: { key } }),
    ...(approvalKey === undefined ? {} : { approvers: { key: approvalKey } }),
    ...(store ? { store } : {}),
  };
}

function announce({ url, key, approvalKey }: RunningServer, { output }: CommandContext): void {
  output.write(`The agent is served at ${url}\n`);
  output.write(`Clients send: Authorization: Bearer ${key ?? `(the key of ${keyVariable})`}\n`);
  output.write(`Decisions need: Authorization: Bearer ${approvalKey ?? `(the key of ${approvalVariable})`}\n`);
}
