import { redact } from "./redact.ts";

/**
 * Returns a thrown value as a text for a message, without secrets. Never throws, whatever the value
 * is. A message is cut off after 2,000 characters. An object without a message is shown as JSON,
 * cut off after 300 characters.
 *
 * @example
 * ```ts
 * import { thrownText } from "@smolts/protocol";
 *
 * console.log(thrownText(new Error("no answer")), thrownText({ status: 500 })); // no answer {"status":500}
 * ```
 */
export function thrownText(thrown: unknown): string {
  try {
    if (typeof thrown !== "object" || thrown === null) return shortened(String(thrown), maxMessageLength);
    const { name, message } = thrown as { readonly name?: unknown; readonly message?: unknown };
    if (typeof message === "string" && message !== "") return shortened(message, maxMessageLength);
    if (thrown instanceof Error) return typeof name === "string" && name !== "" ? name : "Error";
    return shortened(JSON.stringify(thrown) ?? "an object", maxJsonLength);
  } catch {
    // A getter or a `toJSON` may throw, and a cycle cannot be written as JSON.
    return "an object that cannot be shown";
  }
}

const maxMessageLength = 2_000;
const maxJsonLength = 300;

// The text is also cut before the redaction, because redacting a very long text is slow. This first
// cut is at twice the length, so that a secret at the end of the shown part is still recognised as
// a whole.
function shortened(message: string, maxLength: number): string {
  const text = redact(message.slice(0, maxLength * 2));
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}...`;
}
