// The command line of a run as its log keeps it, so that `smolts resume` makes the same agent
// again. No key is in it.

import { AgentError, type DurableEvent, type JsonValue } from "@smolts/protocol";
import type { RunArguments } from "./run-arguments.ts";

/** The name of the note. */
export const commandNote = "smolts/command";

/** The part of the command line that makes the agent. */
type AgentArguments = Pick<
  RunArguments,
  | "model"
  | "baseUrl"
  | "agent"
  | "agentFile"
  | "trustCode"
  | "tools"
  | "mcp"
  | "imports"
  | "executor"
  | "language"
  | "maxSteps"
  | "planEvery"
  | "instructions"
>;

/** A recorded command line, and where its relative paths begin. */
export interface RecordedCommand {
  readonly directory: string;
  readonly given: AgentArguments;
}

/** The note of a command line. */
export function recordedCommand(given: RunArguments, defaultModel: string | undefined, directory: string): JsonValue {
  const { agent, agentFile, trustCode, tools, mcp, imports, executor, language, maxSteps, planEvery, instructions } =
    given;
  const baseUrl = given.baseUrl === undefined ? undefined : withoutCredentials(given.baseUrl);
  const model = given.model ?? (agentFile === undefined ? defaultModel : undefined);
  const kept = {
    model,
    baseUrl,
    agent,
    agentFile,
    trustCode,
    tools,
    mcp: mcp.map(withoutCredentials),
    imports,
    executor,
    language,
    maxSteps,
    planEvery,
    instructions,
  };
  return JSON.parse(JSON.stringify({ directory, given: kept })) as JsonValue; // without what is not set
}

/**
 * The command line that began a run; null when a program began it.
 *
 * The log must be vouched for by the key of its store: loading what a note names runs code.
 */
export function commandOf(events: readonly DurableEvent[], runId: string): RecordedCommand | null {
  const note = events.find((event) => event.type === "note" && event.runId === runId && event.name === commandNote);
  if (note?.type !== "note") return null;
  const { directory, given } = note.data as unknown as RecordedCommand; // this file wrote it, and the key vouches for it
  if (typeof directory === "string" && typeof given === "object") return { directory, given };
  throw new AgentError("log", `the note "${commandNote}" of the run cannot be read`, {
    hint: "name the agent: --agent ./agent.ts",
  });
}

function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href;
}
