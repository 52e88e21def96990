// Recognises that a server stopped at a stop sequence in the wrong place. Servers stop at the first
// occurrence, even if the occurrence is in a thought or in a string of the program.

import { type ChatMessage, type ContentPart, textOf } from "@smolts/protocol";
import { BlockSplitter } from "./code-blocks.ts";
import type { CodeFormat } from "./code-tags.ts";
import { blocksOf } from "./joined-blocks.ts";

/**
 * Says whether a server stopped a message too early: in a thought, or in a literal of several lines
 * in a block of code.
 */
export function isStoppedInside({ content }: ChatMessage, format: CodeFormat): boolean {
  const text = textOf(content);
  const isSilent = text.trim() === "" && content.every(({ type }) => type === "text" || type === "reasoning");
  if (isSilent) return hasOpenBlock(content, format);
  const splitter = new BlockSplitter(format, { text: () => {}, open: () => {}, code: () => {}, close: () => {} });
  // Add the line break that begins every stop sequence, because the server removed it. Also remove
  // a fence at the end, which would look like the beginning of a string.
  splitter.push(`${text.replace(/\n[ \t]*```\s*$/, "")}\n`);
  splitter.end();
  return splitter.isInThought || splitter.isInLiteral;
}

/** Says whether the reasoning has a block of code without its end. */
const hasOpenBlock = (content: readonly ContentPart[], format: CodeFormat): boolean => {
  const reasoning = content.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  return blocksOf(reasoning, format).at(-1)?.end === "text";
};
