// Reads JSON objects as models write them: with line breaks in their strings, and with other text
// around them.

import { isRecord } from "@smolts/protocol";

/**
 * Parses a text as an object, even if its strings contain line breaks. Null when it is not an
 * object.
 */
export function jsonObject(text: string): { readonly [key: string]: unknown } | null {
  const strict = text.replaceAll(/"(?:[^"\\]|\\[\s\S])*(?:"|$)/g, (literal) =>
    literal.replaceAll("\n", "\\n").replaceAll("\t", "\\t"),
  );
  try {
    const value: unknown = JSON.parse(strict);
    return isRecord(value) ? value : null;
  } catch {
    // The text is not JSON, so the caller tries something else.
    return null;
  }
}

/**
 * Returns the text from the opening brace to the matching closing brace, ignoring braces in JSON
 * strings.
 */
export function balancedObject(text: string): string {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[\s\S])*(?:"|$)|[{}]/g)) {
    if (token === "{") depth++;
    if (token === "}" && --depth === 0) return text.slice(0, index + 1);
  }
  return text;
}
