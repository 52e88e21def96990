// Explains wrong uses of the data of runs: their results and events. The names that other
// frameworks use are not here but in the package `smolts`, so that programs that import only `core`
// stay small.

import { explainMessage } from "@smolts/memory";
import {
  type ExplainedMembers,
  explainWords,
  invalidOption,
  memberExplainer,
  type OtherMembers,
  type RunEvent,
  type RunLog,
} from "@smolts/protocol";

/** The names that other frameworks use for members of results, logs and events. */
export interface NamesOfData {
  readonly result: ExplainedMembers;
  readonly log: ExplainedMembers;
  /**
   * Other names for members of the deltas of a model's answer. The list is short, because deltas
   * are frequent and each name makes every delta slower.
   */
  readonly delta: OtherMembers;
  /** Further names for other events. */
  readonly event: OtherMembers;
  /** Further names for calls of tools. */
  readonly call: OtherMembers;
}

let explain: { readonly [Name in Exclude<keyof NamesOfData, "log">]: (target: object) => void } | undefined;

/**
 * Makes the results and events of all later runs throw an error when code uses one of the given
 * names for a member.
 */
export function explainData({ result, log, delta, event, call }: NamesOfData): void {
  explain = {
    result: resultExplainer(result, log),
    delta: memberExplainer("an event", { values: delta }),
    event: memberExplainer("an event", { values: [...delta, ...event] }),
    call: memberExplainer("a tool-call", { values: [...delta, ...event, ...call] }),
  };
}

/**
 * Makes an event throw an error when code uses a field of another framework's events. Fields that
 * some of our events have, such as `data`, never throw. The only exception is `input` of a
 * tool-call, which throws because the tool-call event of the AI SDK has this field. This function
 * may be called several times with one event, once for each reader.
 */
export function explainEvent<Event extends RunEvent>(event: Event): Event {
  if ("payload" in event) return event;
  if ("message" in event) explainMessage(event.message);
  if (event.type === "tool-call") explain?.call(event);
  else if (event.type.endsWith("-delta")) explain?.delta(event);
  else explain?.event(event);
  return event;
}

/**
 * Makes a result throw an error when code uses another framework's name for a member. The error
 * says what to write instead.
 */
export const explainResultMembers = (result: { readonly log: RunLog }): void => explain?.result(result);

function resultExplainer(names: ExplainedMembers, namesOfLog: ExplainedMembers): (result: object) => void {
  const explainResult = memberExplainer("a result", names);
  const explainLog = memberExplainer("a log", namesOfLog);
  return (result) => {
    explainResult(result);
    const { log } = result as { readonly log: RunLog }; // safe cast: only results are passed
    if (Object.isExtensible(log)) explainLog(log);
    explainWords(result, "a result", inResult, "output error pending");
    const value = (): never => {
      throw invalidOption("a result is not a text", "write result.output");
    };
    Object.defineProperty(result, Symbol.toPrimitive, { value, configurable: true });
  };
}

const inResult = "write result.output, .steps, .usage, .timing, .status, .pending, .log or .runId";
