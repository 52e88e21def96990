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
    return String(answer);
  }
}
