import { type PrintRunOptions, printRun } from "@smolts/cli/terminal";
import type { DurableBody, PassingBody, RunEvent } from "@smolts/protocol";

/** An event, said in short: its body, and where and when it is unlike the one before. */
export type ShortEvent = (DurableBody | PassingBody) & { readonly path?: readonly string[]; readonly after?: number };

/** A fixed beginning of the recorded times, in epoch ms. */
const startTime = 1_700_000_000_000;

/** Gives events their stamps; `after` is the time in ms since the event before. */
export function stamped(events: readonly ShortEvent[]): RunEvent[] {
  let time = startTime;
  return events.map(({ path = ["agent"], after = 0, ...body }, index) => {
    time += after;
    return { ...body, runId: "run", seq: index + 1, time, path } as RunEvent;
  });
}

/** A beginning with little in it. */
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

/** The end of a step in which nothing went wrong. */
export const stepEnd = (stepNumber: number): Extract<ShortEvent, { type: "step-end" }> => ({
  type: "step-end",
  stepNumber,
  observation: [],
  error: null,
  answer: null,
});

/** Something that can be printed and has already happened. */
export function recordedRun(events: readonly ShortEvent[], answer: unknown = "done") {
  const promise = Promise.resolve(answer);
  return {
    async *events(): AsyncGenerator<RunEvent> {
      yield* stamped(events);
    },
    then: promise.then.bind(promise),
  };
}

/** What is printed of these events. */
export async function printed(
  events: readonly ShortEvent[],
  { output, ...options }: Omit<PrintRunOptions, "output"> & { output?: { isTTY?: boolean; columns?: number } } = {},
): Promise<string> {
  let text = "";
  const collect = { ...output, write: (piece: string) => (text += piece) };
  await printRun(recordedRun(events), { color: false, ...options, output: collect });
  return text;
}
