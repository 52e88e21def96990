// What makes a result doubtful though nothing failed: promises that were taken for their values, and functions that were still waiting when the answer was
// given. Told once, when the program has ended.

import type { ExecutionResult } from "@smolts/protocol";
import { changesOutside } from "../analyse/changes-outside.ts";
import { excerpt } from "../diagnostics/excerpt.ts";
import { functionSlots } from "../function-object.ts";
import type { Position, SourceText } from "../guest-throw.ts";
import type { PromiseReaction } from "../jobs.ts";
import type { PromiseSlots } from "../operations/promise.ts";
import { promiseText } from "../operations/promise-watch.ts";
import type { Realm } from "../realm/realm.ts";

const mostDoubts = 5;

/** One text for each doubt, with the line that it is about. */
export function doubtsOf(
  source: SourceText,
  realm: Realm,
  type: ExecutionResult["type"],
  pending: readonly PromiseSlots[],
): readonly string[] {
  if (!realm.promiseWatch || type === "error" || type === "stopped") return [];
  const uses = realm.promiseWatch.suspects().filter(({ what, promise }) => what !== forEachUse || isMissed(promise));
  const told = [
    ...uses.map(({ promise, what, position }) =>
      doubt(source, `${promiseText(promise)} ${what}: ${remedyOf(what)}`, position ?? startOf(promise)),
    ),
    ...(type === "final-answer" ? unfinished(pending).map((each) => unfinishedDoubt(source, each)) : []),
  ];
  return [...new Set(told)].slice(0, mostDoubts);
}

const startOf = ({ body }: PromiseSlots): Position | null => body && { source: body.source, offset: body.node.start };

function remedyOf(what: string): string {
  const method = /^was returned to (\w+)/.exec(what)?.[1];
  if (method === undefined) return "write await before the call that returns it";
  return method === "forEach"
    ? "write for (const item of items) { ... } with await in it"
    : `await Promise.all(items.map(...)) first, then use ${method} on the results`;
}

/** A callback of forEach that only does something elsewhere is not missed. */
const forEachUse = "was returned to forEach, which does not wait for it";

const isMissed = ({ body, state }: PromiseSlots): boolean =>
  state === "pending" && body !== null && changesOutside(body.node);

/** What waits for a call that nobody waits for, and would change variables of the program. */
interface Unfinished {
  readonly call: PromiseSlots;
  readonly position: Position;
}

function unfinished(pending: readonly PromiseSlots[]): readonly Unfinished[] {
  return pending.flatMap((call) => whatWaits(call, call, 0));
}

const longestChain = 16;

/** Follows the promises that wait for a call to those that nobody waits for. */
function whatWaits(call: PromiseSlots, promise: PromiseSlots, length: number): readonly Unfinished[] {
  if (length > longestChain) return [];
  const reactions = [promise.reaction, ...(promise.otherReactions ?? []).map(({ reaction }) => reaction)];
  return reactions.flatMap((reaction) => {
    const next = reaction?.leadsTo;
    if (!reaction || !next) return [];
    const position = placeOfChange(reaction, next);
    return [...(position && !next.isHandled ? [{ call, position }] : []), ...whatWaits(call, next, length + 1)];
  });
}

/** Where the code that waits begins, if it would change something outside of itself. */
function placeOfChange({ calls }: PromiseReaction, { body }: PromiseSlots): Position | null {
  if (calls !== undefined) {
    const code = functionSlots(calls)?.code;
    return code?.definedAt && code.node && changesOutside(code.node) ? code.definedAt : null;
  }
  return body && changesOutside(body.node) ? { source: body.source, offset: body.node.start } : null;
}

const unfinishedDoubt = (source: SourceText, { call, position }: Unfinished): string =>
  doubt(
    source,
    `the code there still waited for ${promiseText(call)} when the answer was given, and had not changed what it changes: await it first`,
    position,
  );

function doubt(source: SourceText, text: string, position: Position | null): string {
  if (!position) return text;
  return `${text}\n${excerpt(position, position.source === source ? "" : ` of ${position.source.name}`)}`;
}
