// Which call does a delta belong to? The reference says: the one with its `index`. Servers say it
// in other ways, too: no index, an index of 0 for every call, the id in each delta or only in the
// first, one id for all calls, or none. What no rule can place makes the answer unsound: a call
// must not run with half its input.

import type { ModelEvent } from "@smolts/protocol";
import { countIn, isObject, type LooseObject, objectIn, parsedJson, textIn } from "./loose-json.ts";

type ToolCallDelta = Extract<ModelEvent, { type: "tool-call-delta" }>;

/** Makes tool-call events of one answer's deltas. */
export interface ToolCallTracker {
  /** How many calls there are so far. */
  readonly count: number;
  /** The calls that cannot be right. */
  readonly flaw: string | undefined;
  /** Null for a delta that says nothing new, or that belongs to no call. */
  event(delta: LooseObject): ToolCallDelta | null;
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
  name: string | undefined;
  inputText: string;
}

/** A {@link ToolCallTracker} for one answer. */
export function createToolCallTracker(): ToolCallTracker {
  const calls: Call[] = [];
  let hasStray = false;
  return {
    get count() {
      return calls.length;
    },
    get flaw() {
      if (hasStray) return "it has a piece of a tool call that never began";
      return calls.some(({ name }) => name === undefined) ? "it has a tool call without a name" : undefined;
    },
    event(delta) {
      const callee = objectIn(delta["function"]);
      const name = textIn(callee["name"]);
      const inputText = inputTextOf(callee["arguments"]);
      const call = callOf(calls, delta, name, inputText);
      if (call) return goOn(call, name, inputText);
      const wireId = textIn(delta["id"]);
      hasStray ||= wireId === undefined && name === undefined;
      if (hasStray) return null;
      const isTaken = wireId === undefined || calls.some((other) => other.wireId === wireId);
      const id = isTaken ? `call_${crypto.randomUUID()}` : wireId;
      const wireIndex = countIn(delta["index"]);
      const index = calls.push({ index: calls.length, wireIndex, wireId, id, name, inputText }) - 1;
      return { type: "tool-call-delta", index, id, ...(name === undefined ? {} : { name }), inputText };
    },
    idAt: (index) => calls[index]?.id ?? "",
  };
}

function goOn(call: Call, name: string | undefined, inputText: string): ToolCallDelta | null {
  // A whole call, sent a second time.
  if (name !== undefined && isWhole(call)) return null;
  call.inputText += inputText;
  const isNamedNow = call.name === undefined && name !== undefined;
  if (isNamedNow) call.name = name;
  return { type: "tool-call-delta", index: call.index, ...(isNamedNow ? { name } : {}), inputText };
}

/** The call that this delta continues; undefined when it begins one. */
function callOf(
  calls: readonly Call[],
  delta: LooseObject,
  name: string | undefined,
  inputText: string,
): Call | undefined {
  const call = namedCall(calls, delta, name);
  // A whole call is named again: the same one, sent twice, or another one of a server that numbers
  // all of them alike.
  const isAnother = call && name !== undefined && isWhole(call) && (name !== call.name || inputText !== call.inputText);
  const isSameId = textIn(delta["id"]) !== undefined && textIn(delta["id"]) === call?.wireId;
  return isAnother && !(isSameId && inputText === "") ? undefined : call;
}

const isWhole = ({ inputText }: Call): boolean => isObject(parsedJson(inputText));

/** The call that the delta names by index or id. */
function namedCall(calls: readonly Call[], delta: LooseObject, name: string | undefined): Call | undefined {
  const wireId = textIn(delta["id"]);
  const wireIndex = countIn(delta["index"]);
  if (wireIndex === undefined && wireId !== undefined) return calls.findLast((call) => call.wireId === wireId);
  if (wireIndex === undefined) return name === undefined ? calls.at(-1) : undefined;
  const call = calls.findLast((other) => other.wireIndex === wireIndex);
  // A wrong index, and only one call that can be meant.
  if (call === undefined && wireId === undefined && name === undefined && calls.length === 1) return calls[0];
  // A second name with an id of its own under a known index: a server that counts every call as the
  // first. (An id alone says nothing: some make one a delta.)
  const isAnother = name !== undefined && wireId !== undefined && wireId !== call?.wireId;
  return isAnother ? undefined : call;
}

/** Some servers send the arguments as an object instead of its text. */
function inputTextOf(input: unknown): string {
  if (typeof input === "string") return input;
  return input === undefined || input === null ? "" : JSON.stringify(input);
}
