/** The start of a text, with a line that says so when something was cut off. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength)}\n\n[cut: these are the first ${maxLength} of ${text.length} characters or more]`;
}
