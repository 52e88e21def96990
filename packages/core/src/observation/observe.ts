// Writes the observation of a step for the model: the printed text and the value of its program, or
// the results of its tool calls.
//
// Printed text may come from web pages and files, and could imitate our own notes. So the text is
// put in a frame that contains the length of the text, and a nonce that the author of the text
// cannot know. Our own notes are outside the frame.

import {
  type CallOutcome,
  type ContentPart,
  decodeValue,
  type ExecutionResult,
  type ExecutorFactory,
  type SerializedError,
  type ToolCallRecord,
} from "@smolts/protocol";
import { defaults } from "../defaults.ts";
import { languageOf } from "../languages/languages.ts";
import { isStored } from "../media/media.ts";
import { cutNote, outputText, printedText, type ResultNames } from "./cut-results.ts";

/** The input of {@link renderObservation}. */
export interface ObservationInput {
  readonly result: ExecutionResult;
  /** The program's whole printed text. */
  readonly logs: string;
  /**
   * The most characters of printed text that are shown; 0 or Infinity for no limit.
   *
   * @defaultValue `defaults.maxPrintedLength`
   */
  readonly maxPrintedLength?: number;
  /**
   * The most characters of the last value that are shown; 0 or Infinity for no limit.
   *
   * @defaultValue `defaults.maxOutputLength`
   */
  readonly maxOutputLength?: number;
  /**
   * A random text that marks the frame around printed text. It is the same in all steps of a run,
   * and the author of the printed text cannot know it.
   */
  readonly nonce: string;
  /** The calls of the block in order, so that notes can name calls that were not awaited. */
  readonly calls?: readonly { readonly name: string }[];
  /** The code of the block, so that notes can name callbacks that nothing waits for. */
  readonly code?: string;
  /**
   * The names of the variables in which the next block finds results that were shown shortened. If
   * absent, the model is not told about variables.
   */
  readonly names?: ResultNames;
  /**
   * The language of the block.
   *
   * @defaultValue `"javascript"`
   */
  readonly language?: ExecutorFactory["language"];
  /** Further lines from the caller, such as the number of remaining steps. */
  readonly notes?: readonly string[];
}

/**
 * Renders the printed text and the last value of a block. The error of a block is not included,
 * because the step has a field for it.
 *
 * @example
 * ```ts
 * import { renderObservation } from "@smolts/core";
 *
 * const result = { type: "value", output: { text: "3", value: 3 }, operations: 1, unawaited: [] } as const;
 * console.log(renderObservation({ result, logs: "", nonce: "n1" }));
 * // one text part: <observation n1 length=13>, "Last value:", 3, </observation n1>
 * ```
 */
export function renderObservation(input: ObservationInput): ContentPart[] {
  const { notes = [] } = input;
  const seen = seenText(input);
  const lines = [
    ...(seen === "" ? [] : [framed(seen, input.nonce)]),
    ...cutNotes(input),
    ...languageOf(input.language).notes(input),
    ...notes,
  ];
  return lines.length === 0 ? [] : [{ type: "text", text: `${lines.join("\n")}\n` }];
}

/**
 * Renders the outcome of a tool call for the model: a string as it is, media as media, other values
 * as compact JSON.
 *
 * @param limit - the most characters that are shown; 0 or Infinity for no limit
 * @example
 * ```ts
 * import { renderToolResult } from "@smolts/core";
 *
 * console.log(renderToolResult({ type: "ok", value: [1, 2] })); // { output: [ { type: 'text', text: '[1,2]' } ], isError: false }
 * ```
 */
export function renderToolResult(
  outcome: CallOutcome,
  limit: number = defaults.maxToolResultLength,
): { readonly output: ContentPart[]; readonly isError: boolean } {
  if (outcome.type !== "ok") return { output: [text(cutMiddle(errorText(outcome.error), limit))], isError: true };
  const value = decodeValue(outcome.value);
  const parts = partsIn(value) ?? [text(valueText(value))];
  return {
    output: parts.map((part) => (part.type === "text" ? text(cutMiddle(part.text, limit)) : part)),
    isError: false,
  };
}

/** Returns notes for the model about calls whose input a person has changed. */
export function editNotes(calls: readonly Pick<ToolCallRecord, "name" | "editedInput">[]): string[] {
  return calls.flatMap(({ name, editedInput }) =>
    editedInput === undefined
      ? []
      : [
          `A person changed the input of "${name}" before it ran; it was called with ${valueText(decodeValue(editedInput))}`,
        ],
  );
}

/**
 * Cuts out the middle of a text that is longer than `limit`. A notice in its place says how many
 * characters were removed.
 *
 * @param limit - the most characters that are kept, half at the beginning and half at the end,
 * without the notice. 0 or Infinity for no limit
 * @example
 * ```ts
 * import { cutMiddle } from "@smolts/core";
 *
 * console.log(cutMiddle("abcdefghij", 4)); // ab [... 6 characters left out ...] ij
 * ```
 */
export function cutMiddle(content: string, limit: number): string {
  if (!isCut(content, limit)) return content;
  const head = content.slice(0, Math.ceil(limit / 2)).replace(/[\ud800-\udbff]$/, "");
  const tail = content.slice(content.length - Math.floor(limit / 2)).replace(/^[\udc00-\udfff]/, "");
  return `${head}\n[... ${content.length - head.length - tail.length} characters left out ...]\n${tail}`;
}

function seenText({
  result,
  logs,
  maxPrintedLength = defaults.maxPrintedLength,
  maxOutputLength = defaults.maxOutputLength,
}: ObservationInput): string {
  const sections: string[] = [];
  if (logs !== "") sections.push(`Printed:\n${cutMiddle(logs, maxPrintedLength)}`);
  if (result.type !== "value") return sections.join("");
  if (result.output) sections.push(`Last value:\n${cutMiddle(result.output.text, maxOutputLength)}`);
  return sections.join("\n") || "Nothing was printed, and there is no last value.";
}

function cutNotes({
  result,
  logs,
  maxPrintedLength = defaults.maxPrintedLength,
  maxOutputLength = defaults.maxOutputLength,
  names,
}: ObservationInput): string[] {
  if (!names) return [];
  const output = result.type === "value" ? result.output : null;
  return [
    ...(isCut(logs, maxPrintedLength) ? [cutNote(names.printed, printedText)] : []),
    // Only plain data is kept for later blocks, so a value of another kind gets no note.
    ...(output?.value !== undefined && isCut(output.text, maxOutputLength) ? [cutNote(names.output, outputText)] : []),
  ];
}

const isCut = (content: string, limit: number): boolean => limit !== 0 && content.length > limit;

const framed = (content: string, nonce: string): string =>
  `<observation ${nonce} length=${content.length}>\n${content}\n</observation ${nonce}>`;

const errorText = ({ code, message, hint }: SerializedError): string => `${code}: ${message}${hint ? `\n${hint}` : ""}`;

/**
 * Returns the content parts of a value that is a part or a list of parts. Null for any other value.
 */
export function partsIn(value: unknown): ContentPart[] | null {
  // A hole is not a part, but `every` skips holes. `Array.from` turns holes into `undefined`.
  const parts: unknown[] = Array.isArray(value) ? Array.from(value) : [value];
  return parts.length > 0 && parts.every(isShownPart) ? parts : null;
}

function isShownPart(value: unknown): value is ContentPart {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  return value.type === "text" ? "text" in value && typeof value.text === "string" : isStored(value);
}

/** Returns a value as text for the model: a string as it is, other values as compact JSON. */
export function valueText(value: unknown): string {
  if (value === undefined) return "done; there is no result";
  if (typeof value === "string") return value === "" ? "the result is an empty text" : value;
  return JSON.stringify(new ReadableForm().of(value));
}

/** The length of a text, in characters, above which each object is written only once. */
const maxRepeatedLength = 1_000_000;

/**
 * Converts a value to one that JSON can represent. The result is only for reading and cannot be
 * converted back.
 *
 * JSON repeats an object at each place that refers to it. A few dozen objects that refer to each
 * other can fill the memory that way. So in a long text, each object is written only once.
 */
class ReadableForm {
  readonly #shown = new Set<object>();
  #length = 0;

  of(value: unknown): unknown {
    this.#length += typeof value === "string" ? value.length : 8;
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
    if (typeof value !== "object" || value === null) return value;
    if (this.#length > maxRepeatedLength && this.#shown.has(value)) return "[repeated]";
    this.#shown.add(value);
    return this.#ofObject(value);
  }

  #ofObject(value: object): unknown {
    if (Array.isArray(value)) return value.map((item) => this.of(item));
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "invalid date" : value.toISOString();
    if (value instanceof Uint8Array) return `${value.length} bytes`;
    if (value instanceof Set) return [...value].map((item) => this.of(item));
    if (value instanceof Map) return this.#ofMap(value);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.of(item)]));
  }

  #ofMap(map: ReadonlyMap<unknown, unknown>): unknown {
    const entries = [...map].map(([key, item]) => [this.of(key), this.of(item)] as const);
    const isNamed = entries.every(([key]) => typeof key === "string");
    // The cast is safe: every key was just checked to be a string.
    return isNamed ? Object.fromEntries(entries as (readonly [string, unknown])[]) : entries;
  }
}

const text = (content: string): ContentPart => ({ type: "text", text: content });
