// The blocks that a session has run so far. After a thread was killed, another thread repeats them
// to reach the same state.

import type { CallOutcome, ExecutionResult, StopReason } from "@smolts/protocol";
import type { ExecutionData } from "./message.ts";

/** The outcome of a call, as the program received it. */
export interface PastDelivery {
  readonly callIndex: number;
  readonly outcome: CallOutcome;
  readonly time: number;
}

/** An execution that has ended. */
export interface PastExecution {
  readonly code: string;
  readonly data: ExecutionData;
  readonly deliveries: readonly PastDelivery[];
}

/**
 * Returns the data for repeating an execution. The repetition stops where the execution stopped,
 * regardless of the limits.
 */
export function pastExecution(
  code: string,
  data: ExecutionData,
  deliveries: readonly PastDelivery[],
  result: ExecutionResult,
): PastExecution {
  if (result.type !== "stopped") return { code, data: { ...data, replay: true }, deliveries };
  const { reason, operations } = result;
  return { code, data: { ...data, replay: true, replayStop: { reason, operations } }, deliveries };
}

/**
 * Returns the data for an execution whose thread was killed. None of its code is repeated, because
 * it is unknown how much of it had run.
 */
export function killedExecution(code: string, data: ExecutionData, reason: StopReason): PastExecution {
  return { code, data: { ...data, replay: true, replayStop: { reason, operations: 0 } }, deliveries: [] };
}
