// Compares the output of a snippet with the output that its document shows.

/** The output that a document shows. */
export interface Shown {
  /** The ```text block after the snippet; absent if there is none. */
  readonly prints?: string;
  /**
   * The comments after `console.log(...)`, in order. Each comment is the expected output of its
   * call.
   */
  readonly logs: readonly string[];
}

/** The output of a snippet, as run-snippets.ts reports it. */
export interface Output {
  readonly text: string;
  /** The text of each call of `console.log`. */
  readonly logs: readonly string[];
}

/**
 * Returns the comment after `console.log(...)` on a line of code, as a list with at most one
 * element.
 */
export function loggedOn(line: string): readonly string[] {
  const comment = /\bconsole\.log\(.*\); \/\/ (.+)$/.exec(line)?.[1];
  return comment === undefined ? [] : [comment];
}

/** Says whether a snippet printed what its document shows. */
export function isPrinted({ prints, logs }: Shown, output: Output): boolean {
  if (prints !== undefined && withoutTimes(prints) !== withoutTimes(output.text)) return false;
  return areLogged(logs, output.logs);
}

/** Says whether calls printed the expected texts in this order. Other calls may be between them. */
function areLogged(expected: readonly string[], printed: readonly string[]): boolean {
  let next = 0;
  for (const text of printed) if (next < expected.length && isShownBy(expected[next] ?? "", text)) next += 1;
  return next === expected.length;
}

/**
 * Says whether a comment shows a printed text. A comment has only one line, so a space
 * in it matches any whitespace, even line breaks. `...` in a comment matches any text.
 */
function isShownBy(comment: string, printed: string): boolean {
  const parts = oneLine(comment).split("...");
  const pattern = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".*");
  return new RegExp(`^${pattern}$`).test(oneLine(printed));
}

/** Sets all durations to zero, because they differ each time. */
const withoutTimes = (text: string): string => text.replaceAll(/\b[\d.]+ m?s\b/g, "0 ms");

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
