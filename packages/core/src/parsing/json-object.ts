// Objects of JSON as models write them: with line ends in their texts, and with words around them.

/** The object that a text is, though line ends stand within its texts; null when it is none. */
export function jsonObject(text: string): { readonly [key: string]: unknown } | null {
  const strict = text.replaceAll(/"(?:[^"\\]|\\[\s\S])*(?:"|$)/g, (literal) =>
    literal.replaceAll("\n", "\\n").replaceAll("\t", "\\t"),
  );
  try {
    const value: unknown = JSON.parse(strict);
    return isRecord(value) ? value : null;
  } catch {
    // No JSON, then: whoever asks goes on to something else.
    return null;
  }
}

/** Whether a value of JSON is an object. */
export const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** From the opening brace to the one that closes it, as JSON counts. */
export function balancedObject(text: string): string {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[\s\S])*(?:"|$)|[{}]/g)) {
    if (token === "{") depth++;
    if (token === "}" && --depth === 0) return text.slice(0, index + 1);
  }
  return text;
}
