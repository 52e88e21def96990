/**
 * A model's text without the thinking that some models write into it between `<think>` and `</think>`.
 *
 * A closing tag without an opening one ends a thought that began before the text; a thought never closed reaches to the end. Where nothing but thoughts
 * was written, they are the text.
 */
export function withoutThoughts(text: string): string {
  let said = "";
  let from = 0;
  let isThought = false;
  for (const { 0: tag, index } of text.matchAll(/<\/?think(?:ing)?>/gi)) {
    const isClosing = tag.startsWith("</");
    if (!isThought && !isClosing) said += text.slice(from, index);
    if (!isThought && isClosing) said = "";
    isThought = !isClosing;
    from = index + tag.length;
  }
  if (!isThought) said += text.slice(from);
  return said.trim() === "" ? text.replaceAll(/<\/?think(?:ing)?>/gi, "") : said;
}
