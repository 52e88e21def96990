// The ids by which clients know the calls of their tools. The id of the run is in them: the next
// request has no other way to say which run it continues with.

/** A call of a run. */
export interface CallPlace {
  readonly runId: string;
  /** Its id in the log. */
  readonly callId: string;
}

const pattern = /^call_([0-9a-f]{32})_([0-9a-f]{2,800})$/;

/** The client's id of a call. */
export function toCallId({ runId, callId }: CallPlace): string {
  const hex = Array.from(new TextEncoder().encode(callId), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `call_${runId.replaceAll("-", "")}_${hex}`;
}

/** Reads an id; null for one that is not of this server. */
export function fromCallId(id: string): CallPlace | null {
  const [, run, hex] = pattern.exec(id) ?? [];
  if (run === undefined || hex === undefined || hex.length % 2 === 1) return null;
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return { runId: toRunId(run), callId: new TextDecoder().decode(bytes) };
}

/** The id of a run out of its 32 digits. */
export const toRunId = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
