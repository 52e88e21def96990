// Creates a fork: a new run that shares the first steps of another run. Its log begins with a
// `fork` event and a copy of the shared events. After that, the fork is resumed like any other run:
// the shared code runs again with its recorded results, and the run continues from there.

import { blobsNamedIn } from "@smolts/memory";
import {
  AgentError,
  type ChatMessage,
  type DurableBody,
  type DurableEvent,
  type EventOf,
  invalidOption,
  type JsonValue,
  type Path,
  type RunLog,
  randomHex,
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import { digestOf } from "../run/digest.ts";
import { sinceReset } from "./reset.ts";

/** The run to fork, the step at which to fork it, and what differs in the fork. */
export interface ForkRequest {
  readonly parent: RunLog;
  /** The run to fork; null for the last run of the log. */
  readonly parentRunId: string | null;
  readonly atStep: number;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly repeatEffects: boolean;
}

/** The agent and the run for which a fork is made. */
export interface ForkTarget {
  readonly definition: AgentDefinition;
  readonly path: Path;
  readonly runId: string;
  readonly definitionDigest: string;
}

/** An event that was recorded in one log and is copied into another. */
export type CopiedEvent = DurableBody & Pick<DurableEvent, "runId" | "path" | "time">;

/**
 * Returns the first events of a fork's log.
 *
 * @throws AgentError `log` when the parent's log does not contain the run; `invalid-option` when
 * the run does not have the step; `effects-repeat` when calls with effects would be repeated
 */
export async function forkedEvents(
  parentEvents: readonly DurableEvent[],
  request: ForkRequest,
  target: ForkTarget,
): Promise<readonly CopiedEvent[]> {
  const { parent, atStep, code, message } = request;
  const start = startOf(parentEvents, request, target.path);
  const cut = cutBefore(parentEvents, start, atStep);
  if (!request.repeatEffects) mustHaveNoEffects(parentEvents.slice(cut), start, atStep);
  const shared = sinceReset(parentEvents.slice(0, cut));
  const copies = withRunIds(shared, start.runId, target.runId);
  const at = { runId: target.runId, path: target.path, time: shared.at(-1)?.time ?? start.time };
  const added: readonly DurableBody[] = [
    ...(code === undefined ? [] : writtenStep(parentEvents.slice(cut), { start, atStep, code }, target.definition)),
    ...(message === undefined ? [] : [{ type: "message", message: userMessage(message) } as const]),
  ];
  const fork: EventOf<"fork"> | CopiedEvent = {
    type: "fork",
    parent: { log: parent.id, runId: start.runId, seq: cut },
    sum: await digestOf(shared),
    atStep,
    copied: copies.length + added.length,
    definitionDigest: target.definitionDigest,
    ...(code === undefined ? {} : { code }),
    seed: randomHex(),
    lineage: randomHex(),
    ...at,
    time: Date.now(),
  };
  return [fork, ...copies, ...added.map((body) => Object.assign({}, body, at))];
}

/**
 * Throws if the log of a fork does not contain all events that it shares with its parent. This
 * happens if a process died while it copied them.
 *
 * @throws AgentError `log-truncated`
 */
export function mustBeCopied(events: readonly DurableEvent[]): void {
  const [first] = events;
  if (first?.type !== "fork" || events.length > first.copied) return;
  throw new AgentError(
    "log-truncated",
    `the fork should have copied ${first.copied} events, but its log has only ${events.length - 1} of them`,
    { hint: `fork the run "${first.parent.runId}" again` },
  );
}

/** Copies the images and other bytes that the events refer to. */
export async function copyBlobs(events: readonly object[], from: RunLog, to: Pick<RunLog, "putBlob">): Promise<void> {
  for (const [digest, mediaType] of blobsNamedIn(events)) await to.putBlob(await from.readBlob(digest), mediaType);
}

function startOf(
  events: readonly DurableEvent[],
  { parent, parentRunId }: ForkRequest,
  path: Path,
): EventOf<"run-start"> {
  const isStart = (event: DurableEvent): event is EventOf<"run-start"> =>
    event.type === "run-start" && isAt(event, path) && (parentRunId === null || event.runId === parentRunId);
  const start = events.findLast(isStart);
  if (start) return start;
  const which = parentRunId === null ? "run" : `run "${parentRunId}"`;
  throw new AgentError("log", `the log "${parent.id}" has no ${which} of the agent "${path.join("/")}" to fork`, {
    hint: "pass the log and the id of a run that this agent began",
  });
}

/**
 * Returns the index of the first event that belongs to a step. If the step would come right after
 * the last step, returns the index of the run's end.
 */
function cutBefore(events: readonly DurableEvent[], { runId, path }: EventOf<"run-start">, atStep: number): number {
  const ofRun = events.flatMap((event, index) =>
    event.runId === runId && isAt(event, path) ? [{ event, index }] : [],
  );
  const begins = ofRun.find(({ event }) => isBeginningOf(event, atStep));
  if (begins) return begins.index;
  const ended = ofRun.flatMap(({ event }) => (event.type === "step-end" ? [event.stepNumber] : []));
  const last = Math.max(0, ...ended);
  const { event: lastEvent, index: lastIndex } = ofRun.at(-1) ?? { index: events.length };
  if (atStep === last + 1) return lastEvent?.type === "run-end" ? lastIndex : lastIndex + 1;
  throw invalidOption(
    `the run "${runId}" has no step ${atStep} to fork at`,
    `take a step from 1 to ${last + 1}; ${last + 1} continues after the last one`,
  );
}

function isBeginningOf(event: DurableEvent, step: number): boolean {
  switch (event.type) {
    case "model-request":
      return event.purpose === "plan" && event.stepNumber === step;
    case "plan":
    case "step-start":
    case "budget-stop":
      return event.stepNumber === step;
    default:
      return false;
  }
}

const isAt = (event: DurableEvent, path: Path): boolean => event.path.join("/") === path.join("/");

/**
 * Refuses a fork if calls with effects happened in the steps that the fork runs again. The effects
 * would happen a second time, because the idempotency keys would differ.
 */
function mustHaveNoEffects(events: readonly DurableEvent[], { runId }: EventOf<"run-start">, atStep: number): void {
  const names = new Map(events.flatMap((event) => (event.type === "tool-call" ? [[event.callId, event.name]] : [])));
  const effects = events.flatMap((event) =>
    event.runId === runId && event.type === "tool-start"
      ? [{ id: event.callId, name: names.get(event.callId) ?? "a tool", input: event.input as JsonValue }]
      : [],
  );
  if (effects.length === 0) return;
  const shown = effects.slice(0, 5).map(({ name, input }) => `${name}(${JSON.stringify(input)})`);
  const more = effects.length > shown.length ? ` and ${effects.length - shown.length} more` : "";
  throw new AgentError(
    "effects-repeat",
    `the steps from ${atStep} on had effects, which the fork may repeat: ${shown.join(", ")}${more}`,
    {
      hint: "look at error.details; if all of them may happen again, fork with { repeatEffects: true }",
      details: effects,
    },
  );
}

/** Gives each copied run a new id, because a run id must not occur in two logs. */
function withRunIds(events: readonly DurableEvent[], runId: string, forkId: string): readonly CopiedEvent[] {
  const ids = new Map([[runId, forkId]]);
  return events.map(({ seq: _seq, ...event }) => {
    const id = ids.get(event.runId) ?? crypto.randomUUID();
    ids.set(event.runId, id);
    return Object.assign({}, event, { runId: id });
  });
}

interface WrittenStep {
  readonly start: EventOf<"run-start">;
  readonly atStep: number;
  readonly code: string;
}

/**
 * Returns the events of a step in which the user's code replaces the model's code. In these events,
 * the model itself has written the code, and the step has used no tokens.
 */
function writtenStep(
  events: readonly DurableEvent[],
  { start, atStep, code }: WrittenStep,
  { behaviour }: AgentDefinition,
): readonly DurableBody[] {
  const isResponse = (event: DurableEvent): event is EventOf<"model-response"> =>
    event.type === "model-response" && event.stepNumber === atStep && event.runId === start.runId;
  const original = events.find((event) => isResponse(event) && isAt(event, start.path));
  if (!behaviour.withCode)
    throw invalidOption("this agent does not write code, so its fork cannot take any", "leave code out");
  const message = behaviour.withCode(original && isResponse(original) ? original.message : null, code);
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0, costUsd: 0 };
  const now = Date.now();
  return [
    { type: "step-start", stepNumber: atStep },
    {
      type: "model-response",
      stepNumber: atStep,
      message,
      usage,
      finishReason: "stop",
      timing: { startTime: now, endTime: now },
    },
  ];
}

const userMessage = (text: string): ChatMessage => ({ role: "user", content: [{ type: "text", text }] });
