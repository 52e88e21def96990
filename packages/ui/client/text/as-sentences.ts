/**
 * Writes an error and its hint as sentences for people. Error messages begin in lower case, because
 * programs join them to other texts. A name at the start, such as `groq/llama` or `sqlEngine`, is
 * not capitalised.
 */
export function asSentences(message: string, hint?: string): string {
  const sentences = hint ? [message.replace(/\.$/, ""), hint] : [message];
  return sentences.map((text) => text.replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase())).join(". ");
}
