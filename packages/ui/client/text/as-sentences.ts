/**
 * Writes what is wrong and what to do about it, as a person would. Errors begin in lower case,
 * since programs join them to other texts; a name at the beginning, such as `groq/llama` or
 * `sqlEngine`, stays as it is.
 */
export function asSentences(message: string, hint?: string): string {
  const sentences = hint ? [message.replace(/\.$/, ""), hint] : [message];
  return sentences.map((text) => text.replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase())).join(". ");
}
