// Finds tools by what they do, for agents with more tools than fit into a prompt. Words of the
// query are matched with words of names, descriptions and parameters, and rare words count more
// (BM25 over fields).

import type { JsonSchema } from "@smolts/protocol";
import type { DeclaredTool } from "../languages/code-language.ts";

/** Returns the tools that match a query best. */
export type ToolSearch = (query: string, limit: number) => readonly DeclaredTool[];

/**
 * Prepares a search in a list of tools. This takes about a millisecond for each hundred tools.
 *
 * @example
 * ```ts
 * import { createToolSearch } from "@smolts/core";
 *
 * const tools = ["cancelOrder", "listInvoices"].map((name) => ({ name, description: "", inputSchema: {} }));
 * console.log(createToolSearch(tools)("which invoices are there?", 1)[0]?.name); // listInvoices
 * ```
 */
export function createToolSearch(tools: readonly DeclaredTool[]): ToolSearch {
  const entries = tools.map((tool) => ({ tool, weights: weightsOf(tool) }));
  const rarity = rarityOf(entries.map(({ weights }) => weights));
  return (query, limit) => {
    const terms = queryTerms(query);
    const scored = entries.map(({ tool, weights }) => ({ tool, score: scoreOf(terms, weights, rarity) }));
    return scored
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score)
      .slice(0, limit)
      .map(({ tool }) => tool);
  };
}

/**
 * A number for each word: how much the word describes a tool, or how important it is in a query.
 */
type Weights = ReadonlyMap<string, number>;

/** The weight of a word, for each field of a tool in which the word can occur. */
const fieldWeights = { name: 3, description: 1.5, parameters: 0.5 } as const;

function weightsOf({ name, description, inputSchema }: DeclaredTool): Weights {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  add(name, fieldWeights.name);
  add(description, fieldWeights.description);
  add(parameterText(inputSchema), fieldWeights.parameters);
  return weights;
}

function parameterText({ properties }: JsonSchema): string {
  if (typeof properties !== "object" || properties === null) return "";
  return Object.entries(properties)
    .map(([name, schema]) => `${name} ${schema?.description ?? ""}`)
    .join(" ");
}

/**
 * Returns how rare each word is. A word that all tools contain says little about a tool, and a rare
 * word says much.
 */
function rarityOf(documents: readonly Weights[]): Weights {
  const counts = new Map<string, number>();
  for (const weights of documents) for (const word of weights.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, Math.log(1 + documents.length / count)]));
}

/**
 * Limits the weight of repetitions: each further occurrence of a word in a tool adds less to the
 * score.
 */
const saturation = 1.5;

function scoreOf(terms: Weights, weights: Weights, rarity: Weights): number {
  let score = 0;
  for (const [word, wanted] of terms) {
    const weight = weights.get(word) ?? 0;
    score += wanted * (rarity.get(word) ?? 0) * (weight / (weight + saturation));
  }
  return score;
}

/** The weight of a synonym, which counts less than the word itself. */
const synonymWeight = 0.5;

function queryTerms(query: string): Weights {
  const terms = new Map<string, number>();
  for (const word of wordsOf(query)) terms.set(word, 1);
  for (const word of [...terms.keys()]) {
    for (const synonym of synonyms.get(word) ?? []) {
      if (!terms.has(synonym)) terms.set(synonym, synonymWeight);
    }
  }
  return terms;
}

const stopWords = new Set(
  "a an the of for to in on at by with and or is are be it its this that these those i me my we our you your do does can could how what which who where when there".split(
    " ",
  ),
);

/** Returns the words of a text in lower case. Compound names are split, and endings are removed. */
function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2").replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  const words = apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !stopWords.has(word)).map(stemOf);
}

/**
 * Removes English endings roughly. It only matters that all forms of a word have the same result.
 */
function stemOf(word: string): string {
  if (word.length <= 3) return word;
  return word
    .replace(/(?:ies|ied)$/, "y")
    .replace(/(?:ations?|ings?|ed|ers?|es|s)$/, (ending, at: number) => (at >= 3 ? "" : ending))
    .replace(/([^aeiou])\1$/, "$1")
    .replace(/e+$/, "");
}

/** Words that interfaces use for the same thing, one group on each line. */
const sameMeaning: readonly string[] = [
  "get fetch read show view look retrieve load",
  "list enumerate show all browse",
  "find search look query locate",
  "create add new make open register insert",
  "delete remove erase drop destroy",
  "cancel abort stop revoke",
  "update change edit modify set adjust",
  "send mail deliver post submit",
  "start begin run launch trigger execute",
  "end finish close complete",
  "copy duplicate clone",
  "move transfer shift",
  "approve accept confirm allow",
  "reject deny refuse decline",
  "compute calculate count sum total",
  "download export save",
  "upload import",
  "picture image photo",
  "person people user customer client contact",
  "bill invoice",
  "buy purchase order",
  "employee staff worker",
  "trip travel journey",
];

const synonyms: ReadonlyMap<string, ReadonlySet<string>> = synonymMap();

function synonymMap(): ReadonlyMap<string, ReadonlySet<string>> {
  const map = new Map<string, Set<string>>();
  for (const group of sameMeaning) {
    const words = wordsOf(group);
    for (const word of words) map.set(word, new Set([...(map.get(word) ?? []), ...words]));
  }
  return map;
}
