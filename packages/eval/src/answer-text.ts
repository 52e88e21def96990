import { toPlainText } from "@smolts/protocol";

/** Returns an answer as text: strings unchanged, big integers as digits, objects as JSON. */
export function textOfAnswer(answer: unknown): string {
  try {
    return toPlainText(answer);
  } catch {
    // The answer of a plain function may contain values that cannot be encoded, such as functions.
    return textOfAnything(answer);
  }
}

/** Returns any value as text, even if its own `toString` throws. */
export function textOfAnything(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `a value of type ${typeof value} that has no text`;
  }
}
