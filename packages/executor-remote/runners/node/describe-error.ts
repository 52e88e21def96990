// Describes errors for the model: type, message, the line, and a caret below the column.

import { inspect } from "node:util";
import type { SerializedError } from "@smolts/protocol";
import { excerpt } from "../../../interpreter/src/diagnostics/excerpt.ts";
import { syntaxMessage } from "../../../interpreter/src/diagnostics/syntax-message.ts";
import type { SourceText } from "../../../interpreter/src/guest-throw.ts";
import { ProgramSyntaxError } from "../../../interpreter/src/parse.ts";

/** The text of a block, before and after it was compiled. */
export interface KnownSource {
  readonly text: string;
  readonly generated: string;
  readonly originalOffset: (offset: number) => number;
}

const maxTextLength = 2_000;
const maxCauseChainLength = 3;

/** Describes a syntax error. Returns null for other errors. */
export function describeSyntaxError(error: unknown, source: SourceText): SerializedError | null {
  if (!(error instanceof ProgramSyntaxError)) return null;
  return {
    code: "code-execution",
    name: "SyntaxError",
    message: `SyntaxError: ${syntaxMessage(source.text, error)}\n${excerpt({ source, offset: error.offset })}`,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}

/**
 * Describes an exception that the block did not catch. `present` is the name of the block that ran.
 */
export function describeThrow(
  thrown: unknown,
  present: string,
  sources: ReadonlyMap<string, KnownSource>,
): SerializedError {
  if (!isError(thrown)) {
    return { code: "code-execution", message: `the code threw ${cut(inspect(thrown, { depth: 2 }))}` };
  }
  const place = placeOf(thrown, present, sources);
  const { hint } = thrown as { readonly hint?: unknown };
  return {
    code: "code-execution",
    name: cut(String(thrown.name)),
    message: [errorText(thrown), ...(place === null ? [] : [place]), ...causes(thrown)].join("\n"),
    ...(typeof hint === "string" ? { hint: cut(hint) } : {}),
  };
}

/** Describes an exception in a promise or callback that the block did not await. */
export function describeUnhandled(error: SerializedError): SerializedError {
  return {
    ...error,
    message: `a promise or callback that nothing awaited failed: ${error.message}`,
    hint: error.hint ?? 'write "await" before calls that return promises, or catch what they throw',
  };
}

const isError = (value: unknown): value is Error =>
  value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";

const errorText = ({ name, message }: Error): string => cut(`${cut(String(name))}: ${String(message)}`);

function causes(error: Error): string[] {
  const texts: string[] = [];
  for (let cause = error.cause; isError(cause) && texts.length < maxCauseChainLength; cause = cause.cause) {
    texts.push(`caused by ${errorText(cause)}`);
  }
  return texts;
}

/**
 * Finds the first position of a block in a stack trace, and returns an excerpt of the code there.
 * Returns null if the stack trace contains no position of a block.
 */
export function placeOf(
  { stack }: { readonly stack?: unknown },
  present: string,
  sources: ReadonlyMap<string, KnownSource>,
): string | null {
  const frame = /\b(block \d+):(\d+):(\d+)\)?$/m.exec(String(stack ?? ""));
  const source = frame ? sources.get(frame[1] ?? "") : undefined;
  if (!frame || !source) return null;
  const name = frame[1] ?? "";
  const offset = source.originalOffset(offsetAt(source.generated, Number(frame[2]), Number(frame[3])));
  return excerpt({ source: { name, text: source.text }, offset }, name === present ? "" : ` of ${name}`);
}

function offsetAt(text: string, line: number, column: number): number {
  let start = 0;
  for (let count = 1; count < line; count++) {
    const end = text.indexOf("\n", start);
    if (end === -1) break;
    start = end + 1;
  }
  return start + column - 1;
}

const cut = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)} ...` : text);
