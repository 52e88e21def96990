// The ids that clients see for calls of their tools. They contain the id of the run, because
// nothing else in the client's next request says which run it continues.

import { toHex } from "@smolts/protocol";

/** A call and its run. */
export interface CallPlace {
  readonly runId: string;
  /** The id of the call in the run's log. */
  readonly callId: string;
}

const pattern = /^call_([0-9a-f]{32})_([0-9a-f]{2,800})$/;

/** Returns the id under which clients see a call. */
export function toCallId({ runId, callId }: CallPlace): string {
  const hex = toHex(new TextEncoder().encode(callId));
  return `call_${runId.replaceAll("-", "")}_${hex}`;
}

/** Reads a call's id. Returns null if this server did not make the id. */
export function fromCallId(id: string): CallPlace | null {
  const [, run, hex] = pattern.exec(id) ?? [];
  if (run === undefined || hex === undefined || hex.length % 2 === 1) return null;
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return { runId: toRunId(run), callId: new TextDecoder().decode(bytes) };
}

/** Returns the id of a run from its 32 digits. */
const toRunId = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
