// A sandbox that cannot run code again is found again, or what it held is lost. Only a caller can
// accept that loss, and the log records it: no block before that event has anything left in a
// sandbox.

import { type ChatMessage, type DurableEvent, type EventOf, isPathAt } from "@smolts/protocol";
import type { Beginner } from "./plan-run.ts";
import type { RunRequest } from "./run-request.ts";

/** The sandboxes that a run has given up. */
export interface SandboxLoss {
  /**
   * Code of events before this `seq` has left nothing in a sandbox that cannot run code again; 0
   * when none was given up.
   */
  readonly lostBefore: number;
  /** Tells the model, if it has not been told; null for nothing to tell. */
  readonly notice: ChatMessage | null;
}

/** Whether an event gives up the sandboxes before it. */
export const givesUpSandbox = (event: DurableEvent): event is EventOf<"run-start" | "run-resume"> =>
  (event.type === "run-start" || event.type === "run-resume") && event.emptySandbox === true;

/** The `seq` of the last event that gave up the sandboxes before it; 0 for none. */
export const lastGivenUp = (events: readonly DurableEvent[]): number => events.findLast(givesUpSandbox)?.seq ?? 0;

/** Whether a request gives up the sandboxes of its session. */
export function asksForEmptySandbox(request: RunRequest): boolean {
  switch (request.type) {
    case "fresh":
      return request.options.emptySandbox === true;
    case "resume":
      return request.emptySandbox;
    case "fork":
      return request.resume.emptySandbox;
    case "work":
      return false;
    default:
      return request satisfies never;
  }
}

/** Lists what a run that is about to begin has lost. */
export function sandboxLoss(
  { state, definition }: Beginner,
  request: RunRequest,
  events: readonly DurableEvent[],
): SandboxLoss {
  const lostBefore = asksForEmptySandbox(request) ? Number.POSITIVE_INFINITY : lastGivenUp(events);
  const own = events.filter(({ path }) => isPathAt(path, state.path));
  const hasLost = definition.executor?.replay === "never" && own.some(isBlockBefore(lostBefore));
  const isTold = own.some(({ seq }) => seq > lostBefore);
  return { lostBefore, notice: hasLost && !isTold ? lossNotice : null };
}

const isBlockBefore =
  (lostBefore: number) =>
  ({ type, seq }: DurableEvent): boolean =>
    type === "code-start" && seq < lostBefore;

const lossNotice: ChatMessage = {
  role: "user",
  content: [
    {
      type: "text",
      text:
        "The sandbox that ran your code was lost. A new, empty one takes its place: all variables, imports and files of earlier steps are gone. " +
        "Define again what you need. Tool calls that were made have happened; do not repeat them only to restore variables.",
    },
  ],
};
