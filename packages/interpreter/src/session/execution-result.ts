// Creates the result of an execution: the last value as text and as a copy, or an error that is
// written for the model.

import { AgentError, type EncodedValue, type ExecutionResult, type StopReason } from "@smolts/protocol";
import { copyOut } from "../boundary.ts";
import { describeStop, describeThrow, type Scene, withCallee, withPosition } from "../diagnostics/errors.ts";
import type { GuestThrow } from "../guest-throw.ts";
import { Breach, type Meter } from "../limits.ts";
import { NestingBreach } from "../nesting-breach.ts";
import { counted } from "../print/counted.ts";
import { inspectForPrint } from "../print/inspect.ts";
import { kindOf, meterAfterEnd, withinLimit } from "../print/text-after-end.ts";
import type { Realm } from "../realm/realm.ts";

/**
 * An execution result without the fields that every result gets at the end, such as the count of
 * operations.
 */
export type PlainResult = ExecutionResult extends infer Result
  ? Result extends ExecutionResult
    ? Omit<Result, "operations" | "unawaited" | "doubts">
    : never
  : never;

/** Creates the result of a program that ended with this value. */
export function valueResult(realm: Realm, value: unknown): PlainResult {
  if (value === undefined) return { type: "value", output: null };
  const meter = meterAfterEnd(maxOperations.ofText);
  const text = withinLimit(() => textOf(realm, value, meter));
  if (text === null) return { type: "value", output: { text: kindOf(realm, value) } };
  const copy = copyOfOutput(realm, value, meterAfterEnd(maxOperations.ofAll - meter.operations, maxBytesOfCopy));
  return { type: "value", output: copy === undefined ? { text } : { text, value: copy } };
}

/** Returns the text of the last value. If it is a very long string, only its start is shown. */
function textOf(realm: Realm, value: unknown, meter: Meter): string {
  if (typeof value !== "string" || value.length <= maxTextLength) return inspectForPrint(realm, value, meter);
  return `${value.slice(0, maxTextLength)}... ${counted(value.length - maxTextLength, "more character")}`;
}

/** Creates the result of a program that ended with an exception that nothing caught. */
export function errorResult(scene: Scene, thrown: GuestThrow): PlainResult {
  return { type: "error", error: describeThrow(scene, thrown) };
}

/** Creates the result of a program that was stopped after this number of operations. */
export function stoppedResult(scene: Scene, reason: StopReason, operations: number, breach: Breach): PlainResult {
  const error = describeStop(reason, operations);
  if (breach instanceof NestingBreach)
    return { type: "stopped", reason, error: withCallee(scene, error, breach.callee) };
  return { type: "stopped", reason, error: breach.position ? withPosition(scene, error, breach.position) : error };
}

/**
 * Returns a copy of the last value; undefined if it cannot be copied, or is too large. A value
 * without a copy is shown as text only.
 */
function copyOfOutput(realm: Realm, value: unknown, meter: Meter): EncodedValue | undefined {
  try {
    return copyOut(realm, value, meter);
  } catch (error) {
    if (AgentError.is(error) || error instanceof Breach) return undefined;
    throw error;
  }
}

// The host waits for the text and the copy after the program has ended. So together they may take
// only about 200 ms (`ofAll`). If the text alone takes somewhat longer (up to `ofText`), it is
// still shown, but without a copy.
const maxOperations = { ofText: 5_000_000, ofAll: 4_000_000 };
// The maximum size of the text, and of the copy. The copy is limited because the host writes it to
// its log.
const maxTextLength = 1_000_000;
const maxBytesOfCopy = 16 * 2 ** 20;
