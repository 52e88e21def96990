import { openRequests } from "@smolts/memory";
import {
  type ApprovalRequest,
  type ContentPart,
  type DurableEvent,
  decodeValue,
  type EncodedValue,
  type EventOf,
  type RunStore,
  type StoredRunStatus,
  type TokenUsage,
  toPlainText,
} from "@smolts/protocol";
import type { HistoryMessage } from "../served-agent.ts";
import { ClientEvents } from "./client-errors.ts";
import { openToRead } from "./open-to-read.ts";
import { noteIn, type RunNote } from "./run-note.ts";

/** A run as read from its log. Its errors contain only what clients may see. */
export interface KeptRun extends RunNote {
  readonly runId: string;
  /** The status of the run. `open` means that the run is active or that its process died. */
  readonly status: StoredRunStatus;
  readonly events: readonly DurableEvent[];
  /** The calls that wait for a person's decision or for a result from the client. */
  readonly pending: readonly ApprovalRequest[];
  readonly startTime: number;
}

/** The format of the ids that this server makes. Other ids are not looked up. */
const runIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Reads a run of a client. Returns null if there is no such run, or if it belongs to another
 * client.
 */
export async function readRun(store: RunStore, runId: string, client: string | null): Promise<KeptRun | null> {
  if (!runIdPattern.test(runId)) return null;
  const events = await eventsOf(store, runId);
  const note = noteIn(events);
  if (!note || (client !== null && note.client !== client)) return null;
  const [first] = events;
  const shown = new ClientEvents(runId);
  return {
    ...note,
    runId,
    events: events.map((event) => shown.of(event)),
    status: statusOf(events),
    pending: openRequests(events),
    startTime: first?.time ?? 0,
  };
}

async function eventsOf(store: RunStore, sessionId: string): Promise<readonly DurableEvent[]> {
  // The server gives each session the id of its run, so this id finds the run's log.
  const log = await openToRead(store, sessionId);
  if (!log) return [];
  await using opened = log;
  const events: DurableEvent[] = [];
  for await (const event of opened.read()) events.push(event);
  return events;
}

function statusOf(events: readonly DurableEvent[]): StoredRunStatus {
  const last = events.findLast(
    (event) => event.path.length === 1 && (event.type === "run-end" || isEdge(event) || event.type === "run-start"),
  );
  if (last?.type === "run-end") return last.status;
  return last?.type === "run-suspend" ? "suspended" : "open";
}

const isEdge = ({ type }: DurableEvent): boolean => type === "run-suspend" || type === "run-resume";

/** Returns the tokens that all models of a run used. */
export function usageOf({ events }: Pick<KeptRun, "events">): TokenUsage {
  const used = events.flatMap((event) =>
    event.type === "model-response" || event.type === "plan" ? [event.usage] : [],
  );
  const total = (name: "inputTokens" | "outputTokens" | "totalTokens"): number =>
    used.reduce((sum, usage) => sum + (usage?.[name] ?? 0), 0);
  return {
    inputTokens: total("inputTokens"),
    outputTokens: total("outputTokens"),
    totalTokens: total("totalTokens"),
  };
}

/** Returns the last event of a run; null if the run has not ended. */
export function endOf({ events }: Pick<KeptRun, "events">): EventOf<"run-end"> | null {
  const end = events.findLast((event) => event.type === "run-end" && event.path.length === 1);
  return end?.type === "run-end" ? end : null;
}

/**
 * Returns the conversation up to the end of a run. The next run gets this conversation as its
 * history.
 */
export function conversationOf(run: Pick<KeptRun, "events">): readonly HistoryMessage[] {
  const start = run.events.find((event) => event.type === "run-start");
  if (start?.type !== "run-start") return [];
  const history = (start.history ?? []) as readonly HistoryMessage[]; // safe cast: a history has no system messages
  const answer = endOf(run)?.answer;
  const said: readonly HistoryMessage[] =
    answer === undefined ? [] : [{ role: "assistant", content: [{ type: "text", text: answerText(answer) }] }];
  return [...history, { role: "user", content: start.task as readonly ContentPart[] }, ...said];
}

/** Returns an answer as text. */
export const answerText = (answer: EncodedValue): string => toPlainText(decodeValue(answer));
