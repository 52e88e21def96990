// Keeps the command line of a run in its log, so that `smolts resume` can create the same agent
// again. The recorded command line contains no API key.

import { AgentError, type DurableEvent, type JsonValue } from "@smolts/protocol";
import type { RunArguments } from "./run-arguments.ts";

/** The name of the log's note that contains the command line. */
export const commandNote = "smolts/command";

/** The part of the command line that describes the agent. */
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

/** A recorded command line, and the folder that its relative paths start from. */
export interface RecordedCommand {
  readonly directory: string;
  readonly given: AgentArguments;
}

/** Returns the note for a command line. */
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
  // JSON removes the fields that are `undefined`.
  return JSON.parse(JSON.stringify({ directory, given: kept })) as JsonValue;
}

/**
 * Returns the command line that began a run; null if a program began it.
 *
 * Use the result only if the log is signed with the key of this store. The command line may name
 * modules, and loading a module runs its code.
 */
export function commandOf(events: readonly DurableEvent[], runId: string): RecordedCommand | null {
  const note = events.find((event) => event.type === "note" && event.runId === runId && event.name === commandNote);
  if (note?.type !== "note") return null;
  // The cast is safe: this file wrote the note, and the log's signature proves it.
  const { directory, given } = note.data as unknown as RecordedCommand;
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
