import { readFileSync } from "node:fs";
import { type WebSearchOptions, webSearch } from "@smolts/tools/web-search";
import { wikipediaSearch } from "@smolts/tools/wikipedia-search";
import { describe, expect, test } from "vitest";
import { call } from "./tool-call.ts";

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
}

/** Returns a fetch that always sends this answer and records its requests. */
function answering(
  body: string,
  status = 200,
): { readonly asked: Asked[]; readonly fetch: NonNullable<WebSearchOptions["fetch"]> } {
  const asked: Asked[] = [];
  return {
    asked,
    fetch: async (url, init) => {
      asked.push({ url, init });
      return new Response(body, { status });
    },
  };
}

const hit = { title: "Smolt", url: "https://fish.example/smolt", snippet: "A young salmon." };

const fixture = (name: string): string => readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), "utf8");

// fixtures/README.md names the sources of the answers.
const engines: [engine: NonNullable<WebSearchOptions["engine"]>, answer: string, asked: RegExp, date?: string][] = [
  [
    "duckduckgo",
    `<div class="result results_links result--ad"><a class="result__a" href="https://duckduckgo.com/y.js?ad=1">Buy fish</a></div>
     <div class="result results_links"><h2><a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Ffish.example%2Fsmolt&amp;rut=1">Smolt</a></h2>
     <a class="result__snippet" href="#">A young <b>salmon</b>.</a></div>`,
    /^https:\/\/html\.duckduckgo\.com\/html\/\?q=young\+salmon$/,
  ],
  [
    "bing",
    `<?xml version="1.0"?><rss version="2.0"><channel><title>Bing</title><item><title>Smolt</title><link>https://fish.example/smolt</link><description>A young salmon.</description><pubDate>Sat, 21 Nov 2026 08:00:00 GMT</pubDate></item></channel></rss>`,
    /^https:\/\/www\.bing\.com\/search\?q=young\+salmon&format=rss$/,
    "2026-11-21",
  ],
  [
    "brave",
    fixture("brave-search.documented"),
    /^https:\/\/api\.search\.brave\.com\/.*q=young\+salmon&count=10$/,
    "2026-11-21T00:00:00",
  ],
  ["serper", fixture("serper-search.documented"), /serper\.dev\/search$/, "Nov 21, 2026"],
  [
    "serpapi",
    fixture("serpapi-search.documented"),
    /serpapi\.com\/search\.json\?engine=google&q=young\+salmon/,
    "Nov 21, 2026",
  ],
  ["exa", fixture("exa-search.documented"), /api\.exa\.ai\/search$/, "2026-11-21T00:00:00.000Z"],
  ["tavily", fixture("tavily-search.documented"), /api\.tavily\.com\/search$/],
  ["searxng", fixture("searxng-search.recorded"), /^http:\/\/127\.0\.0\.1:8888\/search\?q=young\+salmon&format=json$/],
];

describe.each(engines)("%s", (engine, answer, asked, date) => {
  const endpoint = engine === "searxng" ? { endpoint: "http://127.0.0.1:8888/" } : {};
  const key = ["duckduckgo", "bing", "searxng"].includes(engine) ? {} : { apiKey: "key" };
  const make = (body: string, more: WebSearchOptions = {}) => {
    const server = answering(body);
    return {
      server,
      search: webSearch({ engine, ...key, fetch: server.fetch, requestsPerMinute: 0, ...endpoint, ...more }),
    };
  };

  test("gets a request in its own form, and its results have our form", async () => {
    const { search, server } = make(answer);
    const [first] = await call(search, { query: "young salmon" });
    expect(first).toEqual({ ...hit, ...(date === undefined ? {} : { date }) });
    expect(server.asked[0]?.url).toMatch(asked);
    expect(server.asked[0]?.init.redirect).toBe("error");
  });

  test("says that it found nothing if the answer has no results", async () => {
    const empty = ["duckduckgo", "bing"].includes(engine) ? "<p>none</p>" : "{}";
    await expect(call(make(empty).search, { query: "x" })).rejects.toThrow(/found nothing/);
  });

  test("limits results to a year, or refuses the option", async () => {
    if (["bing", "searxng"].includes(engine)) {
      expect(() => make(answer, { year: 2020 })).toThrow(/cannot filter by year/);
      return;
    }
    const { search, server } = make(answer, { year: 2020 });
    await call(search, { query: "x" });
    await call(search, { query: "x", year: 1999 });
    const texts = server.asked.map(({ url, init }) => decodeURIComponent(url) + String(init.body));
    expect([texts[0]?.includes("2020"), texts[1]?.includes("1999"), texts[1]?.includes("2020")]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

test("keeps its key out of errors", async () => {
  const { fetch } = answering("no", 403);
  const search = webSearch({ engine: "serpapi", apiKey: "very-secret", fetch });
  const error: Error = await call(search, { query: "x" }).then(
    () => new Error("none"),
    (thrown: Error) => thrown,
  );
  expect(error.message).toBe('the search engine "serpapi" answered with status 403');
  expect(JSON.stringify(error)).not.toContain("very-secret");
});

test("uses a custom service with an endpoint and a function that reads its answer", async () => {
  const { fetch, asked } = answering(JSON.stringify([{ name: "Smolt", at: hit.url }]));
  // The cast is safe: the test's service sends answers of this type.
  const map = (answer: unknown) =>
    (answer as { name: string; at: string }[]).map(({ name, at }) => ({ title: name, url: at, snippet: "" }));
  const search = webSearch({
    endpoint: "https://search.intranet/find?index=1",
    headers: { "x-token": "t" },
    map,
    fetch,
  });
  expect(await call(search, { query: "smolt" })).toEqual([{ title: "Smolt", url: hit.url, snippet: "" }]);
  expect(asked[0]?.url).toBe("https://search.intranet/find?index=1&q=smolt");
  expect(asked[0]?.init.headers).toMatchObject({ "x-token": "t" });
});

test("is refused at construction with missing or unknown options", () => {
  expect(() => webSearch({ engine: "gogle" as "bing" })).toThrow(/there is no engine "gogle"/);
  expect(() => webSearch({ engine: "searxng" })).toThrow(/needs an endpoint/);
  expect(() => webSearch({ maxResults: 0 })).toThrow(/maxResults is 0/);
});

test("spreads its searches over the minute, and does not wait after an abort", async () => {
  const { fetch } = answering(engines[1]?.[1] ?? "");
  const search = webSearch({ engine: "bing", fetch, requestsPerMinute: 1 });
  await call(search, { query: "x" });
  const signal = AbortSignal.timeout(30);
  await expect(call(search, { query: "x" }, { signal })).rejects.toMatchObject({ name: "TimeoutError" });
});

test("wikipediaSearch returns the best article with its address", async () => {
  const page = {
    title: "Smolt",
    extract: "A smolt is a young salmon.",
    fullurl: "https://en.wikipedia.org/wiki/Smolt",
  };
  const { fetch, asked } = answering(JSON.stringify({ query: { pages: [page] } }));
  const text = await call(wikipediaSearch({ fetch, content: "summary" }), { query: "smolt" });
  expect(text).toBe("# Smolt\n\nA smolt is a young salmon.\n\nhttps://en.wikipedia.org/wiki/Smolt");
  expect(asked[0]?.url).toMatch(/^https:\/\/en\.wikipedia\.org\/w\/api\.php\?.*gsrsearch=smolt.*exintro=1/);
  await expect(call(wikipediaSearch({ fetch: answering("{}").fetch }), { query: "zzz" })).rejects.toThrow(
    /no article for "zzz"/,
  );
  expect(() => wikipediaSearch({ language: "en.evil.example/" })).toThrow(/language is/);
});
