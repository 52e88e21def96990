/** Returns the part of a model's text before its code. */
export function thoughtBefore(text: string, code: string | null): string {
  const at = code === null || code.trim() === "" ? -1 : text.indexOf(code.trim());
  return (at < 0 ? text : text.slice(0, at)).replace(/(?:<[^<>\s]{1,20}>|```\w*)\s*$/, "").trim();
}

/** Returns a text on one line without Markdown signs. It is the title of a closed step. */
export function gistOf(text: string): string {
  return text
    .slice(0, 600)
    .replace(/^\s*(?:Thought|Thoughts?)\s*:\s*/i, "")
    .replace(/^[#>\s*-]+/, "")
    .replace(/[`*_]{1,3}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Splits a text into its first paragraph and the rest. */
export function splitThought(text: string): { readonly head: string; readonly rest: string } {
  const trimmed = text.trim().replace(/^(?:Thought|Thoughts?)\s*:\s*/i, "");
  const end = trimmed.search(/\n\s*\n|\n(?=[#>*-] |\d+\. |```|\|)/);
  if (end < 0) return { head: trimmed, rest: "" };
  return { head: trimmed.slice(0, end), rest: trimmed.slice(end).replace(/^\n+/, "") };
}
