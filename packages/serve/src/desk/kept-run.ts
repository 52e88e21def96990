import { openRequests } from "@smolts/memory";
import type {
  ApprovalRequest,
  ContentPart,
  DurableEvent,
  EncodedValue,
  EventOf,
  RunStore,
  StoredRunStatus,
  TokenUsage,
} from "@smolts/protocol";
import type { HistoryMessage } from "../served-agent.ts";
import { openToRead } from "./open-to-read.ts";
import { noteIn, type RunNote } from "./run-note.ts";
import { ToldEvents } from "./told-errors.ts";

/** A run as its log tells it, with the errors as clients see them. */
export interface KeptRun extends RunNote {
  readonly runId: string;
  /** `open`: it is going on, or its process died. */
  readonly status: StoredRunStatus;
  readonly events: readonly DurableEvent[];
  /** Calls that it waits for: of people, and of its client. */
  readonly pending: readonly ApprovalRequest[];
  readonly startTime: number;
}

/** Ids of runs are made here; a client that sends anything else is not looked up anywhere. */
const runIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads a run of a client; null when there is none, or it is another client's. */
export async function readRun(store: RunStore, runId: string, client: string | null): Promise<KeptRun | null> {
  if (!runIdPattern.test(runId)) return null;
  const events = await eventsOf(store, runId);
  const note = noteIn(events);
  if (!note || (client !== null && note.client !== client)) return null;
  const [first] = events;
  const told = new ToldEvents(runId);
  return {
    ...note,
    runId,
    events: events.map((event) => told.of(event)),
    status: statusOf(events),
    pending: openRequests(events),
    startTime: first?.time ?? 0,
  };
}

async function eventsOf(store: RunStore, sessionId: string): Promise<readonly DurableEvent[]> {
  // A lone run has the id of its session.
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

/** The tokens of all models of a run. */
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

/** How a run ended; null while it has not. */
export function endOf({ events }: Pick<KeptRun, "events">): EventOf<"run-end"> | null {
  const end = events.findLast((event) => event.type === "run-end" && event.path.length === 1);
  return end?.type === "run-end" ? end : null;
}

/** The conversation up to the end of a run, as the history of the next one. */
export function conversationOf(run: Pick<KeptRun, "events">): readonly HistoryMessage[] {
  const start = run.events.find((event) => event.type === "run-start");
  if (start?.type !== "run-start") return [];
  const history = (start.history ?? []) as readonly HistoryMessage[]; // of any role but system
  const answer = endOf(run)?.answer;
  const said: readonly HistoryMessage[] =
    answer === undefined ? [] : [{ role: "assistant", content: [{ type: "text", text: answerText(answer) }] }];
  return [...history, { role: "user", content: start.task as readonly ContentPart[] }, ...said];
}

/** An answer as a text. */
export const answerText = (answer: EncodedValue): string =>
  typeof answer === "string" ? answer : JSON.stringify(answer);
