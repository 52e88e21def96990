// The blocks that a session has run so far, so that another thread can be brought to the same state
// after one was killed.

import type { CallOutcome, ExecutionResult, StopReason } from "@smolts/protocol";
import type { ExecutionData } from "./message.ts";

/** An outcome as it was given to a program. */
export interface PastDelivery {
  readonly callIndex: number;
  readonly outcome: CallOutcome;
  readonly time: number;
}

/** An execution that is over. */
export interface PastExecution {
  readonly code: string;
  readonly data: ExecutionData;
  readonly deliveries: readonly PastDelivery[];
}

/** An execution as it is to be repeated: it ends where it ended, whatever the limits say. */
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
 * An execution whose thread was killed: whatever it did is undone, for nobody knows how far it
 * came.
 */
export function killedExecution(code: string, data: ExecutionData, reason: StopReason): PastExecution {
  return { code, data: { ...data, replay: true, replayStop: { reason, operations: 0 } }, deliveries: [] };
}
