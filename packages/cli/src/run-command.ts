import { resolve } from "node:path";
import {
  type AgentOptions,
  type AgentRun,
  type ApproveHandler,
  CodeAgent,
  type CodeAgentOptions,
  type MultiStepAgent,
  type RunResult,
  ToolCallingAgent,
} from "@smolts/core";
import { image } from "@smolts/core/media";
import { presets, resolveModel } from "@smolts/models";
import {
  AgentError,
  encodeValue,
  invalidOption,
  isTransientEvent,
  type Model,
  type RunEvent,
  type RunLog,
  type RunStore,
  visible,
} from "@smolts/protocol";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import type { Interruption } from "./interruption.ts";
import { jsonLine } from "./json-line.ts";
import type { LoadedExecutor } from "./load-executor.ts";
import type { LoadedMcp, McpSurroundings } from "./load-mcp.ts";
import { loadTools } from "./load-tools.ts";
import { printError } from "./print-error.ts";
import { commandNote, recordedCommand } from "./recorded-command.ts";
import type { RunArguments } from "./run-arguments.ts";
import type { OpenedStore, StoreAddress } from "./store/open-store.ts";
import { storeFlags } from "./store/store-flags.ts";
import { Person, type ReadLine } from "./terminal/person.ts";
import { printEvents } from "./terminal/print-run.ts";
import { TerminalApprovals } from "./terminal/terminal-approvals.ts";
import { type TerminalOutput, TerminalWriter } from "./terminal/terminal-writer.ts";
import { traceOutput } from "./terminal/trace-output.ts";
import { answerText } from "./terminal/value-text.ts";

/**
 * The streams, the environment and the folder in which a command runs. In production they belong to
 * the process; tests pass their own.
 */
export interface CommandContext {
  readonly input: AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean };
  readonly output: TerminalOutput;
  readonly errorOutput: TerminalOutput;
  readonly environment: { readonly [name: string]: string | undefined };
  /** The folder that relative paths start from. */
  readonly directory: string;
  readonly interruption: Interruption;
  /** Asks the person at the terminal; absent if nobody is there. */
  readonly readLine?: ReadLine;
  /** Reserves standard input and output for a protocol; absent if they are in use. */
  readonly protocolStreams?: () => {
    readonly input: NodeJS.ReadableStream;
    readonly output: NodeJS.WritableStream;
  };
}

/**
 * Runs an agent as the command line says, and returns the exit code.
 *
 * @throws AgentError `invalid-option` when the agent cannot be made
 */
export async function runCommand(given: RunArguments, context: CommandContext): Promise<number> {
  const { environment, directory } = context;
  const conversation = openConversation(given, context);
  const place = given.store ?? environment["SMOLTS_STORE"];
  await using opened = place === undefined ? null : await openStoreAt({ ...given, store: place }, context);
  await using made = await makeAgent(given, context, conversation.person);
  const { agent } = withStore(made, opened?.store);
  const task = await readTask(given.task, context.input);
  const images = given.images.map((source) => image(isAddress(source) ? source : resolve(directory, source)));
  const notes = opened ? { [commandNote]: recordedCommand(given, environment["SMOLTS_MODEL"], directory) } : {};
  const runId = crypto.randomUUID();
  return await follow((options) => agent.run(task, { ...options, runId, images, notes }), {
    agent,
    ...(opened && { storedAs: runId }),
    given: { ...given, store: place },
    context,
    conversation,
  });
}

/** The terminal of a run: where the run is printed, and who answers its questions. */
interface Conversation {
  readonly writer: TerminalWriter;
  /** Undefined if nobody can be asked. */
  readonly person: Person | undefined;
  readonly approvals: TerminalApprovals | undefined;
}

/** Opens the terminal for a run. */
export function openConversation({ json }: Pick<RunArguments, "json">, context: CommandContext): Conversation {
  const { environment, readLine } = context;
  const writer = new TerminalWriter({ output: traceOutput(context), environment });
  // With `--json` nobody is asked, because questions would mix with the JSON lines.
  const person = readLine && !json ? new Person(readLine, writer) : undefined;
  return { writer, person, approvals: person && new TerminalApprovals(person) };
}

/** An agent, and the resources to close after its run. */
export interface MadeAgent extends AsyncDisposable {
  readonly agent: MultiStepAgent;
}

/**
 * Creates the agent that a command line describes, or loads the agent that it names.
 *
 * @throws AgentError `invalid-option` when it cannot be made
 */
export async function makeAgent(given: RunArguments, context: McpSurroundings, person?: Person): Promise<MadeAgent> {
  const { directory, environment } = context;
  if (given.agentFile !== undefined) return await loadNamed(given.agentFile, given, context);
  const own = await loadTools(given.tools, directory, person, { trustCode: given.trustCode, environment });
  const model = chooseModel(given, environment);
  const mcp = await openMcp(given, context);
  let loaded: LoadedExecutor | null = null;
  const close = async (): Promise<void> => {
    await Promise.all([mcp?.[Symbol.asyncDispose](), loaded?.dispose()]);
  };
  try {
    loaded = given.executor === undefined ? null : await openExecutor(given.executor, given, directory);
    const tools = [...own, ...(mcp?.tools ?? [])];
    const agent = await createAgent(given, { model, tools, ...(loaded && { executor: loaded.executor }) }, directory);
    return { agent, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loads the agent that `--agent` names. Flags take precedence over its saved settings. */
async function loadNamed(name: string, given: RunArguments, context: McpSurroundings): Promise<MadeAgent> {
  const { directory, environment } = context;
  const { trustCode, maxSteps, instructions } = given;
  const model = given.model === undefined ? {} : { model: chooseModel(given, environment) };
  const { isHubReference, loadHubAgent } = await import("./load-from-hub.ts");
  const changes = {
    ...model,
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(instructions === undefined ? {} : { instructions }),
  };
  if (isHubReference(name)) {
    const loaded = await loadHubAgent(name, { trustCode, ...model }, context);
    return { agent: loaded.agent.with(changes), [Symbol.asyncDispose]: () => loaded[Symbol.asyncDispose]() };
  }
  const { loadAgent } = await import("./load-agent.ts");
  const agent = await loadAgent(name, { directory, trustCode, ...model });
  return { agent: agent.with(changes), [Symbol.asyncDispose]: async () => {} };
}

/**
 * Connects the MCP servers. The field `mcp` is missing in command lines that older versions
 * recorded.
 */
async function openMcp({ mcp = [] }: Partial<RunArguments>, context: McpSurroundings): Promise<LoadedMcp | null> {
  if (mcp.length === 0) return null;
  const { loadMcp } = await import("./load-mcp.ts");
  return await loadMcp(mcp, context);
}

/** Returns the same agent with a store. */
export const withStore = ({ agent }: MadeAgent, store: RunStore | undefined): { readonly agent: MultiStepAgent } => ({
  agent: store ? agent.with({ store }) : agent,
});

async function openStoreAt(place: StoreAddress, context: CommandContext): Promise<OpenedStore> {
  const { openStore } = await import("./store/open-store.ts");
  return openStore(place, context);
}

/** Everything that {@link follow} needs besides the run. */
export interface Following {
  readonly agent: MultiStepAgent;
  readonly given: Pick<RunArguments, "json" | "level" | "store" | "keyFile">;
  readonly context: CommandContext;
  readonly conversation: Conversation;
  /** The id of a new run, if the run is stored. It is printed when the run has begun. */
  readonly storedAs?: string;
  /** Events up to this number are not printed. */
  readonly printedSeq?: number;
}

/** Options for every run and every resume. */
export interface FollowedOptions {
  readonly signal: AbortSignal;
  readonly approve?: ApproveHandler;
}

/** Prints a run until it ends, and returns the exit code. */
export async function follow(
  begin: (options: FollowedOptions) => AgentRun,
  { agent, given, context, conversation, storedAs, printedSeq: firstSeq = 0 }: Following,
): Promise<number> {
  const { interruption, output } = context;
  const { writer, approvals } = conversation;
  const { signal } = interruption;
  const options = { signal, ...(approvals && { approve: approvals.approve }) };
  const isNamed = storedAs !== undefined && !given.json && given.level !== "off";
  let heading = isNamed ? `run ${storedAs}\n` : "";
  const sayHeading = (): void => {
    if (heading !== "") traceOutput(context).write(heading);
    heading = "";
  };
  let run = begin(options);
  let printedSeq = firstSeq;
  interruption.beginRun();
  for (;;) {
    const end = { isPrinted: false };
    const events = noteEdges(approvals?.watch(run.events()) ?? run.events(), end, sayHeading);
    if (given.json) await printJson(events, output, printedSeq);
    else
      await printText(events, { level: given.level, writer, interruption, printedSeq, answer: output.isTTY === true });
    const result = await run.result;
    const problem = result.pending?.find((request) => request.problem !== undefined)?.problem;
    // If a tool refused the input that the person typed, the person is asked again. In all other
    // cases the command ends.
    if (result.status !== "suspended" || problem === undefined || !approvals?.canAsk) {
      return reportEnd(result, { ...given, isEndPrinted: end.isPrinted }, context);
    }
    writer.line("  ", [{ text: problem, style: "caution" }]);
    printedSeq = await lastSeq(result.log);
    run = agent.resume(result.log, options);
  }
}

/**
 * Yields the same events, and calls `onEvent` for each. Sets `end.isPrinted` if one of them is the
 * run's end. Otherwise the caller prints the end itself. A refused run, for example, has no events.
 */
async function* noteEdges(
  events: AsyncIterable<RunEvent>,
  end: { isPrinted: boolean },
  onEvent: () => void,
): AsyncGenerator<RunEvent> {
  for await (const event of events) {
    onEvent();
    if (event.type === "run-end" && event.path.length === 1) end.isPrinted = true;
    yield event;
  }
}

async function lastSeq(log: RunLog): Promise<number> {
  let last = 0;
  for await (const { seq } of log.read()) last = seq;
  return last;
}

/** Prints the answer or the error, unless the events already showed it. Returns the exit code. */
function reportEnd(
  result: RunResult,
  { json, level, store, keyFile, isEndPrinted }: Following["given"] & { readonly isEndPrinted: boolean },
  { interruption, output, errorOutput, environment }: CommandContext,
): number {
  const { status, error } = result;
  const isPrinted = !json && level !== "off" && isEndPrinted;
  // The answer was already printed if the trace goes to standard output (that is, to a terminal),
  // unless the level is `off` or `error`. In all other cases, print it here.
  if (!json && (level === "off" || level === "error" || !output.isTTY)) printAnswer(result, output);
  if (interruption.exitCode === exitCodes.outputClosed) return exitCodes.outputClosed;
  if (error && status === "suspended") {
    const stored = (): string => storedHint(result, storeFlags({ store, keyFile }, { environment }));
    printError({ message: error.message, hint: store === undefined ? askingHint : stored() }, errorOutput);
  } else if (error && !isPrinted) printError(inFlags(error), errorOutput);
  return status === "aborted" ? (interruption.exitCode ?? exitCodes.interrupted) : exitCodeOf(status, error);
}

const askingHint =
  "none of the calls was made; run the command in a terminal without --json to be asked, or keep the output of --json and continue in a program: agent.resume(log, { decisions })";

const storedHint = ({ runId }: RunResult, flags: string): string =>
  `nothing is done before a person decides; smolts approve ${runId}${flags} decides, then smolts resume ${runId}${flags} continues`;

const isAddress = (source: string): boolean => /^(?:https?|data):/i.test(source);

const modelName = ({ model }: RunArguments, environment: CommandContext["environment"]): string | undefined =>
  model ?? environment["SMOLTS_MODEL"];

/** Returns the model that the flags name, or else the model that the environment names. */
function chooseModel(given: RunArguments, environment: CommandContext["environment"]): Model {
  const { baseUrl, apiKey } = given;
  const name = modelName(given, environment);
  if (!name) throw missingModel();
  try {
    return resolveModel(name, {
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
  } catch (error) {
    throw AgentError.is(error) ? inFlags(error) : error;
  }
}

/** Replaces option names in an error by flags of the command. */
function inFlags(error: AgentError): AgentError {
  const hint = error.hint
    ?.replace(/\bthe option apiKey\b(?:, as in .*)?/, "--api-key")
    .replace(/\bthe option baseUrl\b/, "--base-url")
    .replace('openAICompatible("model-id", { baseUrl })', "--model vllm:model-id --base-url http://127.0.0.1:8000/v1")
    .replace("look at error.details; ", "")
    .replace("{ repeatEffects: true }", "--repeat-effects")
    .replace("{ force: true }", "--force")
    .replace("{ emptySandbox: true }", "--empty-sandbox");
  return new AgentError(error.code, error.message, { hint, cause: error });
}

function missingModel(): AgentError {
  const lines = presets.map(({ provider: { name, apiKeyVariable, baseUrlVariable } }) => {
    const variables = [apiKeyVariable, baseUrlVariable].filter((variable) => variable !== undefined);
    return `    ${name}:model-id${variables.length === 0 ? "" : `  (${variables.join(", ")})`}`;
  });
  return invalidOption(
    "no model is given",
    `write --model preset:model-id, or set the variable SMOLTS_MODEL to it; presets, with their variables:\n${lines.join("\n")}`,
  );
}

/** Imports the executor's package, which belongs to the user's project, only when it is needed. */
export async function openExecutor(
  name: string,
  { language }: RunArguments,
  directory: string,
): Promise<LoadedExecutor> {
  const { loadExecutor } = await import("./load-executor.ts");
  return await loadExecutor(name, language, directory);
}

/** Makes the agent that the flags describe. */
export async function createAgent(
  { agent, imports, instructions, maxSteps, planEvery }: RunArguments,
  parts: Pick<CodeAgentOptions, "model" | "executor"> & { readonly tools: NonNullable<AgentOptions["tools"]> },
  directory: string,
): Promise<MultiStepAgent> {
  const options = {
    ...parts,
    ...(instructions === undefined ? {} : { instructions }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(planEvery === undefined ? {} : { planningInterval: planEvery }),
  };
  if (agent === "tool-calling") return new ToolCallingAgent(options);
  if (imports.length === 0) return new CodeAgent(options);
  const { loadImports } = await import("./load-imports.ts");
  return new CodeAgent({ ...options, ...(await loadImports(imports, directory)) });
}

async function readTask(given: string | undefined, input: CommandContext["input"]): Promise<string> {
  const task = given === undefined || given === "-" ? await readAll(given, input) : given;
  if (task.trim() !== "") return task;
  throw invalidOption("the task is empty", 'write smolts run "your task"');
}

async function readAll(given: string | undefined, input: CommandContext["input"]): Promise<string> {
  if (given === undefined && input.isTTY) {
    throw invalidOption("no task is given", 'write smolts run "your task", or pipe it in');
  }
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of input) text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  return (text + decoder.decode()).trim();
}

async function printJson(events: AsyncIterable<RunEvent>, output: TerminalOutput, printedSeq: number): Promise<void> {
  for await (const event of events) {
    if (!isTransientEvent(event) && event.seq > printedSeq && output.writable !== false)
      output.write(`${jsonLine(event)}\n`);
  }
}

/** Settings for printing a run as text. */
interface TextPrinting {
  readonly level: RunArguments["level"];
  readonly writer: TerminalWriter;
  readonly interruption: Interruption;
  /** Events up to this number were printed before. */
  readonly printedSeq: number;
  /** Whether the answer is printed too. */
  readonly answer: boolean;
}

async function printText(
  events: AsyncIterable<RunEvent>,
  { level, writer, interruption, printedSeq, answer }: TextPrinting,
): Promise<void> {
  if (level === "off") {
    for await (const _event of events);
    return;
  }
  const sayEnding = (): void => writer.status("ending the run; press Ctrl-C again to end at once");
  interruption.signal.addEventListener("abort", sayEnding, { once: true });
  await printEvents(events, writer, level, { printedSeq, answer, signal: interruption.signal });
  interruption.signal.removeEventListener("abort", sayEnding);
}

function printAnswer(result: RunResult, output: TerminalOutput): void {
  if (!("output" in result) || output.writable === false) return;
  output.write(`${visible(answerText(encodeValue(result.output)), { newlines: true })}\n`);
}
