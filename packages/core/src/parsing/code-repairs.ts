// Repairs code that does not parse, before the model is asked to write it again.

const entities: { readonly [entity: string]: string } = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#x27;": "'",
  "&amp;": "&",
};

const unescaped = (code: string): string =>
  code.replaceAll(/&(?:lt|gt|quot|#39|#x27|amp);/g, (entity) => entities[entity] ?? entity);

const withStraightQuotes = (code: string): string => code.replaceAll(/[“”„]/g, '"').replaceAll(/[‘’]/g, "'");

const withoutInvisible = (code: string): string => code.replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, "");

/** The prompts of a shell before each line of code; lines without one are what it printed. */
function withoutPrompts(code: string): string {
  const prompt = /^[ \t]*(?:>{1,3}|\.{3}|In \[\d+\]:)(?:[ \t]|$)/;
  const lines = code.split("\n");
  if (!prompt.test(lines.find((line) => line.trim() !== "") ?? "")) return code;
  return lines.flatMap((line) => (prompt.test(line) ? [line.replace(prompt, "")] : [])).join("\n");
}

/** What models and their servers do to characters, undone: one at a time, then all of them. */
export const repairs: readonly ((code: string) => string)[] = [
  unescaped,
  withStraightQuotes,
  withoutInvisible,
  withoutPrompts,
  (code) => withoutInvisible(withStraightQuotes(unescaped(code))),
];
