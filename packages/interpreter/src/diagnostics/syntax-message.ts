// Our messages for syntax errors: which token is wrong, or what is missing at the end.

import { tokenizer } from "acorn";
import type { ProgramSyntaxError } from "../parse.ts";
import { lineAndColumn } from "./excerpt.ts";

/** Returns the message of a syntax error, in lower case. */
export function syntaxMessage(text: string, { message, offset }: ProgramSyntaxError): string {
  if (/^Unexpected token/.test(message))
    return text.slice(offset).trim() === "" ? endMessage(text) : `unexpected ${tokenAt(text, offset)}`;
  if (/rvalue/.test(message)) return "the left side cannot be assigned to";
  const jump = /^Unsyntactic (break|continue)/.exec(message)?.[1];
  if (jump !== undefined) return `"${jump}" is not inside a loop, or its label does not exist`;
  if (/^'return' outside/.test(message)) return '"return" is outside of a function';
  const quoted = message.replaceAll("'", '"');
  return quoted.slice(0, 1).toLowerCase() + quoted.slice(1);
}

const maxTokenLength = 30;

/** Returns the whole word, number or string at an offset, or else one character. */
function tokenAt(text: string, offset: number): string {
  const rest = text.slice(offset, offset + maxTokenLength);
  const [token = ""] = /^(?:[\p{L}\p{N}_$]+|"[^"\n]*"|'[^'\n]*'|=>|[^\s])/u.exec(rest) ?? [];
  return token.startsWith('"') || token.startsWith("'") ? `string ${token}` : `"${token}"`;
}

function endMessage(text: string): string {
  const open = lastUnclosed(text);
  if (!open) return "the code ends too early";
  return `the code ends too early: "${open.bracket}" of line ${lineAndColumn(text, open.offset).line} is not closed`;
}

/** Returns the innermost bracket that is still open at the end of the text. */
function lastUnclosed(text: string): { readonly bracket: string; readonly offset: number } | undefined {
  const open: { bracket: string; offset: number }[] = [];
  try {
    for (const { type, start, end } of tokenizer(text, { ecmaVersion: 2024, sourceType: "module" })) {
      if (/^[[{(]$|^\$\{$/.test(type.label)) open.push({ bracket: text.slice(start, end), offset: start });
      else if (/^[\])}]$/.test(type.label)) open.pop();
    }
  } catch {
    // The tokenizer throws at text that it cannot read. This error is ignored: the brackets that
    // are open at that point are good enough for a message.
  }
  return open.at(-1);
}
