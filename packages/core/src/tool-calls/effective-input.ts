import {
  AgentError,
  type EncodedValue,
  encodeValue,
  isRecord,
  type Tool,
  thrownText,
  untilAborted,
} from "@smolts/protocol";
import type { CodeLanguage } from "../languages/code-language.ts";
import { defaultLanguage, typeText } from "../languages/languages.ts";
import { inputFromArguments } from "./call-arguments.ts";
import { valueInText, withReadTexts } from "./json-texts.ts";
import { toToolError } from "./redact.ts";
import { timeLimitMs } from "./settle-call.ts";

/** The arguments of a call, before they are mapped. */
export interface UnmappedArguments {
  readonly args: readonly EncodedValue[];
  /** The arguments as the model wrote them, if that text is not valid JSON. */
  readonly rawInput?: string;
  /**
   * Whether a program made the call. If so, hints are written as code, otherwise as JSON.
   * @defaultValue true
   */
  readonly isCode?: boolean;
}

/** Options of {@link effectiveInput}. */
export interface ReadOptions {
  readonly signal: AbortSignal;
  /** The language of the program that makes the call. */
  readonly language?: CodeLanguage;
}

/**
 * Returns the actual input of a tool: mapped from the arguments, validated once, and encoded.
 *
 * @throws AgentError `tool-input` that says what to write instead; the signal's reason when it
 * aborts
 */
export async function effectiveInput(
  tool: Tool,
  given: UnmappedArguments,
  options: ReadOptions,
): Promise<EncodedValue> {
  if (given.rawInput !== undefined) throw notJson(tool, given.rawInput);
  try {
    return await parsedInput(tool, given, options);
  } catch (error) {
    if (AgentError.is(error) && error.code === "tool-input") throw inFormOf(given, tool, error, options.language);
    throw error;
  }
}

async function parsedInput(tool: Tool, { args }: UnmappedArguments, options: ReadOptions): Promise<EncodedValue> {
  let given: unknown;
  try {
    given = inputFromArguments(tool, args, options.language);
    if (isRepeatedTooOften(given)) throw tooManyRepeats(tool);
    return await parse(tool, given, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (isRepeatedTooOften(given)) throw error;
    for (const other of otherReadings(tool, given, args)) {
      const parsed = await parse(tool, other, options).catch(() => null);
      if (parsed !== null) return parsed;
    }
    throw error;
  }
}

/**
 * Returns inputs that the model may have meant when its input does not fit the tool, most likely
 * first.
 */
function otherReadings(tool: Tool, input: unknown, args: readonly EncodedValue[]): readonly unknown[] {
  const read = withReadTexts(input, tool.inputSchema);
  const [first, ...others] = args;
  // A text that contains all arguments as JSON.
  const whole = others.length === 0 ? valueInText(first) : undefined;
  const inner = wrappedInput(tool, input);
  return [...(read === input ? [] : [read]), ...[whole, inner].filter((other) => other !== undefined)];
}

const wrappers: ReadonlySet<string> = new Set(["arguments", "args", "input", "parameters", "params", "kwargs"]);

/**
 * Returns the object inside a wrapper such as `{ arguments: {...} }`, unless the tool has a
 * parameter of that name.
 */
function wrappedInput({ inputSchema }: Tool, input: unknown): unknown {
  const [[key, inner] = ["", undefined], second] = isRecord(input) ? Object.entries(input) : [];
  const isParameter = Object.hasOwn(inputSchema["properties"] ?? {}, key);
  return wrappers.has(key) && second === undefined && !isParameter && isRecord(inner) ? inner : undefined;
}

async function parse(tool: Tool, input: unknown, { signal }: ReadOptions): Promise<EncodedValue> {
  try {
    const parsed = tool.parseInput(input);
    return encodeInput(tool, parsed instanceof Promise ? await withinTime(tool, parsed, signal) : parsed);
  } catch (error) {
    signal.throwIfAborted();
    if (AgentError.is(error) && error.code === "tool-input") throw error;
    const { message } = toToolError(error);
    throw new AgentError("tool-input", `tool "${tool.name}" could not read its input: ${message}`, { cause: error });
  }
}

/**
 * Returns the error with a hint that is written like the call: as code in the program's language,
 * or as JSON. Tools write their own hints as JavaScript.
 */
function inFormOf(
  { isCode = true }: UnmappedArguments,
  tool: Tool,
  error: AgentError,
  language: CodeLanguage = defaultLanguage,
): AgentError {
  if (isCode && (language === defaultLanguage || error.details === undefined)) return error;
  const { message, details } = error;
  const hint = isCode ? `write: ${language.words.callForm(tool)}` : argumentsHint(tool);
  return new AgentError("tool-input", message, { hint, details, cause: error });
}

const argumentsHint = ({ name, inputSchema }: Tool): string =>
  Object.keys(inputSchema["properties"] ?? {}).length === 0
    ? `call "${name}" with {} as arguments: it takes none`
    : `call "${name}" with one JSON object as arguments, of this type: ${typeText(inputSchema)}`;

function encodeInput({ name }: Tool, parsed: unknown): EncodedValue {
  try {
    return encodeValue(parsed);
  } catch (error) {
    const why = thrownText(error);
    throw new AgentError("tool-input", `the input of tool "${name}" cannot be recorded: ${why}`, { cause: error });
  }
}

/**
 * How often the objects of an input may occur again after their first occurrence. A validator
 * visits an object once for each place that refers to it. If a few dozen objects refer to each
 * other, there can be too many visits.
 */
const maxRepeats = 250_000;

/** Says whether the objects in a value are repeated more often than the limit allows. */
function isRepeatedTooOften(value: unknown): boolean {
  const seen = new Set<object>();
  let repeats = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null || ArrayBuffer.isView(next)) continue;
    if (seen.has(next) && ++repeats > maxRepeats) return true;
    seen.add(next);
    for (const part of partsOf(next)) waiting.push(part);
  }
  return false;
}

function partsOf(object: object): Iterable<unknown> {
  if (object instanceof Map) return [...object.keys(), ...object.values()];
  return object instanceof Set ? object : Object.values(object);
}

const tooManyRepeats = ({ name }: Tool): AgentError =>
  new AgentError(
    "tool-input",
    `the input of tool "${name}" refers to the same objects from more than ${maxRepeats} places`,
    { hint: "pass each object once" },
  );

/**
 * Waits for a validation until the tool's time limit is over or the signal aborts, because a
 * validation may hang like any other part of a tool.
 */
export async function withinTime(tool: Tool, parsing: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  const limitMs = timeLimitMs(tool);
  if (limitMs === null) return untilAborted(parsing, signal);
  const tooLong = new AgentError("tool-input", `tool "${tool.name}" took longer than ${limitMs} ms to read its input`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeIsOver = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLong), limitMs);
  });
  try {
    return await untilAborted(Promise.race([parsing, timeIsOver]), signal);
  } finally {
    clearTimeout(timer);
  }
}

function notJson(tool: Tool, rawInput: string): AgentError {
  const { name } = tool;
  const shown = rawInput.length <= maxShownLength ? rawInput : `${rawInput.slice(0, maxShownLength)}…`;
  return endsOpen(rawInput)
    ? new AgentError("tool-input", `the arguments for "${name}" are cut off, so it was not called: ${shown}`, {
        hint: "send the whole JSON object; if it is long, pass less at a time",
      })
    : new AgentError("tool-input", `the arguments for "${name}" are not valid JSON for a tool call: ${shown}`, {
        hint: argumentsHint(tool),
      });
}

const maxShownLength = 200;

/** Says whether a JSON text ends before its brackets and quotes are closed. */
function endsOpen(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\[\s\S])*(?:"|$)|[{}[\]]/g)) {
    if (token.startsWith('"')) {
      if (token.length === 1 || !token.endsWith('"')) return true;
    } else depth += token === "{" || token === "[" ? 1 : -1;
  }
  return depth > 0;
}
