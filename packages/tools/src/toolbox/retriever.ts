import { invalidOption, type OptionTable, readOptions, type Tool, wrongArgument } from "@smolts/protocol";
import type MiniSearch from "minisearch";
import { tool } from "../tool.ts";

/** A text to search in. */
export interface RetrieverDocument {
  readonly text: string;
  readonly title?: string;
  /** The origin of the text, such as an address or a file name. */
  readonly source?: string;
}

/** A passage that matches a query. */
export interface RetrievedPassage {
  readonly text: string;
  readonly title?: string;
  readonly source?: string;
  /**
   * How well the passage matches; higher is better. Scores can be compared only within one query.
   */
  readonly score: number;
}

/** Options of {@link retriever}. */
export interface RetrieverOptions {
  /** The documents that are searched. */
  readonly documents: readonly RetrieverDocument[];
  /** Tells the model what the documents are about. */
  readonly description: string;
  /** @defaultValue "retriever" */
  readonly name?: string;
  /** @defaultValue 5 */
  readonly maxResults?: number;
  /**
   * The approximate length of a passage, in characters. Documents are cut into passages at the ends
   * of paragraphs.
   * @defaultValue 1_000
   */
  readonly passageLength?: number;
}

/**
 * Creates a tool that finds the passages of your documents that match a query best, by shared words
 * (BM25). The index is built in memory when the tool is first called.
 *
 * @throws AgentError `invalid-option` without documents
 * @example
 * ```ts
 * import { retriever } from "@smolts/tools/retriever";
 *
 * const manual = retriever({ description: "The manual of the coffee machine.", documents: [{ text: "To descale, press both buttons." }] });
 * console.log(manual.name, manual.effects); // retriever none
 * ```
 */
export function retriever(options: RetrieverOptions): Tool<{ readonly query: string }, readonly RetrievedPassage[]> {
  const {
    documents,
    description,
    name = "retriever",
    maxResults = 5,
    passageLength = 1_000,
  } = readOptions(options, "retriever()", retrieverOptions);
  const strange = documents.findIndex((document) => typeof document?.text !== "string");
  if (strange >= 0) {
    throw wrongArgument(
      `retriever "${name}": documents[${strange}]`,
      documents[strange],
      "an object with a text",
      'write documents: [{ text: "..." }]',
    );
  }
  if (documents.length === 0) throw invalidOption(`retriever "${name}" has no documents`);
  let index: Promise<PassageIndex> | undefined;
  return tool({
    name,
    description: `Finds passages by their words. ${description} Gives at most ${maxResults}, the best first.`,
    input: { query: "string — the words that a passage with the answer would use" },
    output: {
      type: "array",
      items: {
        type: "object",
        properties: {
          text: { type: "string" },
          title: { type: "string" },
          source: { type: "string" },
          score: { type: "number" },
        },
        required: ["text", "score"],
      },
    },
    effects: "none",
    execute: async ({ query }) => {
      index ??= createIndex(toPassages(documents, passageLength));
      return findPassages(await index, query, maxResults);
    },
  });
}

const retrieverOptions: OptionTable<RetrieverOptions> = {
  documents: "required list",
  description: "required text",
  name: "text",
  maxResults: "number",
  passageLength: "number",
};

interface PassageIndex {
  readonly passages: readonly RetrieverDocument[];
  readonly search: MiniSearch;
}

async function createIndex(passages: readonly RetrieverDocument[]): Promise<PassageIndex> {
  const { default: Index } = await import("minisearch");
  const search = new Index({
    fields: ["title", "text"],
    searchOptions: { boost: { title: 2 }, fuzzy: 0.15, prefix: true },
  });
  search.addAll(passages.map(({ title = "", text }, id) => ({ id, title, text })));
  return { passages, search };
}

function findPassages({ passages, search }: PassageIndex, query: string, maxResults: number): RetrievedPassage[] {
  const found = search.search(query).slice(0, maxResults);
  return found.flatMap(({ id, score }) => {
    const passage = passages[Number(id)];
    return passage ? [{ ...passage, score: Math.round(score * 1_000) / 1_000 }] : [];
  });
}

function toPassages(documents: readonly RetrieverDocument[], length: number): readonly RetrieverDocument[] {
  return documents.flatMap((document) => cutAtParagraphs(document.text, length).map((text) => ({ ...document, text })));
}

/**
 * Joins paragraphs up to the given length. A longer paragraph is cut at sentences, or anywhere if a
 * sentence is too long.
 */
function cutAtParagraphs(text: string, length: number): readonly string[] {
  const pieces = text.split(/\n\s*\n/).flatMap((paragraph) => cutLong(paragraph.trim(), length));
  const passages: string[] = [];
  for (const piece of pieces.filter((candidate) => candidate !== "")) {
    const last = passages.at(-1);
    if (last !== undefined && last.length + piece.length < length)
      passages[passages.length - 1] = `${last}\n\n${piece}`;
    else passages.push(piece);
  }
  return passages;
}

function cutLong(paragraph: string, length: number): readonly string[] {
  const pieces: string[] = [];
  let rest = paragraph;
  while (rest.length > length) {
    const end = rest.lastIndexOf(". ", length) + 1 || length;
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest];
}
