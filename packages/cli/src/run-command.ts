import { resolve } from "node:path";
import {
  type AgentOptions,
  type AgentRun,
  CodeAgent,
  type MultiStepAgent,
  type RunResult,
  ToolCallingAgent,
} from "@smolts/core";
import { image } from "@smolts/core/media";
import { presets, resolveModel } from "@smolts/models";
import { AgentError, encodeValue, type Model, visible } from "@smolts/protocol";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import type { Interruption } from "./interruption.ts";
import { isDurable, jsonLine } from "./json-line.ts";
import { loadTools } from "./load-tools.ts";
import { printError } from "./print-error.ts";
import type { RunArguments } from "./run-arguments.ts";
import { printEvents } from "./terminal/print-run.ts";
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
}

/**
 * Runs an agent as the command line says, and gives the exit code.
 *
 * @throws AgentError `invalid-option` when the agent cannot be made
 */
export async function runCommand(given: RunArguments, surroundings: CommandSurroundings): Promise<number> {
  const { interruption, environment, directory } = surroundings;
  const agent = createAgent(given, chooseModel(given, environment), await loadTools(given.tools, directory));
  const task = await readTask(given.task, surroundings.input);
  const images = given.images.map((source) => image(isAddress(source) ? source : resolve(directory, source)));
  const run = agent.run(task, { images, signal: interruption.signal });
  interruption.beginRun();
  await (given.json ? printJson(run, surroundings.output) : printText(run, given.level, surroundings));
  const { status, error } = await run.result;
  if (error && (given.json || given.level === "off")) printError(error, surroundings.errorOutput);
  return status === "aborted" ? (interruption.exitCode ?? exitCodes.interrupted) : exitCodeOf(status, error);
}

const isAddress = (source: string): boolean => /^(?:https?|data):/i.test(source);

function chooseModel({ model, baseUrl, apiKey }: RunArguments, environment: CommandSurroundings["environment"]): Model {
  const name = model ?? environment["SMOLTS_MODEL"];
  if (!name) throw missingModel();
  return resolveModel(name, {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  });
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

function createAgent(
  { agent, instructions, maxSteps, planEvery }: RunArguments,
  model: Model,
  tools: NonNullable<AgentOptions["tools"]>,
): MultiStepAgent {
  const options = {
    model,
    tools,
    ...(instructions === undefined ? {} : { instructions }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(planEvery === undefined ? {} : { planningInterval: planEvery }),
  };
  return agent === "code" ? new CodeAgent(options) : new ToolCallingAgent(options);
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

async function printJson(run: AgentRun, output: TerminalOutput): Promise<void> {
  for await (const event of run.events()) {
    if (isDurable(event) && output.writable !== false) output.write(`${jsonLine(event)}\n`);
  }
}

async function printText(
  run: AgentRun,
  level: RunArguments["level"],
  { output, interruption }: CommandSurroundings,
): Promise<void> {
  if (level !== "off") {
    const writer = new TerminalWriter({ output });
    const sayEnding = (): void => writer.status("ending the run; once more to end at once");
    interruption.signal.addEventListener("abort", sayEnding, { once: true });
    await printEvents(run.events(), writer, level);
    interruption.signal.removeEventListener("abort", sayEnding);
  }
  // Below `info` the renderer leaves the answer out; whoever runs the command wants it all the same.
  if (level === "off" || level === "error") printAnswer(await run.result, output);
}

function printAnswer(result: RunResult, output: TerminalOutput): void {
  if (!("output" in result) || output.writable === false) return;
  output.write(`${visible(answerText(encodeValue(result.output)), { newlines: true })}\n`);
}
