import type { DurableBody, RunEvent, TransientBody, TransientEvent } from "./event.ts";

const durableTypes: { readonly [Type in DurableBody["type"]]: true } = {
  "run-start": true,
  "run-suspend": true,
  "run-resume": true,
  fork: true,
  reset: true,
  "run-end": true,
  plan: true,
  "step-start": true,
  "model-response": true,
  "code-start": true,
  "tool-call": true,
  "approval-policy": true,
  "approval-request": true,
  "approval-response": true,
  "doubt-request": true,
  "doubt-response": true,
  "tool-start": true,
  "tool-result": true,
  console: true,
  "code-end": true,
  message: true,
  "check-result": true,
  "step-edit": true,
  compaction: true,
  "budget-stop": true,
  "model-request": true,
  "step-end": true,
  note: true,
};

/**
 * Says whether this version knows a type of durable events. A reader must not skip a durable event
 * of an unknown type, because the event may change the meaning of the rest of the log.
 *
 * @example
 * ```ts
 * import { isDurableType } from "@smolts/protocol";
 *
 * console.log(isDurableType("run-start"), isDurableType("run-teleport")); // true false
 * ```
 */
export const isDurableType = (type: string): type is DurableBody["type"] => Object.hasOwn(durableTypes, type);

const transientTypes: { readonly [Type in TransientBody["type"]]: true } = {
  "text-delta": true,
  "plan-delta": true,
  "reasoning-delta": true,
  "code-delta": true,
  "tool-call-delta": true,
  "tool-progress": true,
  retry: true,
};

/** Says whether an event is only shown to readers, and not kept in the log. */
export const isTransientEvent = (event: RunEvent): event is TransientEvent => Object.hasOwn(transientTypes, event.type);
