import { encodeValue } from "@smolts/protocol";

/** An answer as text: texts as they are, bigints as digits, everything else as JSON. */
export function textOfAnswer(answer: unknown): string {
  if (typeof answer === "string") return answer;
  if (typeof answer === "bigint") return answer.toString();
  if (answer === undefined) return "";
  try {
    return JSON.stringify(encodeValue(answer));
  } catch {
    // A value that cannot be carried, such as a function of a plain function's answer.
    return textOfAnything(answer);
  }
}

/** Any value as text, also one whose own code throws when it is asked. */
export function textOfAnything(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `a value of type ${typeof value} that has no text`;
  }
}
