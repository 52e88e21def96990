// `for (... of ...)` and `for (... in ...)` that contain an `await` or `yield`.

import type { ForInStatement, ForOfStatement, VariableDeclaration } from "acorn";
import type { Frame } from "../../frame.ts";
import { ReturnSignal } from "../../guest-throw.ts";
import { enumerableKeys } from "../../operations/enumerate.ts";
import {
  type IteratorRecord,
  iterationEnd,
  iteratorClose,
  iteratorCloseOnThrow,
  iteratorStepValue,
} from "../../operations/iterator.ts";
import { type Context, inside, suspends } from "../context.ts";
import { compileExpression } from "../expression.ts";
import { scopeEntry } from "../scope-entry.ts";
import { compileRoundEntry, iteratorAt } from "../value-loop.ts";
import { type SuspendEvaluate, suspendExpression } from "./expression.ts";
import type { SuspendExecute } from "./list.ts";
import { type SuspendStore, suspendPattern } from "./pattern.ts";
import { type NextRound, type Rounds, type StartRounds, suspendRounds, withoutClosing } from "./rounds.ts";

/** Compiles `for (... of ...)`. */
export function suspendForOf(context: Context, node: ForOfStatement, labels: readonly string[]): SuspendExecute {
  const { realm } = context;
  const enter = suspendRoundEntry(context, node);
  const start = (frame: Frame, iterable: unknown): Rounds => {
    const record = iteratorAt(context, node, iterable);
    const abandon = (caught: unknown): never => {
      if (!(caught instanceof ReturnSignal)) iteratorCloseOnThrow(realm, record, caught);
      iteratorClose(record);
      throw caught;
    };
    return { next: nextOf(record, enter, frame, abandon), abandon, leave: () => iteratorClose(record) };
  };
  return suspendRounds(inside(context, node), node, labels, startIterating(context, node, start));
}

/** Starts the iterations over the elements of a value. */
function startIterating(
  context: Context,
  node: ForOfStatement | ForInStatement,
  start: (frame: Frame, value: unknown) => Rounds,
): StartRounds {
  const inner = inside(context, node);
  if (!suspends(inner, node.right)) {
    const subject = compileExpression(inner, node.right);
    const enter = scopeEntry(inner.scope);
    return { type: "plain", run: (frame) => start(frame, subject(enter ? enter(frame) : frame)) };
  }
  const subject = suspendSubject(context, node);
  return {
    type: "suspending",
    *run(frame) {
      return start(frame, yield* subject(frame));
    },
  };
}

/** Reads the next value of an iterator and stores it in the loop's variable. */
function nextOf(record: IteratorRecord, enter: RoundEntry, frame: Frame, abandon: Rounds["abandon"]): NextRound {
  if (enter.type === "plain") {
    return {
      type: "plain",
      run() {
        const value = iteratorStepValue(record);
        if (value === iterationEnd) return null;
        try {
          return enter.run(frame, value);
        } catch (caught) {
          return abandon(caught);
        }
      },
    };
  }
  return {
    type: "suspending",
    *run() {
      const value = iteratorStepValue(record);
      if (value === iterationEnd) return null;
      try {
        return yield* enter.run(frame, value);
      } catch (caught) {
        return abandon(caught);
      }
    },
  };
}

/** Compiles `for (... in ...)`. */
export function suspendForIn(context: Context, node: ForInStatement, labels: readonly string[]): SuspendExecute {
  const { realm } = context;
  const enter = suspendRoundEntry(context, node);
  const start = (frame: Frame, object: unknown): Rounds => {
    const keys = enumerableKeys(realm, object);
    const nextKey = (): string | null => keys.next().value ?? null;
    if (enter.type === "plain") {
      const run = (): Frame | null => {
        const key = nextKey();
        return key === null ? null : enter.run(frame, key);
      };
      return withoutClosing({ type: "plain", run });
    }
    return withoutClosing({
      type: "suspending",
      *run() {
        const key = nextKey();
        return key === null ? null : yield* enter.run(frame, key);
      },
    });
  };
  return suspendRounds(inside(context, node), node, labels, startIterating(context, node, start));
}

/**
 * Compiles the expression that `for ... of` or `for ... in` iterates over. While it is evaluated,
 * the loop's own variables are uninitialised.
 */
export function suspendSubject(context: Context, node: ForOfStatement | ForInStatement): SuspendEvaluate {
  const inner = inside(context, node);
  const value = suspendExpression(inner, node.right);
  const enter = scopeEntry(inner.scope);
  return enter ? (frame) => value(enter(frame)) : value;
}

/**
 * Starts an iteration of `for ... of`: enters its scope and stores its value. Returns the frame.
 */
export type RoundEntry =
  | { readonly type: "plain"; readonly run: (frame: Frame, value: unknown) => Frame }
  | { readonly type: "suspending"; readonly run: (frame: Frame, value: unknown) => Generator<unknown, Frame, unknown> };

/** Compiles a {@link RoundEntry}. */
export function suspendRoundEntry(context: Context, node: ForOfStatement | ForInStatement): RoundEntry {
  if (!suspends(context, node.left)) return { type: "plain", run: compileRoundEntry(context, node) };
  const inner = inside(context, node);
  const store = suspendLeft(inner, node.left);
  const enter = scopeEntry(inner.scope);
  const run = function* (frame: Frame, value: unknown): Generator<unknown, Frame, unknown> {
    const own = enter ? enter(frame) : frame;
    yield* store(own, value);
    return own;
  };
  return { type: "suspending", run };
}

function suspendLeft(context: Context, left: ForOfStatement["left"]): SuspendStore {
  if (left.type !== "VariableDeclaration") return suspendPattern(context, left, "assign");
  const { id } = left.declarations[0] as VariableDeclaration["declarations"][number]; // the parser requires exactly one
  return suspendPattern(context, id, "initialize");
}
