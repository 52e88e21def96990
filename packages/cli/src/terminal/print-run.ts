import { AgentError, type OptionTable, type RunEvent, readOptions } from "@smolts/protocol";
import { isDurable } from "../json-line.ts";
import { EventPrinter } from "./event-printer.ts";
import { standardTraceOutput } from "./host.ts";
import { type TerminalOutput, TerminalWriter } from "./terminal-writer.ts";

/**
 * How much {@link printRun} prints: nothing; errors; what happens and the answer; or also prompts,
 * reasoning and uncut values.
 */
export type PrintLevel = "off" | "error" | "info" | "debug";

/** What can be printed: an `AgentRun`, or anything else that tells events and ends in an answer. */
export interface PrintableRun<Output> extends PromiseLike<Output> {
  events(): AsyncIterable<RunEvent>;
}

/** Settings of {@link printRun}. */
export interface PrintRunOptions {
  /** @defaultValue "info" */
  readonly level?: PrintLevel;
  /**
   * @defaultValue process.stdout if it is a terminal, else process.stderr; the console where there
   *   is neither
   */
  readonly output?: TerminalOutput;
  /** @defaultValue what `FORCE_COLOR`, `NO_COLOR`, `TERM` and the output say */
  readonly color?: boolean | undefined;
  /**
   * In columns: lines are broken between words to fit. @defaultValue that of a terminal, else lines
   * are not broken
   */
  readonly width?: number | undefined;
}

/**
 * Prints a run as `smolts run` does, and returns its answer.
 *
 * On a terminal it streams, with colours and a line that says what is being waited for, and breaks
 * lines between words; elsewhere it prints plain lines. If standard output is piped, the run is
 * printed to standard error, so that the pipe gets only what the program prints itself. At level
 * `info` long output is cut in the middle. Whatever a model or a tool wrote is printed with its
 * control and hidden characters made visible. With level `error` or `off` the answer is only
 * returned.
 *
 * @throws whatever the run rejects with
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
    throw new AgentError("invalid-option", `printRun() got a value of type ${typeof run}; expected a run`, {
      hint: "write printRun(agent.run(task)), without await before the run",
    });
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
  /** Events up to this one were printed before. */
  readonly printedSeq?: number;
  /** From its abort on, what the code printed is left out: a flood of it would hold up the end. */
  readonly signal?: AbortSignal;
  /** Whether the answer is printed at the end. @defaultValue true */
  readonly answer?: boolean;
}

/** Prints events until they end, and leaves the terminal clean. */
export async function printEvents(
  events: AsyncIterable<RunEvent> | Iterable<RunEvent>,
  writer: TerminalWriter,
  level: Exclude<PrintLevel, "off">,
  { printedSeq = 0, signal, answer = true }: PrintEventsOptions = {},
): Promise<void> {
  const printer = new EventPrinter(writer, { level, answer });
  try {
    for await (const event of events) {
      // A passing event carries the number of the last recorded one.
      if (event.type === "console" && signal?.aborted) printer.see(event);
      else if (event.seq > printedSeq || (event.seq === printedSeq && !isDurable(event))) printer.print(event);
      else printer.see(event);
    }
  } finally {
    printer.end();
    writer.close();
  }
}
