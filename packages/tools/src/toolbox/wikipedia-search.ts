import { AgentError, invalidOption, type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { tool } from "../tool.ts";
import { cutText } from "./cut-text.ts";
import { type EndpointFetch, fetchEndpointJson } from "./endpoint-fetch.ts";
import { savedAs } from "./saved-as.ts";

const plainOptions = ["language", "content", "maxLength", "userAgent", "endpoint", "timeoutMs"];

/** Options of {@link wikipediaSearch}. */
export interface WikipediaSearchOptions {
  /** The language of the encyclopedia, as in its address, such as `en`. @defaultValue "en" */
  readonly language?: string;
  /**
   * The part that is returned: the whole article, or only the text before its first heading.
   * @defaultValue "text"
   */
  readonly content?: "text" | "summary";
  /** The most characters of the article that are returned. @defaultValue 40_000 */
  readonly maxLength?: number;
  /** Names your program and a way to contact you, as Wikipedia asks. */
  readonly userAgent?: string;
  /** The address of another MediaWiki's `api.php`. Default: Wikipedia's. */
  readonly endpoint?: string;
  /** @defaultValue 20_000 */
  readonly timeoutMs?: number;
  /** The `fetch` for requests to the encyclopedia. @defaultValue the platform's */
  readonly fetch?: EndpointFetch;
}

/**
 * Creates a tool that finds the best Wikipedia article for a query and returns its text.
 *
 * @throws AgentError `invalid-option` for a language that is not a language code
 * @example
 * ```ts
 * import { wikipediaSearch } from "@smolts/tools/wikipedia-search";
 *
 * console.log(wikipediaSearch({ language: "fr", content: "summary" }).name); // wikipediaSearch
 * ```
 */
export function wikipediaSearch(options: WikipediaSearchOptions = {}): Tool<{ readonly query: string }, string> {
  const settings = readOptions(options, "wikipediaSearch()", wikipediaSearchOptions);
  const { language = "en", content = "text", maxLength = 40_000, userAgent = "smolts", timeoutMs = 20_000 } = settings;
  const { endpoint = `https://${language}.wikipedia.org/w/api.php`, fetch: fetchArticle } = settings;
  if (!/^[a-z]{2,12}(?:-[a-z]{2,12})*$/.test(language)) {
    throw invalidOption(`wikipediaSearch: language is "${language}"; expected a language code`, 'write it as "en"');
  }
  return tool({
    name: "wikipediaSearch",
    description: `Finds the article of Wikipedia (language "${language}") that fits best and gives its title, ${content} and address.`,
    input: { query: "string — a topic: a name or a few words" },
    output: "string",
    effects: "none",
    ...savedAs("wikipedia-search", "wikipediaSearch", settings, plainOptions),
    execute: async ({ query }, { signal }) => {
      const url = articleUrl(endpoint, query, content);
      const headers = { "user-agent": userAgent };
      const service = "Wikipedia";
      const answer = await fetchEndpointJson({ service, url, headers, signal, timeoutMs, fetch: fetchArticle });
      return cutText(articleText(answer, query), maxLength);
    },
  });
}

const wikipediaSearchOptions: OptionTable<WikipediaSearchOptions> = {
  language: "text",
  content: ["text", "summary"],
  maxLength: "number",
  userAgent: "text",
  endpoint: "text",
  timeoutMs: "number",
  fetch: "function",
};

function articleUrl(endpoint: string, query: string, content: "text" | "summary"): string {
  const url = new URL(endpoint);
  const parameters = {
    action: "query",
    format: "json",
    formatversion: "2",
    generator: "search",
    gsrsearch: query,
    gsrlimit: "1",
    prop: "extracts|info",
    inprop: "url",
    explaintext: "1",
    redirects: "1",
    ...(content === "summary" ? { exintro: "1" } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The parts of the answer that this file reads. */
interface ArticleAnswer {
  readonly query?: {
    readonly pages?: readonly { readonly title?: string; readonly extract?: string; readonly fullurl?: string }[];
  };
}

function articleText(answer: unknown, query: string): string {
  // Any part of the answer may be missing, so each is checked before it is used.
  const page = (answer as ArticleAnswer | null)?.query?.pages?.[0];
  if (page?.title === undefined || !page.extract) {
    throw new AgentError("tool-execution", `Wikipedia has no article for "${query.slice(0, 100)}"`, {
      hint: "try another name for it, or fewer words",
    });
  }
  return [`# ${page.title}`, page.extract.trim(), page.fullurl].filter(Boolean).join("\n\n");
}
