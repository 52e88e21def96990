import { invalidOption, isTransientEvent, type OptionTable, type RunEvent, readOptions } from "@smolts/protocol";
import { EventPrinter } from "./event-printer.ts";
import { standardTraceOutput } from "./host.ts";
import { type TerminalOutput, TerminalWriter } from "./terminal-writer.ts";

/**
 * How much {@link printRun} prints. `off`: nothing. `error`: only errors. `info`: steps, code,
 * calls, output and the answer. `debug`: also prompts, reasoning and full values.
 */
export type PrintLevel = "off" | "error" | "info" | "debug";

/**
 * A run that can be printed: an `AgentRun`, or another object that has events and resolves to an
 * answer.
 */
export interface PrintableRun<Output> extends PromiseLike<Output> {
  events(): AsyncIterable<RunEvent>;
}

/** Settings of {@link printRun}. */
export interface PrintRunOptions {
  /** How much is printed. @defaultValue "info" */
  readonly level?: PrintLevel;
  /**
   * The target of the output.
   *
   * @defaultValue process.stdout if it is a terminal, else process.stderr; the console if there is
   *   neither
   */
  readonly output?: TerminalOutput;
  /**
   * Whether to print colours. @defaultValue decided by `FORCE_COLOR`, `NO_COLOR`, `TERM` and the
   * output
   */
  readonly color?: boolean | undefined;
  /**
   * The width in columns. Longer lines are broken between words. @defaultValue the width of the
   * terminal; without a terminal, lines are not broken
   */
  readonly width?: number | undefined;
}

/**
 * Prints a run like the command `smolts run`, and returns the answer.
 *
 * On a terminal the run is streamed with colours, a status line shows what the run waits for, and
 * lines are broken between words. Elsewhere plain lines are printed. If standard output is piped,
 * the run is printed to standard error, so that the pipe gets only what your program prints. At
 * level `info` long output is shortened in the middle. Control characters and hidden characters in
 * texts of models and tools are made visible. At level `error` or `off` the answer is returned but
 * not printed.
 *
 * @throws the run's error
 * @example
 * ```ts
 * import { CodeAgent } from "smolts";
 * import { printRun } from "smolts/terminal";
 *
 * const agent = new CodeAgent({ model: () => "<code>finalAnswer(6 * 7)</code>" });
 * const answer = await printRun(agent.run("What is 6 times 7?"), { level: "debug" }); // 42
 * ```
 */
export async function printRun<Output>(run: PrintableRun<Output>, options: PrintRunOptions = {}): Promise<Output> {
  const {
    level = "info",
    output = standardTraceOutput(),
    color,
    width,
  } = readOptions(options, "printRun()", printRunOptions);
  if (typeof run?.events !== "function") {
    throw invalidOption(
      `printRun() got a value of type ${typeof run}; expected a run`,
      "write printRun(agent.run(task)), without await before the run",
    );
  }
  if (level !== "off") await printEvents(run.events(), new TerminalWriter({ output, color, width }), level);
  return run;
}

const printRunOptions: OptionTable<PrintRunOptions> = {
  level: ["off", "error", "info", "debug"],
  output: "object",
  color: "flag",
  width: "number",
};

/** Settings of {@link printEvents}. */
interface PrintEventsOptions {
  /** Events up to this number were printed before. */
  readonly printedSeq?: number;
  /**
   * When this signal aborts, output of the agent's code is no longer printed, because printing a
   * lot of output would delay the end.
   */
  readonly signal?: AbortSignal;
  /** Whether the answer is printed at the end. @defaultValue true */
  readonly answer?: boolean;
}

/** Prints events until they end. Then ends the open line and removes the status line. */
export async function printEvents(
  events: AsyncIterable<RunEvent> | Iterable<RunEvent>,
  writer: TerminalWriter,
  level: Exclude<PrintLevel, "off">,
  { printedSeq = 0, signal, answer = true }: PrintEventsOptions = {},
): Promise<void> {
  const printer = new EventPrinter(writer, { level, answer });
  try {
    for await (const event of events) {
      // A transient event has the same number as the last recorded event, but is newer. So a
      // transient event with the number `printedSeq` was not printed before.
      if (event.type === "console" && signal?.aborted) printer.see(event);
      else if (event.seq > printedSeq || (event.seq === printedSeq && isTransientEvent(event))) printer.print(event);
      else printer.see(event);
    }
  } finally {
    printer.end();
    writer.close();
  }
}
