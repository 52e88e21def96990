// Warnings about results that are probably wrong although nothing failed. They report promises that
// the program used as if they were values, and functions that were still waiting when the answer
// was given. The warnings are created once, after the program has ended.

import type { ExecutionResult } from "@smolts/protocol";
import { excerpt } from "../diagnostics/excerpt.ts";
import type { Position, SourceText } from "../guest-throw.ts";
import type { PromiseSlots } from "../operations/promise.ts";
import { asyncItemsUse, promiseText } from "../operations/promise-watch.ts";
import type { Realm } from "../realm/realm.ts";
import { AnswerChanges, lateChanges } from "./late-changes.ts";

const maxDoubts = 5;

/** A program that has ended, to be searched for probable mistakes. */
export interface Doubtful {
  readonly source: SourceText;
  readonly realm: Realm;
  /** The guest functions that timers call. */
  readonly timers: readonly unknown[];
}

/** Returns one warning for each probable mistake, with the line of code. */
export function doubtsOf({ source, realm, timers }: Doubtful, type: ExecutionResult["type"]): readonly string[] {
  const { promiseWatch } = realm;
  if (!promiseWatch || type === "error" || type === "stopped") return [];
  const changes = new AnswerChanges(source);
  const uses = promiseWatch
    .suspects()
    .filter(({ what, promise }) => what !== forEachUse || wasMissed(promise, changes));
  const texts = uses.map(({ promise, what, position }) =>
    doubt(source, `${useText(promise)} ${what}: ${hintForUse(what)}`, position ?? startOf(promise)),
  );
  if (type === "final-answer")
    for (const late of lateChanges(promiseWatch, [...timers, ...realm.jobs.callbacks()], changes))
      texts.push(doubt(source, `${late.text}: await it first`, late.position));
  return [...new Set(texts)].slice(0, maxDoubts);
}

const useText = (promise: PromiseSlots | null): string =>
  promise === null ? "an async iterator" : promiseText(promise);

const startOf = (promise: PromiseSlots | null): Position | null =>
  promise?.body ? { source: promise.body.source, offset: promise.body.node.start } : null;

function hintForUse(what: string): string {
  if (what === asyncItemsUse) return "write for await (const item of items) { ... }, or await Array.fromAsync(items)";
  const method = /^was returned to (\w+)/.exec(what)?.[1];
  if (method === undefined) return "write await before the call that returns it";
  return method === "forEach"
    ? "write for (const item of items) { ... } with await in it"
    : `await Promise.all(items.map(...)) first, then use ${method} on the results`;
}

/**
 * The part of a warning that tells how a promise was used: a callback of forEach returned it. Such
 * a promise is reported only if the callback changes something that the answer depends on.
 */
const forEachUse = "was returned to forEach, which does not wait for it";

function wasMissed(promise: PromiseSlots | null, changes: AnswerChanges): boolean {
  if (!promise?.body || promise.state !== "pending") return false;
  return changes.by({ source: promise.body.source, node: promise.body.node, isWhole: false }) !== null;
}

function doubt(source: SourceText, text: string, position: Position | null): string {
  if (!position) return text;
  return `${text}\n${excerpt(position, position.source === source ? "" : ` of ${position.source.name}`)}`;
}
