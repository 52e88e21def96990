// Creates a run file with the same hostile text in every field that the page shows.

import type { DurableBody, DurableEvent } from "@smolts/protocol";

/** Returns the events of one run, with a step for each text. */
export function hostileLog(texts: readonly string[]): readonly DurableEvent[] {
  const events: DurableEvent[] = [];
  const first = texts[0] ?? "";
  const path = [`agent ${first}`];
  let time = 1_795_000_000_000;
  const add = (body: DurableBody, at: readonly string[] = path): void => {
    time += 40;
    events.push({ ...body, runId: "run", path: at, seq: events.length + 1, time } as DurableEvent);
  };
  const timing = (): { startTime: number; endTime: number } => ({ startTime: time, endTime: time + 30 });
  const start = (text: string, parentCallId?: string): DurableBody => ({
    type: "run-start",
    definitionDigest: text,
    model: `provider/${text}`,
    task: [
      { type: "text", text },
      { type: "image", source: { url: "https://evil.example/task.png" }, name: text },
    ],
    systemPrompt: text,
    variables: { [text]: text },
    maxSteps: texts.length + 1,
    seed: "0",
    lineage: "0",
    ...(parentCallId === undefined ? {} : { parentCallId }),
  });
  add(start(first));
  for (const [index, text] of texts.entries()) {
    const stepNumber = index + 1;
    const message = {
      role: "assistant" as const,
      content: [
        { type: "reasoning" as const, text },
        { type: "text" as const, text: `${text}\n<code>\n${text}\n</code>` },
      ],
    };
    const error = {
      code: "code-execution" as const,
      name: text,
      message: `${text}\nline 1, column 2:\n  x\n  ^`,
      hint: text,
    };
    const plan = `## Facts\n${text}\n## Plan\n1. ${text}\n2. ${text} again`;
    add({ type: "plan", stepNumber, plan, message, usage: null, finishReason: "stop", timing: timing() });
    add({ type: "step-start", stepNumber });
    add({ type: "model-response", stepNumber, message, usage: null, finishReason: "stop", timing: timing() });
    add({ type: "code-start", stepNumber, code: text });
    const callId = `call/${stepNumber}.1`;
    add({ type: "tool-call", stepNumber, callId, callIndex: 1, name: text, args: [{ [text]: text, text }] });
    add({
      type: "approval-request",
      callId,
      name: text,
      input: { [text]: text, text },
      digest: `digest${stepNumber}`,
      definitionDigest: "d",
      each: false,
    });
    if (index % 4 === 3) continue; // this call still waits when the file ends
    add({
      type: "approval-response",
      callId,
      digest: `digest${stepNumber}`,
      decision: { type: "edit", input: { text: `${text} changed` } },
      by: text,
    });
    add({
      type: "tool-start",
      callId,
      attempt: 1,
      generation: 1,
      input: { text },
      effects: "once",
      idempotencyKey: text,
    });
    const inner = [...path, `${text.slice(0, 40)}#${stepNumber}.1`];
    if (index % 3 === 0) {
      add(start(text, callId), inner);
      add({ type: "step-start", stepNumber: 1 }, inner);
      add(
        { type: "model-response", stepNumber: 1, message, usage: null, finishReason: "stop", timing: timing() },
        inner,
      );
      add({ type: "step-end", stepNumber: 1, observation: [], error: null, answer: { value: text } }, inner);
      add({ type: "run-end", status: "success", answer: text }, inner);
    }
    const rows = [
      { [text]: text, other: 1 },
      { [text]: `${text}2`, other: 2 },
    ];
    const outcome = index % 2 === 0 ? { type: "ok" as const, value: rows } : { type: "error" as const, error };
    add({ type: "tool-result", callId, outcome });
    add({ type: "console", stepNumber, level: "log", text });
    add({ type: "console", stepNumber, level: "error", text });
    add({ type: "check-result", stepNumber, name: text, passed: false, reason: text });
    add({ type: "message", message: { role: "user", content: [{ type: "text", text }] } });
    add({ type: "note", name: `vendor/${text}`, data: { [text]: text } });
    add({
      type: "code-end",
      stepNumber,
      result: { type: "value", output: { text, value: { [text]: [text] } }, operations: 1, unawaited: [] },
    });
    const file = {
      type: "file" as const,
      source: { digest: text, mediaType: `text/html;${text}`, size: 3 },
      name: text,
    };
    const image = { type: "image" as const, source: { url: "https://evil.example/o.png" }, name: text };
    add({
      type: "step-end",
      stepNumber,
      observation: [{ type: "text", text }, file, image],
      error: index % 5 === 4 ? error : null,
      answer: null,
    });
  }
  add({ type: "run-end", status: "success", answer: texts.join("\n\n") });
  // Adds a second run, whose answer is a table, and a third run, which failed.
  const later = (status: "success" | "failed", rest: object): void => {
    const runId = `run-${status}`;
    for (const body of [start(first), { type: "run-end", status, ...rest } as DurableBody])
      events.push({ ...body, runId, path: ["agent"], seq: events.length + 1, time: time++ } as DurableEvent);
  };
  later("success", { answer: texts.slice(0, 12).map((text) => ({ [first]: text, html: text })) });
  later("failed", { error: { code: "generation", message: first, hint: first } });
  return events;
}

/** Values that are invalid in most fields. */
const otherValues = [null, 5, -1, 1e308, "constructor", "__proto__", [], {}, [null], [5], { type: "constructor" }];

/**
 * Returns copies of the events. In each copy, one field at any depth is missing or has a wrong
 * value.
 */
export function misshapenLog(events: readonly DurableEvent[]): readonly object[] {
  const copies: object[] = [...events];
  for (const event of events)
    for (const names of fieldsIn(event))
      for (const value of [undefined, ...otherValues])
        copies.push({ ...withField(event, names, value), ...(names[0] === "seq" ? {} : { seq: copies.length + 1 }) });
  return copies;
}

function fieldsIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[name], ...fieldsIn(inner).map((rest) => [name, ...rest])]);
}

function withField(event: object, names: readonly string[], value: unknown): object {
  const copy = structuredClone(event) as Record<string, unknown>;
  let at = copy;
  // The cast is safe: the event has this path.
  for (const name of names.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[names.at(-1)!] = value;
  return copy;
}
