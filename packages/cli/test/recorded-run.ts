import { type PrintRunOptions, printRun } from "@smolts/cli/terminal";
import type { DurableBody, RunEvent, TransientBody } from "@smolts/protocol";

/**
 * A short form of an event. Tests write only the body, and where needed the agent's path and the
 * time since the previous event.
 */
export type ShortEvent = (DurableBody | TransientBody) & { readonly path?: readonly string[]; readonly after?: number };

/** The start of the recorded times, in epoch ms. */
const startTime = 1_700_000_000_000;

/** Adds ids and times to events. `after` is the time in ms since the previous event. */
function stamped(events: readonly ShortEvent[]): RunEvent[] {
  let time = startTime;
  return events.map(({ path = ["agent"], after = 0, ...body }, index) => {
    time += after;
    return { ...body, runId: "run", seq: index + 1, time, path } as RunEvent;
  });
}

/** Returns a `run-start` event with few fields. */
export const runStart = (task: string): Extract<ShortEvent, { type: "run-start" }> => ({
  type: "run-start",
  definitionDigest: "d",
  model: "scripted/model",
  task: [{ type: "text", text: task }],
  systemPrompt: "You are an agent.",
  variables: {},
  maxSteps: 3,
  seed: "0",
  lineage: "0",
});

/** A model's answer with this text. */
export const modelResponse = (stepNumber: number, text: string): ShortEvent => ({
  type: "model-response",
  stepNumber,
  message: { role: "assistant", content: [{ type: "text", text }] },
  usage: { inputTokens: 1_200, outputTokens: 34, totalTokens: 1_234 },
  finishReason: "stop",
  timing: { startTime, endTime: startTime },
});

/** Returns the end of a step without an error. */
export const stepEnd = (stepNumber: number): Extract<ShortEvent, { type: "step-end" }> => ({
  type: "step-end",
  stepNumber,
  observation: [],
  error: null,
  answer: null,
});

/** Returns a run that is already over and can be printed. */
export function recordedRun(events: readonly ShortEvent[], answer: unknown = "done") {
  const promise = Promise.resolve(answer);
  return {
    async *events(): AsyncGenerator<RunEvent> {
      yield* stamped(events);
    },
    then: promise.then.bind(promise),
  };
}

/** Returns the printed text of these events. */
export async function printed(
  events: readonly ShortEvent[],
  { output, ...options }: Omit<PrintRunOptions, "output"> & { output?: { isTTY?: boolean; columns?: number } } = {},
): Promise<string> {
  let text = "";
  const collect = { ...output, write: (piece: string) => (text += piece) };
  await printRun(recordedRun(events), { color: false, ...options, output: collect });
  return text;
}
