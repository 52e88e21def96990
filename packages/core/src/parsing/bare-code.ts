import type { CodeSyntax } from "../languages/code-language.ts";
import { type CodeSearch, firstProgram, maxStarts } from "./code-search.ts";
import type { CodeFormat } from "./code-tags.ts";
import { madeUpLine } from "./joined-blocks.ts";
import { withoutClosedThoughts } from "./without-thoughts.ts";

/** Text that is a program as a whole or, where that can be checked, from some line to its end. */
export function* bareCode(
  text: string,
  { language: { syntax } }: CodeFormat,
  isChecked: boolean,
): CodeSearch<string | null> {
  const lines = withoutClosedThoughts(text).replace(chatMark, "").replace(endMark, "").trim().split("\n");
  const starts = lines.flatMap((line, index) => (syntax.isProgramLine(line) ? [index] : []));
  const tried = isChecked ? starts.slice(0, maxStarts) : starts.slice(0, 1).filter((start) => start === 0);
  const programs = tried.map((start) => cutBare(lines.slice(start).join("\n"), syntax));
  return yield* firstProgram(programs.filter((code) => code !== ""));
}

function cutBare(code: string, syntax: CodeSyntax): string {
  const madeUp = madeUpLine(code, syntax);
  return (madeUp === -1 ? code : code.slice(0, madeUp)).trim();
}

/** Marks that a chat template puts after code. */
const endMark = /(?:<\|\w+\|>|<\/s>|<end_of_turn>)\s*$/;

/** Marks that a chat template puts before code. */
const chatMark = /^\s*<\|\w+\|>/;
