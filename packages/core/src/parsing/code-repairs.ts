// What is done to code that is no program as it stands, before the model is asked to write it again.

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

/** What models and their servers do to characters, undone: one at a time, then all of them. */
export const repairs: readonly ((code: string) => string)[] = [
  unescaped,
  withStraightQuotes,
  withoutInvisible,
  (code) => withoutInvisible(withStraightQuotes(unescaped(code))),
];
