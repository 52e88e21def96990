/** Returns the start of a text. If something was cut off, a last line says so. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength)}\n\n[cut: these are the first ${maxLength} of ${text.length} characters or more]`;
}
