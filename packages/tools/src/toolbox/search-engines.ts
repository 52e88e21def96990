// Defines the search engines. Each entry says how to send a query, and how to read the answer. All
// engines return results of the same type.

import { AgentError, type JsonValue } from "@smolts/protocol";
import { type Element, elementsIn, parseElements, textIn } from "./element-tree.ts";

/** One result of a search. */
export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  /** The date of publication, in the engine's own format. */
  readonly date?: string;
}

/** A query for an engine. */
export interface SearchQuery {
  readonly query: string;
  readonly maxResults: number;
  readonly year: number | undefined;
  readonly apiKey: string;
  readonly endpoint: string;
}

/** The HTTP request for a query. */
export interface SearchRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body that is sent as JSON with POST. Without it, the request is a GET. */
  readonly body?: JsonValue;
}

/** A search engine. */
export interface SearchEngine {
  readonly endpoint?: string;
  /** The environment variable that holds the engine's key. Absent if the engine needs no key. */
  readonly keyVariable?: string;
  /** Whether results can be limited to a year. */
  readonly hasYears: boolean;
  request(query: SearchQuery): SearchRequest;
  read(answer: string): readonly SearchResult[] | Promise<readonly SearchResult[]>;
}

/** The names of the engines. */
export type SearchEngineName = "duckduckgo" | "bing" | "brave" | "serper" | "serpapi" | "exa" | "tavily" | "searxng";

/** All engines by name. */
export const searchEngines: Readonly<Record<SearchEngineName, SearchEngine>> = {
  duckduckgo: {
    endpoint: "https://html.duckduckgo.com/html/",
    hasYears: true,
    request: ({ query, year, endpoint }) => ({
      url: withParameters(endpoint, { q: query, df: year && `${year}-01-01..${year}-12-31` }),
      headers: { accept: "text/html", "user-agent": "Mozilla/5.0 (compatible; smolts)" },
    }),
    read: readDuckDuckGo,
  },
  bing: {
    endpoint: "https://www.bing.com/search",
    hasYears: false,
    request: ({ query, endpoint }) => ({ url: withParameters(endpoint, { q: query, format: "rss" }) }),
    read: readRss,
  },
  brave: {
    endpoint: "https://api.search.brave.com/res/v1/web/search",
    keyVariable: "BRAVE_API_KEY",
    hasYears: true,
    request: ({ query, maxResults, year, apiKey, endpoint }) => ({
      url: withParameters(endpoint, {
        q: query,
        count: Math.min(maxResults, 20),
        freshness: year && `${year}-01-01to${year}-12-31`,
      }),
      headers: { accept: "application/json", "x-subscription-token": apiKey },
    }),
    read: (answer) => readJson(answer, ["web", "results"], { url: "url", snippet: "description", date: "page_age" }),
  },
  serper: {
    endpoint: "https://google.serper.dev/search",
    keyVariable: "SERPER_API_KEY",
    hasYears: true,
    request: ({ query, maxResults, year, apiKey, endpoint }) => ({
      url: endpoint,
      headers: { "x-api-key": apiKey },
      body: { q: query, num: maxResults, ...(year === undefined ? {} : { tbs: googleYear(year) }) },
    }),
    read: (answer) => readJson(answer, ["organic"], { url: "link", snippet: "snippet", date: "date" }),
  },
  serpapi: {
    endpoint: "https://serpapi.com/search.json",
    keyVariable: "SERPAPI_API_KEY",
    hasYears: true,
    request: ({ query, maxResults, year, apiKey, endpoint }) => ({
      url: withParameters(endpoint, {
        engine: "google",
        q: query,
        num: maxResults,
        tbs: year && googleYear(year),
        api_key: apiKey,
      }),
    }),
    read: (answer) => readJson(answer, ["organic_results"], { url: "link", snippet: "snippet", date: "date" }),
  },
  exa: {
    endpoint: "https://api.exa.ai/search",
    keyVariable: "EXA_API_KEY",
    hasYears: true,
    request: ({ query, maxResults, year, apiKey, endpoint }) => ({
      url: endpoint,
      headers: { "x-api-key": apiKey },
      body: {
        query,
        numResults: maxResults,
        contents: { text: { maxCharacters: 500 } },
        ...(year === undefined
          ? {}
          : { startPublishedDate: `${year}-01-01T00:00:00.000Z`, endPublishedDate: `${year}-12-31T23:59:59.999Z` }),
      },
    }),
    read: (answer) => readJson(answer, ["results"], { url: "url", snippet: "text", date: "publishedDate" }),
  },
  tavily: {
    endpoint: "https://api.tavily.com/search",
    keyVariable: "TAVILY_API_KEY",
    hasYears: true,
    request: ({ query, maxResults, year, apiKey, endpoint }) => ({
      url: endpoint,
      headers: { authorization: `Bearer ${apiKey}` },
      body: {
        query,
        max_results: Math.min(maxResults, 20),
        ...(year === undefined ? {} : { start_date: `${year}-01-01`, end_date: `${year}-12-31` }),
      },
    }),
    read: (answer) => readJson(answer, ["results"], { url: "url", snippet: "content", date: "published_date" }),
  },
  searxng: {
    hasYears: false,
    request: ({ query, endpoint }) => ({
      url: withParameters(`${endpoint.replace(/\/+$/, "").replace(/\/search$/, "")}/search`, {
        q: query,
        format: "json",
      }),
    }),
    read: (answer) => readJson(answer, ["results"], { url: "url", snippet: "content", date: "publishedDate" }),
  },
};

const googleYear = (year: number): string => `cdr:1,cd_min:01/01/${year},cd_max:12/31/${year}`;

function withParameters(endpoint: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

type Fields = Readonly<Record<"url" | "snippet" | "date", string>>;

function readJson(answer: string, path: readonly string[], fields: Fields): readonly SearchResult[] {
  const list = path.reduce<unknown>((value, key) => property(value, key), parseAnswer(answer));
  // Engines leave out the list if they found nothing.
  return (Array.isArray(list) ? list : []).flatMap((item: unknown) => toResult(item, fields));
}

function parseAnswer(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch (error) {
    throw new AgentError("tool-execution", "the search engine answered with something that is not JSON", {
      cause: error,
      hint: "check whether its endpoint returns JSON",
    });
  }
}

function toResult(item: unknown, fields: Fields): readonly SearchResult[] {
  const url = textProperty(item, fields.url);
  if (!/^https?:\/\//i.test(url)) return [];
  const date = textProperty(item, fields.date);
  const snippet = plainText(textProperty(item, fields.snippet));
  return [{ title: plainText(textProperty(item, "title")) || url, url, snippet, ...(date === "" ? {} : { date }) }];
}

const property = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;

function textProperty(value: unknown, key: string): string {
  const found = property(value, key);
  return typeof found === "string" ? found : "";
}

/** Removes the tags that some engines put around the words of the query. */
const plainText = (text: string): string =>
  text
    .replace(/<\/?(?:strong|b|em|mark)>/gi, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 1_000);

async function readDuckDuckGo(answer: string): Promise<readonly SearchResult[]> {
  const document = await parseElements(answer);
  const ofClass = (name: string, at: Element) =>
    elementsIn(at, ({ attributes }) => (attributes["class"] ?? "").split(/\s+/).includes(name));
  if (ofClass("anomaly-modal__title", document).length > 0) {
    throw new AgentError("tool-execution", "DuckDuckGo asks for a check that the visitor is not a robot", {
      hint: "wait a while, or use another engine",
    });
  }
  return ofClass("result", document).flatMap((result) => {
    const [link] = ofClass("result__a", result);
    const [snippet] = ofClass("result__snippet", result);
    const url = targetOf(link?.attributes["href"] ?? "");
    // Advertisements are skipped: they link to a page of the engine itself.
    if (!link || url === undefined || /\bresult--ad\b/.test(result.attributes["class"] ?? "")) return [];
    return [
      {
        title: plainText(textIn(link)),
        url,
        snippet: plainText(snippet ? textIn(snippet) : ""),
      },
    ];
  });
}

/**
 * Returns the target of a DuckDuckGo link. Such links lead to a page of DuckDuckGo whose address
 * contains the target.
 */
function targetOf(href: string): string | undefined {
  if (!URL.canParse(href, "https://duckduckgo.com")) return undefined;
  const link = new URL(href, "https://duckduckgo.com");
  const target = link.pathname === "/l/" ? (link.searchParams.get("uddg") ?? "") : link.href;
  if (!URL.canParse(target) || !/^https?:$/.test(new URL(target).protocol)) return undefined;
  return new URL(target).hostname.endsWith("duckduckgo.com") ? undefined : target;
}

async function readRss(answer: string): Promise<readonly SearchResult[]> {
  const feed = await parseElements(answer, { xml: true });
  return elementsIn(feed, ({ name }) => name === "item").flatMap((item) => {
    const text = (wanted: string): string => {
      const [element] = elementsIn(item, ({ name }) => name === wanted);
      return element ? textIn(element).trim() : "";
    };
    const link = text("link");
    if (!/^https?:\/\//i.test(link)) return [];
    const published = new Date(text("pubDate"));
    const date = Number.isFinite(published.getTime()) ? { date: published.toISOString().slice(0, 10) } : {};
    return [{ title: plainText(text("title")) || link, url: link, snippet: plainText(text("description")), ...date }];
  });
}
