// Handles the loss of sandboxes whose executor has `replay: "never"`. Code of earlier steps cannot
// run again in a new sandbox. So either the old sandbox is found again, or its variables and files
// are lost. Only the caller of a run can accept the loss. In that case the log records the loss,
// and later code runs in a new, empty sandbox.

import { type ChatMessage, type DurableEvent, type EventOf, isPathAt } from "@smolts/protocol";
import type { PlanContext } from "./plan-run.ts";
import type { RunRequest } from "./run-request.ts";

/** The loss of a run's sandboxes, and the message about it. */
export interface SandboxLoss {
  /**
   * The `seq` of the last event at which new, empty sandboxes replaced old ones whose executor has
   * `replay: "never"`; 0 if there is none, and Infinity if the next run is about to replace them.
   * The new sandboxes do not have the variables and files of earlier code.
   */
  readonly lostBefore: number;
  /**
   * The message to the model about the loss; null when there is none, or when the model already got
   * the message.
   */
  readonly notice: ChatMessage | null;
}

/**
 * Says whether an event means that new, empty sandboxes replace the old ones. This concerns only
 * executors with `replay: "never"`.
 */
export const abandonsSandbox = (event: DurableEvent): event is EventOf<"run-start" | "run-resume"> =>
  (event.type === "run-start" || event.type === "run-resume") && event.emptySandbox === true;

/** Returns the `seq` of the last event that {@link abandonsSandbox} accepts; 0 if there is none. */
export const lastAbandoned = (events: readonly DurableEvent[]): number => events.findLast(abandonsSandbox)?.seq ?? 0;

/** Says whether a request accepts new, empty sandboxes for its session. */
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

/** Returns the loss of sandboxes for a run that is about to begin. */
export function sandboxLoss(
  { state, definition }: PlanContext,
  request: RunRequest,
  events: readonly DurableEvent[],
): SandboxLoss {
  const lostBefore = asksForEmptySandbox(request) ? Number.POSITIVE_INFINITY : lastAbandoned(events);
  const own = events.filter(({ path }) => isPathAt(path, state.path));
  const hasLost = definition.executor?.replay === "never" && own.some(isBlockBefore(lostBefore));
  const isReported = own.some(({ seq }) => seq > lostBefore);
  return { lostBefore, notice: hasLost && !isReported ? lossNotice : null };
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
