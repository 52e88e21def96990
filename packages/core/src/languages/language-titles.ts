import type { ExecutorFactory } from "@smolts/protocol";

type LanguageId = ExecutorFactory["language"];

/** The names of the languages for people, by id. */
export const languageTitles: { readonly [Id in LanguageId]: string } = { javascript: "JavaScript", python: "Python" };

/** Says whether a value is the id of a known language. */
export const isLanguageId = (id: unknown): id is LanguageId =>
  typeof id === "string" && Object.hasOwn(languageTitles, id);
