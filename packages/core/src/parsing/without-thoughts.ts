// Handles the thoughts that some models write into their text, between `<think>` and `</think>`. A
// closing tag without an opening tag ends a thought from the beginning of the text. A thought that
// is never closed continues to the end of the text.

const tags = /<\/?think(?:ing)?>/gi;

/**
 * Returns a model's text without its thoughts. If there are only thoughts, they are returned as the
 * text.
 */
export function withoutThoughts(text: string): string {
  const said = spokenText(text);
  return said.trim() === "" ? text.replaceAll(tags, "") : said;
}

/** Returns a model's text without its thoughts; empty if there is nothing else. */
export function spokenText(text: string): string {
  let said = "";
  let from = 0;
  let isThought = false;
  for (const { 0: tag, index } of text.matchAll(tags)) {
    const isClosing = tag.startsWith("</");
    if (!isThought && !isClosing) said += text.slice(from, index);
    if (!isThought && isClosing) said = "";
    isThought = !isClosing;
    from = index + tag.length;
  }
  return isThought ? said : said + text.slice(from);
}

/** Says whether a text ends in the middle of a thought. */
export function endsInThought(text: string): boolean {
  const last = [...text.matchAll(tags)].at(-1)?.[0];
  return last !== undefined && !last.startsWith("</");
}

/** Returns a text without the thoughts that have both tags. */
export const withoutClosedThoughts = (text: string): string =>
  text.replaceAll(/<think(?:ing)?>(?:(?!<think)[\s\S])*?<\/think(?:ing)?>/gi, "");
