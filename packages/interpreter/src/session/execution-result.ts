// How an execution's end becomes a result: the last value as text and copy, or an error made for
// the model.

import { AgentError, type EncodedValue, type ExecutionResult, type StopReason } from "@smolts/protocol";
import { copyOut } from "../boundary.ts";
import { describeStop, describeThrow, type Scene, withCallee, withPosition } from "../diagnostics/errors.ts";
import type { GuestThrow } from "../guest-throw.ts";
import { Breach, Meter } from "../limits.ts";
import { NestingBreach } from "../nesting-breach.ts";
import { inspectForPrint } from "../print/inspect.ts";
import type { Realm } from "../realm/realm.ts";

/** A result without what every execution tells besides. */
export type PlainResult = ExecutionResult extends infer Result
  ? Result extends ExecutionResult
    ? Omit<Result, "operations" | "unawaited" | "doubts">
    : never
  : never;

/** The program ended with this value. */
export function valueResult(realm: Realm, value: unknown): PlainResult {
  if (value === undefined) return { type: "value", output: null };
  const text = inspectForPrint(realm, value, outputMeter());
  const copy = copyOfOutput(realm, value);
  return { type: "value", output: copy === undefined ? { text } : { text, value: copy } };
}

/** Nobody caught this. */
export function errorResult(scene: Scene, thrown: GuestThrow): PlainResult {
  return { type: "error", error: describeThrow(scene, thrown) };
}

/** The program was stopped after so many operations, by this breach. */
export function stoppedResult(scene: Scene, reason: StopReason, operations: number, breach: Breach): PlainResult {
  const error = describeStop(reason, operations);
  if (breach instanceof NestingBreach)
    return { type: "stopped", reason, error: withCallee(scene, error, breach.callee) };
  return { type: "stopped", reason, error: breach.position ? withPosition(scene, error, breach.position) : error };
}

/** A value that cannot be copied, or is too large to be, is shown as text only. */
function copyOfOutput(realm: Realm, value: unknown): EncodedValue | undefined {
  try {
    return copyOut(realm, value, outputMeter());
  } catch (error) {
    if (AgentError.is(error) || error instanceof Breach) return undefined;
    throw error;
  }
}

/**
 * Showing the last value is not the program's doing: it counts against bounds of its own, the same
 * for every session, live and replayed.
 */
function outputMeter(): Meter {
  const meter = new Meter();
  meter.start({ operations: 5_000_000, memoryBytes: 64 * 2 ** 20 });
  return meter;
}
