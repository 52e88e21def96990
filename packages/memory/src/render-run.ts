// Renders a recorded run as text for people. smolagents calls this `replay`.
//
// A log may contain the events of several agents. The steps of each agent are computed separately,
// and the run of a managed agent is shown below the call that started it. Text of models and tools
// is indented and its hidden characters are made visible, so that it cannot imitate our headings or
// control a terminal.

import {
  type ActionStep,
  type CallOutcome,
  type ContentPart,
  type DurableEvent,
  decodeValue,
  type EncodedValue,
  type MemoryStep,
  type OptionTable,
  type PlanningStep,
  type RunLog,
  readOptions,
  type SerializedError,
  type ToolCallRecord,
  textOf,
  visible,
  wrongArgument,
} from "@smolts/protocol";
import { durationText, usageText } from "./figures.ts";
import { isBelow, type RecordedRun, recordedRuns } from "./recorded-runs.ts";
import { type RunTime, runTime } from "./run-time.ts";
import { totalUsage } from "./total-usage.ts";
import { usageTree } from "./usage-tree.ts";

/** Options of {@link renderRun}. */
export interface RenderRunOptions {
  /**
   * Whether to also show system prompts, reasoning and the observations of steps, and to show
   * values in full.
   *
   * @defaultValue false
   */
  readonly detailed?: boolean;
}

/**
 * Renders a recorded run as text: the task, each step with its thought, action, observation, time
 * and tokens, then the answer and the totals.
 *
 * @param log - a run's log, or its events
 * @example
 * ```ts
 * import { memoryLog, renderRun } from "@smolts/memory";
 *
 * const log = memoryLog({ now: () => 0 });
 * log.append({ type: "step-start", stepNumber: 1 }, { runId: "r", path: ["agent"] });
 * console.log(await renderRun(log)); // agent: not ended, 1 step, 0 ms, ...
 * ```
 */
export async function renderRun(log: RunLog | Iterable<DurableEvent>, options: RenderRunOptions = {}): Promise<string> {
  const { detailed = false } = readOptions(options, "renderRun()", renderRunOptions);
  if (!isLog(log)) throw wrongArgument("renderRun()", log, "a run's log or its events", "write renderRun(result.log)");
  const events: DurableEvent[] = [];
  for await (const event of "read" in log ? log.read() : log) events.push(event);
  return new RunRenderer(events, detailed).render();
}

/**
 * Says whether the argument is a log or a list of events. Callers without types may pass the run,
 * its result or its id instead.
 */
const isLog = (log: unknown): boolean =>
  typeof log === "object" &&
  log !== null &&
  ("read" in log || (Symbol.iterator in log && !(Symbol.asyncIterator in log)));

const renderRunOptions: OptionTable<RenderRunOptions> = { detailed: "flag" };

const indentation = "  ";
const maxShortLength = 2_000;

class RunRenderer {
  readonly #events: readonly DurableEvent[];
  readonly #runs: readonly RecordedRun[];
  readonly #detailed: boolean;
  readonly #rendered = new Set<RecordedRun>();
  readonly #lines: string[] = [];

  constructor(events: readonly DurableEvent[], detailed: boolean) {
    this.#events = events;
    this.#runs = recordedRuns(events);
    this.#detailed = detailed;
  }

  render(): string {
    // Runs of agents without a caller are rendered first, each with the runs of its managed agents.
    // Runs whose caller is not in the log follow at the end, so that nothing is lost.
    for (const run of this.#runs.toSorted((left, right) => left.path.length - right.path.length)) this.#run(run, "");
    return this.#lines.join("\n");
  }

  #run(run: RecordedRun, margin: string): void {
    if (this.#rendered.has(run)) return;
    this.#rendered.add(run);
    this.#line(margin, this.#headline(run));
    if (run.path.length === 1) this.#lostAnswers(run, margin);
    if (this.#detailed) this.#section(margin, "System prompt", run.start?.systemPrompt ?? "");
    for (const step of run.steps) this.#step(step, run, margin);
    if (run.end?.error) this.#error(run.end.error, margin);
    if (run.end?.answer !== undefined) this.#section(margin, "Answer", this.#value(run.end.answer));
  }

  /**
   * Returns the headline: the agent, its model, how the run ended and what it used, managed agents
   * included.
   */
  #headline(run: RecordedRun): string {
    const { path, start, end, steps } = run;
    const below = this.#runs.filter((other) => isBelow(other, run));
    const count = steps.filter(({ type }) => type === "action").length;
    const usage = totalUsage([...steps, ...below.flatMap((other) => other.steps)]);
    const time = runTime(this.#events, run);
    const figures = [
      end?.status ?? unended[time.now],
      `${count} ${count === 1 ? "step" : "steps"}`,
      timeText(time),
      usage ? usageText(usage) : "tokens unknown",
    ];
    return `${path.at(-1)}${start ? ` on ${start.model}` : ""}: ${figures.join(", ")}`;
  }

  /**
   * Adds a line about model answers that were lost in crashes, for this agent and its managed
   * agents. No other figure includes their cost.
   */
  #lostAnswers({ runId, path }: RecordedRun, margin: string): void {
    const usage = usageTree(
      this.#events.filter((event) => event.runId === runId),
      path,
    );
    if (!usage?.lostAnswers) return;
    const { lostAnswers: count, lostEstimate: { totalTokens = 0, costUsd } = {} } = usage;
    const cost = costUsd === undefined ? "" : `, $${costUsd.toFixed(4)}`;
    const what = count === 1 ? "1 answer of a model was" : `${count} answers of models were`;
    this.#line(
      margin,
      `${what} lost by a crash or an abort: about ${totalTokens} tokens${cost}, which no total includes`,
    );
  }

  #step(step: MemoryStep, run: RecordedRun, margin: string): void {
    switch (step.type) {
      case "message":
        this.#section(margin, `Message (${step.message.role})`, contentText(step.message.content));
        return;
      case "task":
        this.#section(margin, "Task", contentText(step.content));
        return;
      case "planning":
        this.#line(margin, `Plan: ${figuresOf(step)}`);
        this.#text(margin + indentation, step.plan);
        return;
      case "action":
        this.#action(step, run, margin);
        return;
      case "compaction":
        this.#line(margin, "The history was made shorter.");
        if (step.summary !== null) this.#text(margin + indentation, step.summary);
        return;
      case "custom":
        if (this.#detailed) this.#section(margin, "Note", `${step.name} ${JSON.stringify(step.data)}`);
        return;
      case "system-prompt":
      case "final-answer":
        return; // shown with the run itself
      default:
        step satisfies never;
    }
  }

  #action(step: ActionStep, run: RecordedRun, margin: string): void {
    const inner = margin + indentation;
    this.#line(margin, `Step ${step.stepNumber}: ${figuresOf(step)}`);
    if (this.#detailed) this.#section(inner, "Reasoning", reasoningOf(step));
    this.#section(inner, "Thought", thoughtOf(step));
    this.#section(inner, "Code", step.code ?? "");
    for (const call of step.toolCalls) this.#call(call, run, inner);
    this.#section(inner, "Printed", this.#cut(step.logs));
    if (step.output !== null) this.#section(inner, "Value", this.#value(step.output));
    if (step.error) this.#error(step.error, inner);
    if (this.#detailed) this.#section(inner, "Shown to the model", contentText(step.observation));
  }

  #call({ callId, name, args, outcome }: ToolCallRecord, run: RecordedRun, margin: string): void {
    this.#entry(margin, `→ ${name}(${args.map((argument) => this.#cut(jsonText(argument))).join(", ")})`);
    const childPath = [...run.path, `${name}#${callId.slice(callId.lastIndexOf("/") + 1)}`].join("/");
    const begun = this.#runs.filter((other) => other.path.join("/") === childPath && isBelow(other, run));
    for (const child of begun) this.#run(child, margin + indentation);
    this.#entry(margin, outcome === null ? `… ${name} has not ended` : this.#outcome(name, outcome));
  }

  #outcome(name: string, outcome: CallOutcome): string {
    if (outcome.type === "ok") return `✓ ${name}: ${this.#value(outcome.value)}`;
    return `✗ ${name} (${outcome.type}): ${outcome.error.message}`;
  }

  #error({ code, message, hint }: SerializedError, margin: string): void {
    this.#entry(margin, `✗ ${code}: ${message}${hint === undefined ? "" : `\nhint: ${hint}`}`);
  }

  /** Adds one of our headings, and text of a model or a tool below it. */
  #section(margin: string, title: string, text: string): void {
    if (text.trim() === "") return;
    this.#line(margin, title);
    this.#text(margin + indentation, text);
  }

  #text(margin: string, text: string): void {
    const shown = visible(text.trimEnd(), { newlines: true }).replace(/^\n+/, "");
    for (const line of shown.split("\n")) this.#lines.push(margin + line);
  }

  /**
   * Adds a line that starts with one of our markers and continues with text of a model or a tool.
   * If that text has more lines, they are indented further.
   */
  #entry(margin: string, text: string): void {
    const [first, ...rest] = visible(text.trimEnd(), { newlines: true }).split("\n");
    this.#lines.push(`${margin}${first}`, ...rest.map((line) => margin + indentation + line));
  }

  #line(margin: string, text: string): void {
    this.#lines.push(margin + visible(text));
  }

  #value(encoded: EncodedValue): string {
    return this.#cut(valueText(encoded));
  }

  #cut(text: string): string {
    if (this.#detailed || text.length <= maxShortLength) return text;
    return `${text.slice(0, maxShortLength)}… (${text.length - maxShortLength} more characters)`;
  }
}

const unended = {
  asking: "waits for a person",
  decided: "waits to be resumed",
  working: "not ended",
} as const satisfies Record<RunTime["now"], string>;

/** Formats the working time, and the time of interruptions if there were any. */
function timeText({ workMs, waitMs, stoppedMs }: RunTime): string {
  const breaks = [
    ...(waitMs > 0 ? [`${durationText(waitMs)} of waiting for a person`] : []),
    ...(stoppedMs > 0 ? [`${durationText(stoppedMs)} stopped`] : []),
  ];
  return breaks.length === 0 ? durationText(workMs) : [`${durationText(workMs)} of work`, ...breaks].join(", ");
}

function figuresOf({ timing, usage }: ActionStep | PlanningStep): string {
  return `${durationText(timing.endTime - timing.startTime)}${usage ? `, ${usageText(usage)}` : ""}`;
}

const reasoningOf = ({ modelOutput }: ActionStep): string =>
  modelOutput?.content.map((part) => (part.type === "reasoning" ? part.text : "")).join("") ?? "";

/** Returns the part of the model's text that comes before its code. */
function thoughtOf({ modelOutput, code }: ActionStep): string {
  const text = modelOutput ? textOf(modelOutput) : "";
  const codeStart = code === null ? -1 : text.indexOf(code.trim());
  return codeStart < 0 ? text : text.slice(0, codeStart).replace(/(?:<[^<>\s]*>|```\w*)\s*$/, "");
}

function contentText(content: readonly ContentPart[]): string {
  return content.map(partText).join("\n");
}

function partText(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text.trimEnd();
    case "tool-result":
      return `${part.id}: ${contentText(part.output)}`;
    case "image":
    case "audio":
    case "file":
      return `[${part.type}${part.name === undefined ? "" : ` ${part.name}`}]`;
    case "reasoning":
    case "tool-call":
      return ""; // rendered elsewhere
    default:
      return part satisfies never;
  }
}

const maxLineLength = 80;

/**
 * Formats a value. Strings and bigints are shown unchanged. A string cannot imitate other lines of
 * the output, because it is indented. Everything else is JSON, on one line if it is short.
 */
function valueText(encoded: EncodedValue): string {
  const value = decoded(encoded);
  if (typeof value === "string" || typeof value === "bigint") return String(value);
  const line = jsonText(encoded);
  return line.length <= maxLineLength ? line : jsonText(encoded, 2);
}

/** Formats a value as JSON, with words for values that JSON does not have. */
function jsonText(encoded: EncodedValue, indent = 0): string {
  return String(JSON.stringify(decoded(encoded), readableValue, indent));
}

function decoded(encoded: EncodedValue): unknown {
  try {
    return decodeValue(encoded);
  } catch {
    // A damaged log may contain a value that cannot be decoded. Show its encoding instead.
    return encoded;
  }
}

function readableValue(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (value instanceof Map) return { Map: [...value] };
  if (value instanceof Set) return { Set: [...value] };
  if (value instanceof Uint8Array) return `(${value.byteLength} bytes)`;
  return value;
}
