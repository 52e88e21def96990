// Checks the fields of events. A run file may come from anybody. Events with missing or wrong
// fields are left out, so the rest of the page can trust the fields.

import { type DurableEvent, type EventOf, type EventStamp, isRecord } from "@smolts/protocol";
import { isMediaPart } from "./text/values.ts";

type Check = (value: unknown) => boolean;

/** The latest time that a JavaScript Date can hold, in epoch ms. */
const latestTime = 8.64e15;

const anything: Check = () => true;
const present: Check = (value) => value !== undefined;
const text: Check = (value) => typeof value === "string";
const number: Check = (value) => Number.isFinite(value);
const flag: Check = (value) => typeof value === "boolean";
const time: Check = (value) => Number.isFinite(value) && Math.abs(value as number) <= latestTime;
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const record =
  (fields: { readonly [name: string]: Check } = {}): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, check]) => check(own(value, name)));
/**
 * Returns a check that depends on the `type` of a record. `others` checks the records of unknown
 * types.
 */
const byType = (shapes: { readonly [type: string]: Check }, others: Check): Check => {
  const known = new Map(Object.entries(shapes));
  return (value) => {
    const type = isRecord(value) ? own(value, "type") : undefined;
    return typeof type === "string" && (known.get(type) ?? others)(value);
  };
};

const error = record({ code: text, name: maybe(text), message: text, hint: maybe(text) });
const timing = record({ startTime: time, endTime: time });
const usage = orNull(
  record({
    inputTokens: number,
    outputTokens: number,
    totalTokens: number,
    cachedInputTokens: maybe(number),
    reasoningTokens: maybe(number),
    costUsd: maybe(number),
  }),
);
const part: Check = byType(
  {
    text: record({ text }),
    reasoning: record({ text }),
    image: isMediaPart,
    audio: isMediaPart,
    file: isMediaPart,
    "tool-call": record({ id: text, name: text, rawInput: maybe(text) }),
    "tool-result": record({ id: text, output: (value) => parts(value) }),
  },
  record(),
);
const parts = list(part);
const roles: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);
const message = record({ role: (value) => roles.has(value), content: parts });
const outcome = byType({ ok: record({ value: present }) }, record({ error }));
const decision = byType(
  {
    edit: record({ input: present }),
    deny: record({ reason: maybe(text) }),
    fail: record({ reason: maybe(text) }),
    happened: record({ output: present }),
  },
  record(),
);
const result = byType(
  { value: record({ output: orNull(record({ text })) }), error: record({ error }), stopped: record({ error }) },
  record(),
);

/**
 * The checks of the fields of each event. A field that the page does not read may contain anything.
 */
const shapes: {
  readonly [Type in DurableEvent["type"]]: {
    readonly [Field in Exclude<keyof EventOf<Type>, keyof EventStamp | "type">]-?: Check;
  };
} = {
  "run-start": {
    definitionDigest: anything,
    definitionParts: anything,
    model: text,
    task: parts,
    history: anything,
    systemPrompt: text,
    variables: anything,
    maxSteps: number,
    budget: anything,
    answerSchema: anything,
    language: anything,
    environment: anything,
    forceAnswer: anything,
    seed: anything,
    lineage: anything,
    parentCallId: maybe(text),
    emptySandbox: anything,
  },
  "run-suspend": { callIds: list(text) },
  "run-resume": {
    attempt: number,
    definitionDigest: anything,
    changed: anything,
    environment: anything,
    maxSteps: anything,
    budget: anything,
    emptySandbox: anything,
  },
  fork: {
    parent: record({ runId: text }),
    sum: anything,
    atStep: number,
    copied: anything,
    definitionDigest: anything,
    code: anything,
    seed: anything,
    lineage: anything,
  },
  reset: {},
  "run-end": { status: text, answer: anything, error: maybe(error) },
  plan: { stepNumber: number, plan: text, message, usage, finishReason: anything, timing },
  "model-request": { purpose: text },
  "step-start": { stepNumber: number, tools: anything },
  "model-response": { stepNumber: number, message, usage, finishReason: text, timing },
  "code-start": { stepNumber: number, code: text, cut: anything, sandbox: anything },
  "tool-call": {
    stepNumber: number,
    callId: text,
    callIndex: anything,
    name: text,
    args: list(present),
    providerId: anything,
  },
  "approval-policy": { callId: text, input: anything, definitionDigest: anything },
  "approval-request": {
    callId: text,
    name: text,
    input: present,
    digest: text,
    definitionDigest: anything,
    each: flag,
    expiresAt: maybe(time),
    problem: maybe(text),
    form: anything,
  },
  "approval-response": { callId: text, digest: anything, decision, by: maybe(text) },
  "doubt-request": { callId: text, name: text, input: present, digest: text, problem: maybe(text) },
  "doubt-response": { callId: text, digest: anything, decision, by: maybe(text) },
  "tool-start": {
    callId: text,
    attempt: anything,
    generation: anything,
    input: present,
    effects: anything,
    idempotencyKey: anything,
    definitionDigest: anything,
  },
  "tool-result": { callId: text, outcome },
  console: { stepNumber: number, level: text, text },
  "code-end": { stepNumber: number, result },
  message: { message },
  "check-result": { stepNumber: number, name: text, passed: flag, reason: maybe(text) },
  compaction: {
    stepNumber: number,
    timing: anything,
    reason: text,
    through: anything,
    shortened: anything,
    summary: anything,
    keptCalls: anything,
    usage: anything,
  },
  "step-edit": { stepNumber: number, change: record({ plan: maybe(text), observation: maybe(parts) }) },
  "budget-stop": { stepNumber: number, limit: text, allowed: number, used: number, estimated: maybe(number) },
  "step-end": {
    stepNumber: number,
    observation: parts,
    error: orNull(error),
    answer: orNull(record({ value: present })),
  },
  note: { name: text, data: anything },
};

const stamp = record({ runId: text, path: list(text), seq: number, time });
const shapeOf = new Map(Object.entries(shapes).map(([type, fields]) => [type, record(fields)]));

/** Says whether this version of the page knows events of a type. */
export const isKnownEvent = (type: string): boolean => shapeOf.has(type);

/** Says whether a value is an event. The fields of unknown types are not checked. */
export function isEvent(value: { readonly [key: string]: unknown }): value is DurableEvent & {
  readonly [key: string]: unknown;
} {
  const { type } = value;
  return typeof type === "string" && stamp(value) && (shapeOf.get(type) ?? anything)(value);
}

const own = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? (value as { readonly [name: string]: unknown })[name] : undefined;
