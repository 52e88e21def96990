import { resolve } from "node:path";
import {
  type AgentOptions,
  CodeAgent,
  type CodeAgentOptions,
  type MultiStepAgent,
  type RunResult,
  ToolCallingAgent,
} from "@smolts/core";
import { image } from "@smolts/core/media";
import { presets, resolveModel } from "@smolts/models";
import { AgentError, encodeValue, type Model, type RunEvent, visible } from "@smolts/protocol";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import type { Interruption } from "./interruption.ts";
import { isDurable, jsonLine } from "./json-line.ts";
import type { LoadedExecutor } from "./load-executor.ts";
import { loadTools } from "./load-tools.ts";
import { printError } from "./print-error.ts";
import type { RunArguments } from "./run-arguments.ts";
import { Person, type ReadLine } from "./terminal/person.ts";
import { printEvents } from "./terminal/print-run.ts";
import { TerminalApprovals } from "./terminal/terminal-approvals.ts";
import { type TerminalOutput, TerminalWriter } from "./terminal/terminal-writer.ts";
import { answerText } from "./terminal/value-text.ts";

/** What the command reads and writes: the process, or a test's stand-in. */
export interface CommandSurroundings {
  readonly input: AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean };
  readonly output: TerminalOutput;
  readonly errorOutput: TerminalOutput;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Where relative paths begin. */
  readonly directory: string;
  readonly interruption: Interruption;
  /** Asks the person in front of the terminal; absent when nobody is there to be asked. */
  readonly readLine?: ReadLine;
}

/**
 * Runs an agent as the command line says, and gives the exit code.
 *
 * @throws AgentError `invalid-option` when the agent cannot be made
 */
export async function runCommand(given: RunArguments, surroundings: CommandSurroundings): Promise<number> {
  const { environment, directory, output } = surroundings;
  const writer = new TerminalWriter({ output, environment });
  // Questions would stand between the lines of --json.
  const person = surroundings.readLine && !given.json ? new Person(surroundings.readLine, writer) : undefined;
  const approvals = person && new TerminalApprovals(person);
  const tools = await loadTools(given.tools, directory, person);
  const model = chooseModel(given, environment);
  const loaded = given.executor === undefined ? null : await openExecutor(given.executor, given, directory);
  try {
    const agent = await createAgent(given, { model, tools, ...(loaded && { executor: loaded.executor }) }, directory);
    return await runAgent(agent, given, surroundings, { writer, approvals });
  } finally {
    await loaded?.dispose();
  }
}

interface Talking {
  readonly writer: TerminalWriter;
  readonly approvals: TerminalApprovals | undefined;
}

async function runAgent(
  agent: MultiStepAgent,
  given: RunArguments,
  surroundings: CommandSurroundings,
  { writer, approvals }: Talking,
): Promise<number> {
  const { interruption, directory, output } = surroundings;
  const task = await readTask(given.task, surroundings.input);
  const images = given.images.map((source) => image(isAddress(source) ? source : resolve(directory, source)));
  const { signal } = interruption;
  const run = agent.run(task, { images, signal, ...(approvals && { approve: approvals.approve }) });
  interruption.beginRun();
  const events = approvals?.watch(run.events()) ?? run.events();
  if (given.json) await printJson(events, output);
  else await printText(events, { level: given.level, writer, interruption });
  return reportEnd(await run.result, given, surroundings);
}

/** Says what the printed events do not, and gives the exit code. */
function reportEnd(
  result: RunResult,
  { json, level }: RunArguments,
  { interruption, output, errorOutput }: CommandSurroundings,
): number {
  const { status, error } = result;
  const isPrinted = !json && level !== "off";
  // Below `info` the renderer leaves the answer out; whoever runs the command wants it all the same.
  if (!json && (level === "off" || level === "error")) printAnswer(result, output);
  if (interruption.exitCode === exitCodes.outputClosed) return exitCodes.outputClosed;
  if (error && status === "suspended") printError({ message: error.message, hint: askingHint }, errorOutput);
  else if (error && !isPrinted) printError(error, errorOutput);
  return status === "aborted" ? (interruption.exitCode ?? exitCodes.interrupted) : exitCodeOf(status, error);
}

const askingHint =
  "nothing of it was done; run the command in a terminal without --json, where you are asked, or keep the lines of --json and go on in a program: agent.resume(log, { decisions })";

const isAddress = (source: string): boolean => /^(?:https?|data):/i.test(source);

/** The model of the flags, else of the environment. */
export function chooseModel(
  { model, baseUrl, apiKey }: RunArguments,
  environment: CommandSurroundings["environment"],
): Model {
  const name = model ?? environment["SMOLTS_MODEL"];
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

/** What a program writes as options, the command line writes as flags. */
function inFlags(error: AgentError): AgentError {
  const hint = error.hint
    ?.replace(/\bthe option apiKey\b/, "--api-key")
    .replace(/\bthe option baseUrl\b/, "--base-url");
  return new AgentError(error.code, error.message, { hint, cause: error });
}

function missingModel(): AgentError {
  const lines = presets.map(({ provider: { name, apiKeyVariable, baseUrlVariable } }) => {
    const variables = [apiKeyVariable, baseUrlVariable].filter((variable) => variable !== undefined);
    return `    ${name}:model-id${variables.length === 0 ? "" : `  (${variables.join(", ")})`}`;
  });
  return new AgentError("invalid-option", "no model is given", {
    hint: `write --model preset:model-id, or set the variable SMOLTS_MODEL to it; presets, with their variables:\n${lines.join("\n")}`,
  });
}

/** Loaded only where it is asked for: the packages are the user's own. */
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

async function readTask(given: string | undefined, input: CommandSurroundings["input"]): Promise<string> {
  const task = given === undefined || given === "-" ? await readAll(given, input) : given;
  if (task.trim() !== "") return task;
  throw new AgentError("invalid-option", "the task is empty", { hint: 'write smolts run "what is to be done"' });
}

async function readAll(given: string | undefined, input: CommandSurroundings["input"]): Promise<string> {
  if (given === undefined && input.isTTY) {
    throw new AgentError("invalid-option", "no task is given", {
      hint: 'write smolts run "what is to be done", or pipe it in',
    });
  }
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of input) text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  return (text + decoder.decode()).trim();
}

async function printJson(events: AsyncIterable<RunEvent>, output: TerminalOutput): Promise<void> {
  for await (const event of events) {
    if (isDurable(event) && output.writable !== false) output.write(`${jsonLine(event)}\n`);
  }
}

/** Where the text of a run goes. */
interface TextPrinting {
  readonly level: RunArguments["level"];
  readonly writer: TerminalWriter;
  readonly interruption: Interruption;
}

async function printText(
  events: AsyncIterable<RunEvent>,
  { level, writer, interruption }: TextPrinting,
): Promise<void> {
  if (level === "off") {
    for await (const _event of events);
    return;
  }
  const sayEnding = (): void => writer.status("ending the run; once more to end at once");
  interruption.signal.addEventListener("abort", sayEnding, { once: true });
  await printEvents(events, writer, level);
  interruption.signal.removeEventListener("abort", sayEnding);
}

function printAnswer(result: RunResult, output: TerminalOutput): void {
  if (!("output" in result) || output.writable === false) return;
  output.write(`${visible(answerText(encodeValue(result.output)), { newlines: true })}\n`);
}
