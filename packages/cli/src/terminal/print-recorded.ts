// What can be printed without running anything. The pure functions of these names give text; these
// print it, and nothing else.

import * as core from "@smolts/core";
import { type DurableEvent, type OptionTable, type RunLog, readOptions, wrongArgument } from "@smolts/protocol";
import { standardOutput } from "./host.ts";
import { printEvents } from "./print-run.ts";
import { type TerminalOutput, TerminalWriter } from "./terminal-writer.ts";

/** Where {@link visualize} and {@link renderRun} print. */
export interface PrintOptions {
  /** @defaultValue process.stdout, or the console where there is none */
  readonly output?: TerminalOutput;
  /** @defaultValue what `FORCE_COLOR`, `NO_COLOR`, `TERM` and the output say */
  readonly color?: boolean | undefined;
}

/** Settings of {@link renderRun}. */
export interface PrintRecordedRunOptions extends PrintOptions {
  /**
   * Whether to print also prompts, reasoning and uncut values.
   *
   * @defaultValue false
   */
  readonly detailed?: boolean;
}

/**
 * Prints an agent as a tree: its model and limits, its tools, its managed agents.
 *
 * @example
 * ```ts
 * import { CodeAgent } from "smolts";
 * import { visualize } from "smolts/terminal";
 *
 * visualize(new CodeAgent({ model: () => "" })); // CodeAgent "agent" ...
 * ```
 */
export function visualize(agent: core.MultiStepAgent, options: PrintOptions = {}): void {
  const { output = standardOutput(), color } = readOptions(options, "visualize()", printOptions);
  const [first = "", ...rest] = core.visualize(agent).split("\n");
  const writer = new TerminalWriter({ output, color });
  writer.line("", [{ text: first, style: "heading" }]);
  for (const line of rest) writer.line("", [{ text: line }]);
}

const printOptions: OptionTable<PrintOptions> = { output: "object", color: "flag" };

/**
 * Prints a recorded run as {@link printRun} prints one that is going on.
 *
 * @param log - a run's log, or its events
 * @example
 * ```ts
 * import { CodeAgent } from "smolts";
 * import { renderRun } from "smolts/terminal";
 *
 * const agent = new CodeAgent({ model: () => "<code>finalAnswer(6 * 7)</code>" });
 * const { log } = await agent.run("What is 6 times 7?").result;
 * await renderRun(log, { detailed: true });
 * ```
 */
export async function renderRun(
  log: RunLog | Iterable<DurableEvent>,
  options: PrintRecordedRunOptions = {},
): Promise<void> {
  const { detailed = false, output = standardOutput(), color } = readOptions(options, "renderRun()", recordedOptions);
  if (!isLog(log)) throw wrongArgument("renderRun()", log, "a run's log or its events", "write renderRun(result.log)");
  await printEvents(
    "read" in log ? log.read() : log,
    new TerminalWriter({ output, color }),
    detailed ? "debug" : "info",
  );
}

/** Callers without types may pass the run, its result or its id. */
const isLog = (log: unknown): boolean =>
  typeof log === "object" && log !== null && ("read" in log || Symbol.iterator in log);

const recordedOptions: OptionTable<PrintRecordedRunOptions> = { ...printOptions, detailed: "flag" };
