// Builds small logs of one agent from lists of events.

import { type MemoryLog, memoryLog } from "@smolts/memory";
import type { ActionStep, ContentPart, DurableBody, EventOf, TokenUsage } from "@smolts/protocol";

export const at = { runId: "run-1", path: ["agent"] } as const;

export const usage: TokenUsage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

/** Returns a log of these events, one millisecond apart. */
export function logOf(...bodies: readonly DurableBody[]): MemoryLog {
  let time = 0;
  const log = memoryLog({ id: "log-1", now: () => ++time });
  for (const body of bodies) log.append(body, at);
  return log;
}

export const start = (task: string, systemPrompt = "You are an agent."): DurableBody => ({
  type: "run-start",
  definitionDigest: "d",
  model: "scripted/model",
  task: [text(task)],
  systemPrompt,
  variables: {},
  maxSteps: 20,
  seed: "00",
  lineage: "00",
});

export const says = (stepNumber: number, ...content: readonly ContentPart[]): DurableBody => ({
  type: "model-response",
  stepNumber,
  message: { role: "assistant", content },
  usage,
  finishReason: "stop",
  timing: { startTime: 0, endTime: 1 },
});

export const ends = (stepNumber: number, rest: Partial<EventOf<"step-end">> = {}): DurableBody => ({
  type: "step-end",
  stepNumber,
  observation: [],
  error: null,
  answer: null,
  ...rest,
});

export const text = (content: string): ContentPart => ({ type: "text", text: content });

export const call = (id: string, name = "search"): ContentPart => ({ type: "tool-call", id, name, input: { q: id } });

export const result = (id: string, output: string): ContentPart => ({
  type: "tool-result",
  id,
  output: [text(output)],
  isError: false,
});

/** Returns an empty action step with these fields. */
export const action = (rest: Partial<ActionStep> = {}): ActionStep => ({
  type: "action",
  runId: "run-1",
  stepNumber: 1,
  modelOutput: null,
  code: null,
  toolCalls: [],
  logs: "",
  output: null,
  observation: [],
  error: null,
  answer: null,
  usage: null,
  timing: { startTime: 0, endTime: 1 },
  ...rest,
});
