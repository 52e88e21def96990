import type { JsonValue } from "@smolts/protocol";

/** A call that was read out of a text. */
export interface TextToolCall {
  readonly name: string;
  readonly input: JsonValue;
  /**
   * The parameters as they were written, where the form knows no types; `input` then holds what
   * they look like.
   */
  readonly written?: { readonly [parameter: string]: string };
}

/** Reads one form of calls; null when the text has nothing of the kind. */
export type ReadCalls = (text: string) => readonly TextToolCall[] | null;

/**
 * The name of a tool without what models and their servers put around it: `functions.add`,
 * `functions.add:0`, `add<|channel|>commentary`.
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

/** A call whose parameters are texts. */
export function callOfTexts(
  name: string,
  parameters: readonly (readonly [name: string, text: string])[],
): TextToolCall {
  const written = Object.fromEntries(parameters.map(([key, text]) => [key.trim(), withoutFrame(text)]));
  const input = Object.fromEntries(Object.entries(written).map(([key, text]) => [key, valueIn(text)]));
  return { name: toolNameIn(name), input, written };
}

/** The line ends after and before the tags belong to the form. */
const withoutFrame = (text: string): string => text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");

function valueIn(text: string): JsonValue {
  const plain = text.trim();
  if (/^(?:True|False|None)$/.test(plain)) return plain === "None" ? null : plain === "True";
  try {
    // JSON.parse returns JSON.
    return JSON.parse(plain) as JsonValue;
  } catch {
    return text;
  }
}
