// Checks frames of the sandbox. The sandbox is not trusted, so every field of every frame is
// checked before it is used.

import { decodeValue, type EncodedValue, isRecord } from "@smolts/protocol";
import type { RunnerHello, RunnerMessage } from "./frames.ts";
import type { AnyFrame } from "./link.ts";

/** Returns a numbered frame of a runner, or null if it is not valid. */
export function checkRunnerMessage(frame: AnyFrame): RunnerMessage | null {
  // isRunnerMessage has checked the fields
  return isRunnerMessage(frame) ? (frame as unknown as RunnerMessage) : null;
}

/** Returns the `hello` of a runner, or null if it is not valid. */
export function checkRunnerHello(frame: AnyFrame): RunnerHello | null {
  const { type, version, session, received, language, runtime, executed, maxFrameBytes, windowBytes } = frame;
  const isHello =
    type === "hello" &&
    isCount(version) &&
    isText(session) &&
    isCount(received) &&
    isText(language) &&
    isText(runtime) &&
    isListOf(executed, isText) &&
    isCount(maxFrameBytes) &&
    isCount(windowBytes);
  return isHello ? (frame as unknown as RunnerHello) : null; // checked above
}

function isRunnerMessage(frame: AnyFrame): boolean {
  const { execution, request } = frame;
  switch (frame.type) {
    case "started":
      return true;
    case "call":
      return (
        isCount(execution) &&
        isCount(frame["call"]) &&
        isText(frame["name"]) &&
        isListOf(frame["args"], isEncoded) &&
        isKeywords(frame["keywords"])
      );
    case "console":
      return isCount(execution) && levels.has(frame["level"]) && isText(frame["text"]);
    case "result":
      return isCount(execution) && isResult(frame["result"]);
    case "rested":
      return isCount(request);
    case "variables":
      return isCount(request) && isListOf(frame["variables"], isSummary);
    case "is-program":
      return isCount(request) && typeof frame["isProgram"] === "boolean";
    case "failed":
      return (execution === undefined || isCount(execution)) && isError(frame["error"]);
    default:
      return false;
  }
}

function isResult(value: unknown): boolean {
  if (!isRecord(value) || !isListOf(value["unawaited"], isCount)) return false;
  switch (value["type"]) {
    case "value":
      return isOutput(value["output"]);
    case "final-answer":
      return isListOf(value["args"], isEncoded) && isKeywords(value["keywords"]);
    case "error":
      return isError(value["error"]);
    case "stopped":
      return stopReasons.has(value["reason"]) && isError(value["error"]);
    default:
      return false;
  }
}

const levels: ReadonlySet<unknown> = new Set(["log", "info", "warn", "error", "debug"]);
const stopReasons: ReadonlySet<unknown> = new Set(["guest-time", "memory", "output", "pending-calls", "aborted"]);
// The error codes that a guest may report. If other codes were accepted, a hostile guest could end
// the run, or tell the model of events that never happened.
const errorCodes: ReadonlySet<unknown> = new Set(["code-execution", "import-refused", "executor"]);

function isOutput(value: unknown): boolean {
  if (value === null) return true;
  if (!isRecord(value) || !isText(value["text"])) return false;
  const { value: plain, media } = value;
  return (plain === undefined || isEncoded(plain)) && (media === undefined || isListOf(media, isMedia));
}

const mediaType = /^(?:image|audio|video|text|application)\/[\w.+-]{1,100}$/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

const isMedia = (value: unknown): boolean =>
  isRecord(value) &&
  isText(value["mediaType"]) &&
  mediaType.test(value["mediaType"]) &&
  isText(value["data"]) &&
  base64.test(value["data"]);

const isKeywords = (value: unknown): boolean =>
  value === undefined || (isRecord(value) && Object.values(value).every(isEncoded));

/** Says whether a value is one that the codec can decode. */
export function isEncoded(value: unknown): boolean {
  try {
    decodeValue(value as EncodedValue); // throws if it is not an encoded value
    return true;
  } catch {
    return false;
  }
}

const isError = (value: unknown): boolean =>
  isRecord(value) &&
  errorCodes.has(value["code"]) &&
  isText(value["message"]) &&
  isOptionalText(value["name"]) &&
  isOptionalText(value["hint"]);

const isSummary = (value: unknown): boolean =>
  isRecord(value) &&
  isText(value["name"]) &&
  isText(value["type"]) &&
  isText(value["preview"]) &&
  (value["size"] === undefined || isCount(value["size"]));

const isText = (value: unknown): value is string => typeof value === "string";
const isOptionalText = (value: unknown): boolean => value === undefined || isText(value);
const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem);
