import { type CodeSearch, firstProgram, maxStarts } from "./code-search.ts";
import { madeUpLine } from "./joined-blocks.ts";
import { withoutClosedThoughts } from "./without-thoughts.ts";

/** Text that is a program as a whole or, where that can be checked, from some line to its end. */
export function* bareCode(text: string, isChecked: boolean): CodeSearch<string | null> {
  const lines = withoutClosedThoughts(text).replace(chatMark, "").trim().split("\n");
  const starts = lines.flatMap((line, index) => (isProgramLine(line) ? [index] : []));
  const tried = isChecked ? starts.slice(0, maxStarts) : starts.slice(0, 1).filter((start) => start === 0);
  const programs = tried.map((start) => cutBare(lines.slice(start).join("\n")));
  return yield* firstProgram(programs.filter((code) => code !== ""));
}

const isProgramLine = (line: string): boolean => line.length <= maxFirstLineLength && programLine.test(line.trim());

function cutBare(code: string): string {
  const madeUp = madeUpLine(code);
  return (madeUp === -1 ? code : code.slice(0, madeUp)).trim();
}

/** What a line hardly begins with that belongs to a sentence. */
const programLine = new RegExp(
  `^(?:${[
    String.raw`(?:const|let|var)\s+[\w$[{][^=\n]*=`,
    String.raw`(?:async\s+)?function\b\s*\*?\s*[\w$]*\s*\(`,
    String.raw`class\s+[\w$]+[^\n]*\{`,
    String.raw`(?:for|while|if|switch)\s*(?:await\s*)?\(`,
    String.raw`(?:try|do)\s*\{`,
    String.raw`(?:await\s+|return\s+)?[\w$]+(?:\.[\w$]+)*\([^\n]*[)\]}({;,\x60'"]\s*;?\s*$`,
    String.raw`[\w$.[\]]+\s*(?:[+\-*/]|\*\*)?=[^=\n]`,
    String.raw`(?://|/\*)`,
    String.raw`(?=[^\n]*\d)[\w$.() ]+[-+*/%][\w$.() +\-*/%]+;?$`,
  ].join("|")})`,
);

/** Longer lines are not looked at: the patterns above take long to say no to them. */
const maxFirstLineLength = 500;

/** What a chat template puts before code. */
const chatMark = /^\s*<\|\w+\|>/;
