// Checks frames of the host. The host is trusted, but its pipe may break or mix up data, and an
// incomplete frame must not be executed.

import type { HostHello, HostMessage } from "../../src/frames.ts";
import type { AnyFrame } from "../../src/link.ts";

/**
 * The smallest value, in bytes, for a frame's size and for the window (the bytes that may be sent
 * without an acknowledgement). With smaller sizes nothing could be sent.
 */
const minBytes = 1_024;

/**
 * Returns the `hello` of a host, or null if it is not valid. Sizes that are too small are replaced
 * by the runner's own sizes.
 */
export function checkHostHello(
  frame: AnyFrame,
  sizes: { maxFrameBytes: number; windowBytes: number },
): HostHello | null {
  const { type, version, session, received, fresh } = frame;
  if (type !== "hello" || !isCount(version) || !isText(session) || session === "" || !isCount(received)) return null;
  const maxFrameBytes = sizeIn(frame["maxFrameBytes"], sizes.maxFrameBytes);
  const windowBytes = sizeIn(frame["windowBytes"], sizes.windowBytes);
  return { type, version, session, received, fresh: fresh === true, maxFrameBytes, windowBytes };
}

const sizeIn = (value: unknown, fallback: number): number => (isCount(value) ? Math.max(value, minBytes) : fallback);

/** Returns a numbered frame of the host, or null if it is not valid. */
export function checkHostMessage(frame: AnyFrame): HostMessage | null {
  // isHostMessage has checked the fields
  return isHostMessage(frame) ? (frame as unknown as HostMessage) : null;
}

function isHostMessage(frame: AnyFrame): boolean {
  const { execution, request, code } = frame;
  switch (frame.type) {
    case "start":
      return isStart(frame);
    case "execute":
      return isCount(execution) && isText(frame["id"]) && isText(code) && isVariables(frame["variables"]);
    case "deliver":
      return isCount(request) && isCount(execution) && isCount(frame["call"]) && isOutcome(frame["outcome"]);
    case "stop":
      return isCount(execution) && isText(frame["reason"]);
    case "variables":
      return isCount(request) && (frame["newest"] === undefined || isCount(frame["newest"]));
    case "is-program":
      return isCount(request) && isText(code);
    case "end":
      return true;
    default:
      return false;
  }
}

function isStart({ tools, finalAnswer, imports, limits, leashMs, options }: AnyFrame): boolean {
  return (
    isListOf(tools, isText) &&
    (finalAnswer === null || isText(finalAnswer)) &&
    (imports === null || isListOf(imports, isText)) &&
    isObject(limits) &&
    limitNames.every((name) => isAmount(limits[name])) &&
    isAmount(leashMs) &&
    isObject(options) &&
    isHostModules(options["hostModules"])
  );
}

const limitNames = ["timeMs", "memoryBytes", "outputChars", "pendingCalls"];

const isHostModules = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.values(value).every((names) => isListOf(names, isText)));

/**
 * Checks names of variables. The program declares variables with these names, so each name must be
 * a valid identifier.
 */
const isVariables = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).every((name) => identifier.test(name));

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

const isOutcome = (value: unknown): boolean =>
  isObject(value) && (value["type"] === "ok" ? "value" in value : isText(value["type"]) && isObject(value["error"]));

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isAmount = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem);
