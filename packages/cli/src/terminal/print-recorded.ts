// Prints an agent or a recorded run. `@smolts/core` and `@smolts/memory` have functions with the
// same names, which return the text instead.

import { type MultiStepAgent, visualize as treeOf } from "@smolts/core";
import { type DurableEvent, type OptionTable, type RunLog, readOptions, wrongArgument } from "@smolts/protocol";
import { standardOutput } from "./host.ts";
import { printEvents } from "./print-run.ts";
import { type TerminalOutput, TerminalWriter } from "./terminal-writer.ts";

/** Settings of {@link visualize} and {@link renderRun}. */
export interface PrintOptions {
  /** The target of the output. @defaultValue process.stdout, or the console if there is none */
  readonly output?: TerminalOutput;
  /**
   * Whether to print colours. @defaultValue decided by `FORCE_COLOR`, `NO_COLOR`, `TERM` and the
   * output
   */
  readonly color?: boolean | undefined;
}

/** Settings of {@link renderRun}. */
export interface PrintRecordedRunOptions extends PrintOptions {
  /**
   * Whether to print prompts, reasoning and full values too.
   *
   * @defaultValue false
   */
  readonly detailed?: boolean;
}

/**
 * Prints an agent as a tree: its model and limits, its tools and its managed agents.
 *
 * @example
 * ```ts
 * import { CodeAgent } from "smolts";
 * import { visualize } from "smolts/terminal";
 *
 * visualize(new CodeAgent({ model: () => "" })); // CodeAgent "agent" ...
 * ```
 */
export function visualize(agent: MultiStepAgent, options: PrintOptions = {}): void {
  const { output = standardOutput(), color } = readOptions(options, "visualize()", printOptions);
  const [first = "", ...rest] = treeOf(agent).split("\n");
  const writer = new TerminalWriter({ output, color });
  writer.line("", [{ text: first, style: "heading" }]);
  for (const line of rest) writer.line("", [{ text: line }]);
}

const printOptions: OptionTable<PrintOptions> = { output: "object", color: "flag" };

/**
 * Prints a recorded run in the same way as {@link printRun} prints a live run.
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

/**
 * Says whether a value is a log. JavaScript callers may pass the run, its result or its id instead.
 */
const isLog = (log: unknown): boolean =>
  typeof log === "object" &&
  log !== null &&
  ("read" in log || (Symbol.iterator in log && !(Symbol.asyncIterator in log)));

const recordedOptions: OptionTable<PrintRecordedRunOptions> = { ...printOptions, detailed: "flag" };
