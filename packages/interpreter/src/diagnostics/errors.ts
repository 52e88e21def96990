// Errors as a model sees them: what went wrong, in which line, and what to do about it
// (error-hints.ts).

import type { SerializedError, StopReason } from "@smolts/protocol";
import type { SessionBindings } from "../bindings.ts";
import { type FunctionCode, functionName } from "../function-object.ts";
import type { GuestThrow, Position, SourceText } from "../guest-throw.ts";
import { isObject } from "../guest-value.ts";
import type { PromiseSlots } from "../operations/promise.ts";
import { getOwnProperty } from "../operations/property.ts";
import type { ProgramSyntaxError } from "../parse.ts";
import { dataProperty, errorText } from "../print/describe-object.ts";
import { textAfterEnd } from "../print/text-after-end.ts";
import type { Realm } from "../realm/realm.ts";
import { errorSlots } from "../slots/error.ts";
import { hintForError } from "./error-hints.ts";
import { excerpt } from "./excerpt.ts";
import { placeOfPromise } from "./promise-place.ts";
import { awaitHint } from "./property-hints.ts";
import { hintForSyntaxError } from "./syntax-hints.ts";
import { syntaxMessage } from "./syntax-message.ts";

/** Everything that is needed to describe an error: the realm, the variables, and the program. */
export interface Scene {
  readonly realm: Realm;
  readonly bindings: SessionBindings;
  /** The names of the modules that programs may import. */
  readonly importable: readonly string[];
  /** The program that ran. */
  readonly source: SourceText;
  /**
   * The value on which a property is missing. Absent if the error is about something else, or if
   * the value is not known.
   */
  readonly about?: unknown;
}

// The maximum number of characters of an error's message that are shown. The message of a tool's
// error may contain a whole web page.
const maxTextLength = 2_000;
// The maximum number of operations for formatting a thrown value that is not an error. There must
// be a limit, because the host waits until the text is complete.
const maxOperationsOfThrown = 2_000_000;
const maxCauseChainLength = 3;
const maxGathered = 3;

/** Describes an uncaught exception. */
export function describeThrow(scene: Scene, thrown: GuestThrow): SerializedError {
  const value = thrown.valueIn(scene.realm);
  return describeUncaught(scene, value, thrown.position, "");
}

/** Describes the error of a rejected promise that the program did not handle. */
export function describeUnhandled(scene: Scene, { callName, result }: PromiseSlots): SerializedError {
  const whose = callName
    ? `the call of ${callName}, which nothing awaited, failed: `
    : "a promise that nothing awaited was rejected: ";
  const error = describeUncaught(scene, result, null, whose);
  return { ...error, hint: error.hint ?? 'write "await" before calls that return promises, or catch what they throw' };
}

/** Describes the error of a text that is not a valid program. */
export function describeSyntaxError(scene: Scene, error: ProgramSyntaxError): SerializedError {
  const { source, offset } = error;
  const position = { source, offset };
  const hint = error.hint ?? hintForSyntaxError(source, error, scene.importable);
  return {
    code: "code-execution",
    name: "SyntaxError",
    message: `SyntaxError: ${syntaxMessage(source.text, error)}\n${excerpt(position, blockName(scene, position))}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Describes the error of a program that waits for a promise that can never settle. */
export function describeUnendingWait(): SerializedError {
  return {
    code: "code-execution",
    message: "the code awaits a promise that nothing will ever settle: no call is in flight and no timer is set",
    hint: "await only calls, timers, and promises that something resolves; calls of earlier blocks that were stopped never end",
  };
}

/** Describes why a program was stopped. `operations` is the number of operations until then. */
export function describeStop(reason: StopReason, operations: number): SerializedError {
  const { message, hint } = stops[reason];
  return { code: "code-execution", message: message.replace("{operations}", operations.toLocaleString("en-US")), hint };
}

/**
 * Returns the error of a stopped program, and adds the function whose call exceeded the maximum
 * depth.
 */
export function withCallee(scene: Scene, error: SerializedError, { name, definedAt }: FunctionCode): SerializedError {
  if (!definedAt) return error;
  const called = name === "" ? "this function" : functionName(name);
  const place = excerpt(definedAt, blockName(scene, definedAt));
  return { ...error, message: `${error.message}, the last one being a call of ${called}\n${place}` };
}

/**
 * Returns the error of a stopped program, with the place where the limit was reached added to its
 * message. The place is a call, or the loop or function that contains the code.
 */
export function withPosition(scene: Scene, error: SerializedError, position: Position): SerializedError {
  return { ...error, message: `${error.message}\n${excerpt(position, blockName(scene, position))}` };
}

// The messages for each limit. They do not contain the limit's value, because a replay with other
// limits must produce the same text.
const stops: { readonly [Reason in StopReason]: { readonly message: string; readonly hint: string } } = {
  operations: {
    message: "the code was stopped after {operations} operations: a loop may have no end, or there is too much to do",
    hint: "check that each loop ends, and work on less at once",
  },
  "guest-time": {
    message: "the code was stopped because it computed for too long (waiting for calls does not count)",
    hint: "check that each loop ends, and work on less at once",
  },
  memory: {
    message: "the code was stopped because it used too much memory",
    hint: "keep less at once: filter early, and set large variables to null when they are no longer needed",
  },
  "call-depth": {
    message: "the code was stopped because its calls nest too deep",
    hint: "check that the recursion ends, or use a loop",
  },
  output: {
    message: "the code was stopped because it printed too much",
    hint: "print only what is needed, such as the length and the first elements",
  },
  microtasks: {
    message: "the code was stopped because too many promise callbacks and timers ran",
    hint: "check that each chain of promises and each timer ends",
  },
  "sent-bytes": {
    message: "the code was stopped because it passed too much data to tools",
    hint: "pass less to each call: filter or sum up the data first, or pass a reference to it",
  },
  "pending-calls": {
    message: "the code was stopped because too many calls and timers were pending at once",
    hint: "await the calls in batches, such as 20 at a time",
  },
  "source-size": {
    message: "the code was not run because it is too long",
    hint: "write shorter code, and split the work over several steps",
  },
  aborted: {
    message: "the code was stopped from outside",
    hint: "part of it may have run",
  },
};

function describeUncaught(scene: Scene, value: unknown, thrownAt: Position | null, prefix: string): SerializedError {
  // Prefer the place where the error was created. The place that threw it last is less useful,
  // because each `await` throws a rejection again.
  const text = cut(uncaughtText(scene.realm, value));
  const about = scene.realm.missingProperties.aboutOf(value)?.();
  const asked = promiseAskedIn(scene, text, about);
  const position = errorSlots(value)?.position ?? thrownAt ?? asked?.position ?? null;
  const hint = ownHint(value) ?? asked?.hint ?? hintForError({ ...scene, about }, text, position);
  return {
    code: "code-execution",
    ...nameOf(value),
    message: [
      `${prefix}${text}`,
      ...(position ? [excerpt(position, blockName(scene, position))] : []),
      ...causes(value),
      ...gatheredErrors(value),
    ].join("\n"),
    ...(hint === undefined ? {} : { hint: cut(hint) }),
  };
}

/**
 * Returns the place where a property of a promise was read, and the hint to await the promise.
 * Undefined if the error is not about a property of a promise.
 */
function promiseAskedIn(
  scene: Scene,
  text: string,
  promise: unknown,
): { readonly position: Position; readonly hint: string } | undefined {
  const key = /^TypeError: .* was asked for "(.*)", which promises do not have$/s.exec(text)?.[1];
  const place = key === undefined ? undefined : placeOfPromise(scene, promise, key);
  return place && { position: place.position, hint: awaitHint(place.text) };
}

function uncaughtText(realm: Realm, value: unknown): string {
  if (isObject(value) && errorSlots(value)) return errorText(value);
  return `the code threw ${textAfterEnd(realm, value, maxOperationsOfThrown, { depth: 2, maxItems: 20 })}`;
}

function nameOf(value: unknown): { readonly name?: string } {
  if (!isObject(value) || !errorSlots(value)) return {};
  const name = dataProperty(value, "name");
  return typeof name === "string" ? { name: cut(name) } : {};
}

/** Names the block of code if the error is in a function of an earlier block. */
const blockName = ({ source }: Scene, position: Position): string =>
  position.source === source ? "" : ` of ${position.source.name}`;

/** Returns the hint of an error from a tool; see boundary.ts. */
function ownHint(value: unknown): string | undefined {
  if (!isObject(value) || !errorSlots(value)) return undefined;
  const hint = getOwnProperty(value, "hint")?.value;
  return typeof hint === "string" ? hint : undefined;
}

function causes(value: unknown): string[] {
  const texts: string[] = [];
  let error = value;
  for (let depth = 0; depth < maxCauseChainLength && isObject(error) && errorSlots(error); depth++) {
    const cause: unknown = getOwnProperty(error, "cause")?.value;
    if (!isObject(cause) || !errorSlots(cause)) break;
    texts.push(`caused by ${cut(errorText(cause))}`);
    error = cause;
  }
  return texts;
}

/** Returns the texts of the errors in an AggregateError, such as that of `Promise.any`. */
function gatheredErrors(value: unknown): string[] {
  const errors = isObject(value) && errorSlots(value) ? getOwnProperty(value, "errors")?.value : undefined;
  if (!isObject(errors) || !Array.isArray(errors)) return [];
  const texts: string[] = [];
  for (let index = 0; index < Math.min(errors.length, maxGathered); index++) {
    const error: unknown = getOwnProperty(errors, String(index))?.value;
    if (isObject(error) && errorSlots(error)) texts.push(`one of them: ${cut(errorText(error))}`);
  }
  return texts;
}

const cut = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)} ...` : text);
