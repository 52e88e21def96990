// The thinking that some models write into their text, between `<think>` and `</think>`. A closing
// tag without an opening one ends a thought that began before the text; a thought that is never
// closed reaches to the end.

const tags = /<\/?think(?:ing)?>/gi;

/**
 * A model's text without its thoughts. Where nothing but thoughts was written, they are the text.
 */
export function withoutThoughts(text: string): string {
  const said = spokenText(text);
  return said.trim() === "" ? text.replaceAll(tags, "") : said;
}

/** A model's text without its thoughts; empty if it has nothing else. */
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

/** Whether a text breaks off, or ends, in the middle of a thought. */
export function endsInThought(text: string): boolean {
  const last = [...text.matchAll(tags)].at(-1)?.[0];
  return last !== undefined && !last.startsWith("</");
}

/** A text without the thoughts in it that have both their tags. */
export const withoutClosedThoughts = (text: string): string =>
  text.replaceAll(/<think(?:ing)?>(?:(?!<think)[\s\S])*?<\/think(?:ing)?>/gi, "");
