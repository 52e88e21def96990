import { type ParsedToken, parse } from "sugar-high/core";
import { tokenize } from "sugar-high/lang/typescript";
import type { Piece, TextStyle } from "./terminal-writer.ts";

/** One line of code as styled pieces. */
export type CodeLine = readonly Piece[];

const styles: Record<ParsedToken["type"], TextStyle> = {
  keyword: "accent",
  string: "literal",
  class: "name",
  property: "plain",
  entity: "name",
  jsxliterals: "plain",
  identifier: "plain",
  sign: "muted",
  comment: "muted",
  break: "plain",
  space: "plain",
};

/** Splits code into lines of highlighted pieces. */
export function highlight(code: string): readonly CodeLine[] {
  // Agents do not write JSX. With the rules of JSX, a text such as "<b>" would change the colours
  // of the code after it.
  return parse(code, { tokenize, jsx: false }).lines.map(({ tokens }) =>
    joinPairs(tokens).map(({ type, value }) => ({ text: value, style: styles[type] })),
  );
}

/**
 * Joins surrogate pairs again. The tokenizer works on code units and may split a pair, which would
 * print two broken characters.
 */
function joinPairs(tokens: readonly ParsedToken[]): readonly ParsedToken[] {
  const joined: ParsedToken[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (last && /[\ud800-\udbff]$/.test(last.value))
      joined[joined.length - 1] = { ...last, value: last.value + token.value };
    else joined.push(token);
  }
  return joined;
}
