// Checks messages of the guest. The model's code can write to the guest's pipe, so every field is
// checked.

import type { FromGuest } from "./messages.ts";

/** Parses a line from the guest. Returns null if the line is not a valid message. */
export function checkGuestMessage(line: string): FromGuest | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  // isMessage has checked the fields
  return isObject(value) && isMessage(value) ? (value as unknown as FromGuest) : null;
}

type Fields = { readonly [name: string]: unknown };

function isMessage(message: Fields): boolean {
  const { type, execution, request } = message;
  switch (type) {
    case "ready":
      return true;
    case "call":
      return (
        isCount(execution) && isCount(message["call"]) && isText(message["name"]) && Array.isArray(message["args"])
      );
    case "console":
      return isCount(execution) && levels.has(message["level"]) && isText(message["text"]);
    case "final-answer":
      return isCount(execution) && Array.isArray(message["args"]);
    case "ended":
      return (
        isCount(execution) &&
        isOutput(message["output"]) &&
        (message["error"] === null || isError(message["error"])) &&
        isListOf(message["unawaited"], isCount)
      );
    case "dropped":
      return isCount(execution);
    case "rested":
      return isCount(request);
    case "variables":
      return isCount(request) && isListOf(message["variables"], isSummary);
    case "is-program":
      return isCount(request) && typeof message["isProgram"] === "boolean";
    default:
      return false;
  }
}

const levels: ReadonlySet<unknown> = new Set(["log", "info", "warn", "error", "debug"]);

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isCount = (value: unknown): boolean => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem);

const isError = (value: unknown): boolean =>
  isObject(value) &&
  isText(value["code"]) &&
  isText(value["message"]) &&
  isOptionalText(value["name"]) &&
  isOptionalText(value["hint"]);

const isOptionalText = (value: unknown): boolean => value === undefined || isText(value);

const isOutput = (value: unknown): boolean =>
  value === null ||
  (isObject(value) && isText(value["text"]) && (value["media"] === undefined || isListOf(value["media"], isMedia)));

const isMedia = (value: unknown): boolean => isObject(value) && isText(value["mediaType"]) && isText(value["data"]);

const isSummary = (value: unknown): boolean =>
  isObject(value) && isText(value["name"]) && isText(value["type"]) && isText(value["preview"]);
