import type { JsonValue } from "@smolts/protocol";

/** A tool call that was read from a text. */
export interface TextToolCall {
  readonly name: string;
  readonly input: JsonValue;
  /**
   * The parameters as the model wrote them, if the format has no types. `input` then contains the
   * values that these texts look like: the number 20 for the text "20".
   */
  readonly written?: { readonly [parameter: string]: string };
}

/** Reads calls in one format. Null when the text has no such calls. */
export type ReadCalls = (text: string) => readonly TextToolCall[] | null;

/**
 * Returns the name of a tool without the text that models and their servers add to it: `add` for
 * `functions.add`, `functions.add:0` or `add<|channel|>commentary`.
 */
export function toolNameIn(written: string): string {
  return written
    .trim()
    .replace(/<\|[\s\S]*$/, "")
    .replace(/^(?:functions?|tools?|default_api)[.:](?=\w)/, "")
    .replace(/:\d+$/, "")
    .replace(/\.call$/, "")
    .replace(/^final_answer$/, "finalAnswer")
    .trim();
}

/** Returns a call whose parameters were written as texts without types. */
export function callOfTexts(
  name: string,
  parameters: readonly (readonly [name: string, text: string])[],
): TextToolCall {
  const written = Object.fromEntries(parameters.map(([key, text]) => [key.trim(), withoutFrame(text)]));
  const input = Object.fromEntries(Object.entries(written).map(([key, text]) => [key, valueIn(text)]));
  return { name: toolNameIn(name), input, written };
}

/**
 * Removes the line breaks after the opening tag and before the closing tag, because they belong to
 * the format and not to the value.
 */
const withoutFrame = (text: string): string => text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");

function valueIn(text: string): JsonValue {
  const plain = text.trim();
  if (/^(?:True|False|None)$/.test(plain)) return plain === "None" ? null : plain === "True";
  try {
    // The value comes from JSON.
    return JSON.parse(plain) as JsonValue;
  } catch {
    return text;
  }
}
