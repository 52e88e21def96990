import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tool } from "@smolts/tools";
import { fromOpenApi } from "@smolts/tools/from-open-api";
import { visitWebpage } from "@smolts/tools/visit-webpage";
import type { Benchmark } from "./benchmark.ts";

/** Measures what tools cost in addition to their own work. */
export const benchmark: Benchmark = {
  name: "tools",
  method:
    "CPU time (user and system), the minimum of 15 rounds, of: 1,000 short declarations; one validation of a typical call, averaged over 10,000; 1,000 operations of GitHub's OpenAPI description, already parsed; a page of 1 MB converted to Markdown",
  goals: { declare1000Ms: 30, validateMicroseconds: 5, openApi1000Ms: 300, visit1MbMs: 400 },
  async run() {
    const github = gitHubOperations(1_000);
    const visit = visitWebpage({ maxLength: 2_000_000, fetch: async () => pageOf(1_000_000) });
    return {
      declare1000Ms: await fastestMs(() => {
        for (let number = 0; number < 1_000; number++) declare(number);
      }),
      validateMicroseconds: ((await fastestMs(() => validate(10_000))) / 10_000) * 1_000,
      openApi1000Ms: await fastestMs(() => fromOpenApi(github)),
      visit1MbMs: await fastestMs(() => visit.execute({ url: "https://example.org/" }, context)),
    };
  },
};

const declare = (number: number) =>
  tool({
    name: `getWeather${number}`,
    description: "The weather of the next days in a city.",
    input: { city: "string — where", days: "integer?", celsius: "boolean?" },
    output: "string",
    effects: "none",
    execute: ({ city }) => city,
  });

const weather = declare(0);

function validate(times: number): void {
  for (let count = 0; count < times; count++) weather.parseInput({ city: "Paris", days: 3 });
}

/**
 * Returns GitHub's OpenAPI description. To reach the count, some operations are repeated with other
 * names.
 */
function gitHubOperations(count: number): object {
  const require = createRequire(new URL("../../packages/tools/package.json", import.meta.url));
  const file = require.resolve("@octokit/openapi/generated/api.github.com.json");
  const document: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const paths: Record<string, Record<string, object>> = {};
  for (let index = 0; index < count; index++) {
    const { path, method, operation } = all[index % all.length] ?? {
      path: "",
      method: "",
      operation: { operationId: "" },
    };
    const again = index < all.length ? "" : "/again";
    paths[path + again] = {
      ...paths[path + again],
      [method]: { ...operation, operationId: operation.operationId + again },
    };
  }
  return { ...document, paths };
}

function pageOf(bytes: number): Response {
  const section =
    "<h2>Rivers</h2><p>The <b>Loire</b> is <a href='/loire'>long</a>.</p><ul><li>one<li>two</ul><table><tr><td>1<td>2</table>";
  const html = `<title>Rivers</title><main>${section.repeat(Math.ceil(bytes / section.length))}</main>`;
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}

const context = {
  signal: new AbortController().signal,
  runId: "bench",
  path: ["agent"],
  callId: "agent/1.1",
  idempotencyKey: "key",
  attempt: 1,
  emit: () => {},
  metadata: undefined,
  readBlob: () => Promise.reject(new Error("there is no log")),
};

async function fastestMs(task: () => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 15; round++) {
    const before = process.cpuUsage();
    await task();
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / 1_000);
  }
  return Math.min(...rounds);
}
