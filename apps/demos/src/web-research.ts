// Searches and reads web pages. The pages are served on loopback, so that the demo runs offline.
// The tools are the real ones of the toolbox.
//
//   pnpm --filter @smolts/demos web-research

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CodeAgent, type Model, type SearchResult, visitWebpage, webSearch } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** The pages that the demo serves, by path. */
export const pages: Readonly<Record<string, { readonly title: string; readonly html: string }>> = {
  "/loire": {
    title: "The Loire",
    html: "<nav>Home</nav><main><h1>The Loire</h1><table><tr><th>Length</th><td>1006 km</td></tr></table></main>",
  },
  "/rhone": {
    title: "The Rhône",
    html: "<nav>Home</nav><main><h1>The Rhône</h1><table><tr><th>Length</th><td>813 km</td></tr></table></main>",
  },
};

/** Options of the demo. If you pass other pages, the agent finds a different answer. */
export interface WebResearchOptions {
  readonly model: Model;
  readonly web?: typeof pages;
  readonly level?: PrintLevel;
}

/** Asks by how much one river is longer than another, and returns the agent's answer. */
export async function webResearch({ model, web = pages, level = "info" }: WebResearchOptions): Promise<unknown> {
  await using server = await serve(web);
  const { origin } = server;
  // The endpoint answers with the list of results that `serve` below writes.
  const search = webSearch({
    endpoint: `${origin}/search`,
    map: (answer) => answer as readonly SearchResult[],
    requestsPerMinute: 0,
  });
  // By default, the tool refuses addresses on loopback. The demo serves its pages there.
  const visit = visitWebpage({ allowedOrigins: [origin] });
  const agent = new CodeAgent({ model, tools: [search, visit] });
  return await printRun(agent.run("By how many kilometres is the Loire longer than the Rhône?"), { level });
}

/** The scripted model's replies. The lengths of the rivers come from the pages. */
export const script: readonly string[] = [
  `I search for both rivers and read the first page of each.
<code>
const hits = await Promise.all(["Loire", "Rhône"].map((query) => webSearch({ query })));
const texts = await Promise.all(hits.map(([first]) => visitWebpage({ url: first.url })));
print(texts[0]);
</code>`,
  `The length stands in a table, before "km". I take both numbers and subtract.
<code>
const [loire, rhone] = texts.map((text) => Number(/(\\d+) km/.exec(text)[1]));
finalAnswer(loire - rhone);
</code>`,
];

interface SmallWeb extends AsyncDisposable {
  readonly origin: string;
}

async function serve(web: typeof pages): Promise<SmallWeb> {
  const server = createServer((request, response) => {
    const { pathname, searchParams, origin } = new URL(request.url ?? "/", `http://${request.headers.host}`);
    if (pathname === "/search") {
      const found = Object.entries(web).filter(([, { title }]) => title.includes(searchParams.get("q") ?? ""));
      return response.end(
        JSON.stringify(found.map(([path, { title }]) => ({ title, url: origin + path, snippet: "" }))),
      );
    }
    const page = web[pathname];
    return response
      .writeHead(page ? 200 : 404, { "content-type": "text/html; charset=utf-8" })
      .end(page?.html ?? "no such page");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // safe cast: the server listens on a port
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections();
    },
  };
}

await runDemo(import.meta.url, script, (model) => webResearch({ model }));
