// Finds the tool call to which a delta belongs. According to the API's reference, it is the call
// with the delta's `index`. But servers differ: some send no index, an index of 0 for every call,
// the id in each delta or only in the first, one id for all calls, or no id. If no rule finds the
// call, the answer is treated as flawed, because a call must not run with half of its input.

import { isRecord, type ModelEvent } from "@smolts/protocol";
import { countIn, type LooseObject, objectIn, parsedJson, textIn } from "./loose-json.ts";

type ToolCallDelta = Extract<ModelEvent, { type: "tool-call-delta" }>;

/** Converts the tool-call deltas of one answer to events. */
export interface ToolCallTracker {
  /** The number of calls so far. */
  readonly count: number;
  /**
   * Describes what is wrong with the calls, such as missing parts. Undefined if nothing is wrong.
   */
  readonly flaw: string | undefined;
  /** Returns the event for a delta. Null if the delta adds nothing new, or belongs to no call. */
  event(delta: LooseObject): ToolCallDelta | null;
  /** Returns the id of the call with this index in our events. */
  idAt(index: number): string;
}

/** A tool call, with the index and the id that the server uses for it. */
interface Call {
  readonly index: number;
  readonly wireIndex: number | undefined;
  readonly wireId: string | undefined;
  /** The id in our events. */
  readonly id: string;
  name: string | undefined;
  inputText: string;
}

/** Creates a {@link ToolCallTracker} for one answer. */
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
      if (call) return continueCall(call, name, inputText);
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

function continueCall(call: Call, name: string | undefined, inputText: string): ToolCallDelta | null {
  // Ignore a call that the server sends a second time.
  if (name !== undefined && isWhole(call)) return null;
  call.inputText += inputText;
  const isNamedNow = call.name === undefined && name !== undefined;
  if (isNamedNow) call.name = name;
  return { type: "tool-call-delta", index: call.index, ...(isNamedNow ? { name } : {}), inputText };
}

/** Returns the call that this delta continues, or undefined if the delta begins a new call. */
function callOf(
  calls: readonly Call[],
  delta: LooseObject,
  name: string | undefined,
  inputText: string,
): Call | undefined {
  const call = namedCall(calls, delta, name);
  // If a call is complete and the delta has a name again, the delta either repeats that call or
  // begins another call. Some servers use the same index for all calls.
  const isAnother = call && name !== undefined && isWhole(call) && (name !== call.name || inputText !== call.inputText);
  const isSameId = textIn(delta["id"]) !== undefined && textIn(delta["id"]) === call?.wireId;
  return isAnother && !(isSameId && inputText === "") ? undefined : call;
}

const isWhole = ({ inputText }: Call): boolean => isRecord(parsedJson(inputText));

/** Returns the call that the delta names by its index or id. */
function namedCall(calls: readonly Call[], delta: LooseObject, name: string | undefined): Call | undefined {
  const wireId = textIn(delta["id"]);
  const wireIndex = countIn(delta["index"]);
  if (wireIndex === undefined && wireId !== undefined) return calls.findLast((call) => call.wireId === wireId);
  if (wireIndex === undefined) return name === undefined ? calls.at(-1) : undefined;
  const call = calls.findLast((other) => other.wireIndex === wireIndex);
  // The index is wrong, but there is only one call to which the delta can belong.
  if (call === undefined && wireId === undefined && name === undefined && calls.length === 1) return calls[0];
  // A known index with another name and a new id begins a new call: some servers send the same
  // index for every call. A new id alone proves nothing, because some servers create a new id for
  // each delta.
  const isAnother = name !== undefined && wireId !== undefined && wireId !== call?.wireId;
  return isAnother ? undefined : call;
}

/** Returns the arguments as text. Some servers send them as an object. */
function inputTextOf(input: unknown): string {
  if (typeof input === "string") return input;
  return input === undefined || input === null ? "" : JSON.stringify(input);
}
