/** Returns the part of a model's text before its code. */
export function thoughtBefore(text: string, code: string | null): string {
  const at = code === null || code.trim() === "" ? -1 : text.indexOf(code.trim());
  return (at < 0 ? text : text.slice(0, at)).replace(/(?:<[^<>\s]{1,20}>|```\w*)\s*$/, "").trim();
}

/** Returns a text on one line without Markdown signs. It is the title of a closed step. */
export function gistOf(text: string): string {
  return withoutSigns(text.slice(0, 600)).replace(/\s+/g, " ").trim();
}

/** Splits a text into its first paragraph and the rest. */
export function splitThought(text: string): { readonly head: string; readonly rest: string } {
  const trimmed = text.trim();
  const end = trimmed.search(/\n\s*\n|\n(?=#{1,6} |[>*-] |\d+\. |```|\|)/);
  if (end < 0) return { head: withoutSigns(trimmed), rest: "" };
  return { head: withoutSigns(trimmed.slice(0, end)), rest: trimmed.slice(end).replace(/^\n+/, "") };
}

/**
 * Removes the Markdown signs of a paragraph, and a title such as `Thought:`. Keeps the signs in
 * names such as `max_steps` and in products such as `2 * 3`.
 */
function withoutSigns(text: string): string {
  return text
    .replace(/^[#>\s*-]+(?=\s)/, "")
    .replace(/(?<![\p{L}\p{N}*_])(\*{1,3}|_{1,3})(?=[^\s*_])(.*?[^\s*_])\1(?![\p{L}\p{N}*_])/gsu, "$2")
    .replace(/`{1,3}/g, "")
    .replace(/^\s*Thoughts?\s*:\s*/i, "")
    .trim();
}
