// Which call does a delta belong to? The reference says: the one with its `index`. Servers say it in other ways, too: no index, an index of 0 for every call,
// the id in each delta or only in the first, one id for all calls, or none.

import type { ModelEvent } from "@smolts/protocol";
import { countIn, type LooseObject, objectIn, textIn } from "../loose-json.ts";

/** Makes tool-call events of one answer's deltas. */
export interface ToolCallTracker {
  /** How many calls there are so far. */
  readonly count: number;
  event(delta: LooseObject): Extract<ModelEvent, { type: "tool-call-delta" }>;
  /** The id of the call with this index among our events. */
  idAt(index: number): string;
}

/** A call, with what the server named it by: its index and id on the wire. */
interface Call {
  readonly index: number;
  readonly wireIndex: number | undefined;
  readonly wireId: string | undefined;
  /** The one we gave it. */
  readonly id: string;
}

/** A {@link ToolCallTracker} for one answer. */
export function createToolCallTracker(): ToolCallTracker {
  const calls: Call[] = [];
  return {
    get count() {
      return calls.length;
    },
    event(delta) {
      const callee = objectIn(delta["function"]);
      const name = textIn(callee["name"]);
      const inputText = inputTextOf(callee["arguments"]);
      const call = callOf(calls, delta, name);
      if (call) return { type: "tool-call-delta", index: call.index, inputText };
      const wireId = textIn(delta["id"]);
      const isTaken = wireId === undefined || calls.some((other) => other.wireId === wireId);
      const id = isTaken ? `call_${crypto.randomUUID()}` : wireId;
      const index = calls.push({ index: calls.length, wireIndex: countIn(delta["index"]), wireId, id }) - 1;
      return { type: "tool-call-delta", index, id, ...(name === undefined ? {} : { name }), inputText };
    },
    idAt: (index) => calls[index]?.id ?? "",
  };
}

/** The call that goes on with this delta; undefined when it begins one. */
function callOf(calls: readonly Call[], delta: LooseObject, name: string | undefined): Call | undefined {
  const wireId = textIn(delta["id"]);
  const wireIndex = countIn(delta["index"]);
  if (wireIndex === undefined && wireId !== undefined) return calls.find((call) => call.wireId === wireId);
  if (wireIndex === undefined) return name === undefined ? calls.at(-1) : undefined;
  const call = calls.findLast((other) => other.wireIndex === wireIndex);
  // A second name with an id of its own under a known index: a server that counts every call as the first. (An id alone says nothing: some make one a delta.)
  const isAnother = name !== undefined && wireId !== undefined && wireId !== call?.wireId;
  return isAnother ? undefined : call;
}

/** Some servers send the arguments as an object instead of its text. */
function inputTextOf(input: unknown): string {
  if (typeof input === "string") return input;
  return input === undefined || input === null ? "" : JSON.stringify(input);
}
