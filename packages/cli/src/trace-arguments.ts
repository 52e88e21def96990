// Reads the command line of `smolts trace`.

import { invalidOption } from "@smolts/protocol";
import { type Command, Option } from "commander";
import type { Flags } from "./run-arguments.ts";
import { type StoreArguments, storeArguments, storeOptions } from "./store/store-arguments.ts";

/** The arguments of `smolts trace`. */
export interface TraceArguments extends StoreArguments {
  /** The id of a stored run, or the path of a run file. */
  readonly run: string;
  /** The address of the OpenTelemetry collector, or of its endpoint for traces. */
  readonly otlp: string;
  /** Whether the spans contain tasks, messages, code, arguments and results. */
  readonly hasContent: boolean;
  /** Headers for the requests to the collector, as `name=value`. One may contain a key. */
  readonly headers: readonly string[];
}

/** Adds the command to the program. */
export function addTraceCommand(program: Command, onCommand: (given: TraceArguments) => void): void {
  const command = program
    .command("trace")
    .description("Send a run as a trace to an OpenTelemetry collector (needs @smolts/otel).")
    .argument("<run>", "a stored run's id, or a run file")
    .addOption(new Option("--otlp <url>", "the collector, such as http://localhost:6006"))
    .addOption(
      new Option("--content", "also send tasks, messages, code and results; texts that look like secrets are removed"),
    )
    .addOption(new Option("--header <name=value...>", "headers of the requests, such as a key"));
  for (const option of storeOptions()) command.addOption(option);
  command.action((run: string, flags: Flags) => onCommand(toArguments(run, flags)));
}

function toArguments(run: string, flags: Flags): TraceArguments {
  const { otlp, header } = flags;
  if (typeof otlp !== "string" || !/^https?:\/\//i.test(otlp) || !URL.canParse(otlp)) {
    throw invalidOption("--otlp does not name a collector", "write --otlp http://localhost:6006");
  }
  // The cast is safe: the values from commander are texts.
  const headers = Array.isArray(header) ? (header as readonly string[]) : [];
  const wrong = headers.find((one) => !/^[\w-]+=/.test(one));
  if (wrong !== undefined) throw invalidOption("--header is not name=value", 'write --header "api_key=..."');
  return { ...storeArguments(flags), run, otlp, hasContent: flags["content"] === true, headers };
}
