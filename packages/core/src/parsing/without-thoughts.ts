// Handles the thoughts that some models write into their text, such as those between `<think>` and
// `</think>`. A closing marker without an opening marker ends a thought from the beginning of the
// text. A thought that is never closed continues to the end of the text.

import { type Thought, thoughtsIn } from "./thought-marks.ts";

/**
 * Returns a model's text without its thoughts. If there are only thoughts, they are returned as the
 * text.
 */
export function withoutThoughts(text: string): string {
  const said = spokenText(text);
  return said.trim() === "" ? replaced(text, innerText) : said;
}

/** Returns a model's text without its thoughts; empty if there is nothing else. */
export function spokenText(text: string): string {
  const begin = thoughtsIn(text).findLast(({ isOrphan }) => isOrphan)?.end ?? 0;
  return replaced(text.slice(begin), () => "");
}

/** Says whether a text ends in the middle of a thought. */
export const endsInThought = (text: string): boolean => thoughtsIn(text).at(-1)?.isOpen ?? false;

/** Returns a text without the thoughts that have both markers. */
export const withoutClosedThoughts = (text: string): string =>
  replaced(text, ({ start, end, isOpen, isOrphan }) => (isOpen || isOrphan ? text.slice(start, end) : ""));

/**
 * Returns the text with its thoughts as plain text. Some models never close their thought, so their
 * code is inside the thought.
 */
export const withThoughts = (text: string): string => replaced(text, (thought) => `\n${innerText(thought, text)}\n`);

const innerText = ({ inner: [start, end] }: Thought, text: string): string => text.slice(start, end);

/** Returns the text with each of its thoughts replaced. */
function replaced(text: string, replacement: (thought: Thought, text: string) => string): string {
  let result = "";
  let from = 0;
  for (const thought of thoughtsIn(text)) {
    result += text.slice(from, thought.start) + replacement(thought, text);
    from = thought.end;
  }
  return result + text.slice(from);
}
