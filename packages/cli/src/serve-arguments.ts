// Reads the command line of `smolts serve`.

import { invalidOption } from "@smolts/protocol";
import { type Command, Option } from "commander";
import { isFileReference } from "./file-reference.ts";
import type { Flags } from "./run-arguments.ts";
import { type StoreArguments, storeArguments, storeOptions } from "./store/store-arguments.ts";

/** The arguments of `smolts serve`. */
export interface ServeArguments extends StoreArguments {
  /** A file that exports an agent or a function that makes one. */
  readonly target: string;
  /** The port; the server's default if absent. */
  readonly port: number | undefined;
  /** The address to listen on. If absent, only this machine can reach the server. */
  readonly host: string | undefined;
  /** The address that clients use. If absent, it is the address in their requests. */
  readonly publicUrl: string | undefined;
  /** The agent's name for clients; its own name if absent. */
  readonly name: string | undefined;
  /** How many runs may be active at the same time. If absent, the server's default. */
  readonly maxRuns: number | undefined;
  /** Whether to serve an editor over standard input and output. */
  readonly isForEditor: boolean;
}

/** Adds the command to the program. */
export function addServeCommand(program: Command, onCommand: (given: ServeArguments) => void): void {
  const command = program
    .command("serve")
    .description("Serve an agent by HTTP (OpenAI's API and A2A), or to an editor (needs @smolts/serve).")
    .argument("<agent>", "./agent.ts, ./agent.ts#name (an agent, or a function that makes one)")
    .addOption(new Option("-p, --port <number>", "the port (default: 8080)"))
    .addOption(
      new Option("--host <address>", "the address to listen on (default: 127.0.0.1); others need SMOLTS_SERVE_KEY"),
    )
    .addOption(
      new Option("--public-url <url>", "the address for clients, if a proxy changes it (default: as in requests)"),
    )
    .addOption(new Option("--name <name>", "the name of the model (default: the agent's)"))
    .addOption(
      new Option("--acp", "serve it to an editor with the Agent Client Protocol over standard input and output"),
    )
    .addOption(new Option("--max-runs <number>", "how many runs may be active at once (default: 64)"));
  for (const option of storeOptions()) command.addOption(option);
  command.addHelpText("after", help).action((target: string, flags: Flags) => onCommand(toArguments(target, flags)));
}

const help = `
Clients need the key in the variable SMOLTS_SERVE_KEY. People who decide about
calls need the key in SMOLTS_APPROVAL_KEY. Missing keys are created and printed.

Examples:
  smolts serve ./agent.ts --port 8080
  smolts serve ./agent.ts --acp`;

function toArguments(target: string, flags: Flags): ServeArguments {
  if (!isFileReference(target)) {
    throw invalidOption(`"${target}" is not a file`, `write "./${target}" for a file`);
  }
  const text = (name: string): string | undefined => {
    const value = flags[name];
    return typeof value === "string" ? value : undefined;
  };
  const isForEditor = flags["acp"] === true;
  const ofHttp = ["port", "host", "publicUrl", "maxRuns", "store", "storeKey"].find(
    (name) => flags[name] !== undefined,
  );
  if (isForEditor && ofHttp !== undefined) {
    throw invalidOption("--acp can be combined only with --name", "leave the other options out, or leave out --acp");
  }
  return {
    isForEditor,
    ...storeArguments(flags),
    target,
    port: numberOf("--port", text("port"), [0, 65_535]),
    host: text("host"),
    publicUrl: text("publicUrl"),
    name: text("name"),
    maxRuns: numberOf("--max-runs", text("maxRuns"), [1, 100_000]),
  };
}

function numberOf(
  flag: string,
  given: string | undefined,
  [least, most]: readonly [number, number],
): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= least && number <= most) return number;
  throw invalidOption(
    `${flag} is "${given}"; expected a number from ${least} to ${most}`,
    "leave it out for the default",
  );
}
