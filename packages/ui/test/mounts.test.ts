// Tests the page inside other servers. All of these servers can pass the requests below a path to a
// function that returns responses.

import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { CodeAgent } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { createUIHandler, launchUI, memorySessions, type UIHandler } from "@smolts/ui";
import { Hono } from "hono";
import { expect, test } from "vitest";

const newUI = (basePath: string): UIHandler => {
  const model = scriptedModel(() => "Done.\n<code>\nfinalAnswer(42)\n</code>");
  return createUIHandler(new CodeAgent({ model }), { basePath });
};

/** Logs in, starts a run and reads its answer, as the page does. */
async function visitAndAsk(ui: UIHandler, pageUrl: string, send: typeof fetch): Promise<void> {
  expect(await (await send(pageUrl)).text()).toContain("<agent-ui");
  const code = new URL(ui.launchUrl(pageUrl)).hash.replace("#code=", "");
  const json = { "content-type": "application/json" };
  const entered = await send(`${pageUrl}api/enter`, { method: "POST", headers: json, body: JSON.stringify({ code }) });
  const { key } = (await entered.json()) as { key: string };
  const cookie = (entered.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const headers = { ...json, cookie, "x-smolts-key": key };
  const post = async (path: string, body: object): Promise<{ readonly id: string }> => {
    const response = await send(`${pageUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return response.json() as Promise<{ readonly id: string }>;
  };
  const { id } = await post("api/sessions", {});
  await post(`api/sessions/${id}/runs`, { task: "Go.", requestId: "1" });
  const stream = await send(`${pageUrl}api/sessions/${id}/events`, { headers });
  let text = "";
  for await (const chunk of stream.body ?? []) {
    text += new TextDecoder().decode(chunk as Uint8Array);
    if (/"type":"run-end".*"answer":42/.test(text)) break;
  }
  expect(text).toContain('"answer":42');
}

test("in Hono, below a path", async () => {
  const ui = newUI("/agent");
  const app = new Hono().all("/agent/*", (c) => ui(c.req.raw)).get("/", (c) => c.text("mine"));
  const send = (async (url: string, init: RequestInit = {}) =>
    app.fetch(new Request(url, { ...init, headers: { host: "localhost:3000", ...init.headers } }))) as typeof fetch;
  await visitAndAsk(ui, "http://localhost:3000/agent/", send);
  expect(await (await send("http://localhost:3000/")).text()).toBe("mine");
});

test("as a route handler, a function from a request to a response, as in Next, Deno and Workers", async () => {
  const ui = newUI("/agent");
  const send = (async (url: string, init: RequestInit = {}) =>
    ui(new Request(url, { ...init, headers: { host: "localhost:3000", ...init.headers } }))) as typeof fetch;
  await visitAndAsk(ui, "http://localhost:3000/agent/", send);
  // Next removes the slash at the end.
  const page = await (await send("http://localhost:3000/agent")).text();
  expect(page).toContain('<agent-ui src="agent/"');
  expect(page).toContain('src="agent/assets/agent-ui.js');
});

test("in a server of Node, beside other routes, as in Express", async () => {
  const ui = newUI("/agent");
  const listener = getRequestListener(ui, { overrideGlobalObjects: false });
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/agent")) void listener(request, response);
    else response.end("mine");
  });
  const port = await new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port)),
  );
  try {
    await visitAndAsk(ui, `http://127.0.0.1:${port}/agent/`, fetch);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("mine");
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test("the page's own server compresses its files, and the handler does not, because servers around it compress", async () => {
  const headers = { host: "localhost:3000", "accept-encoding": "gzip" };
  const mounted = await newUI("/agent")(new Request("http://localhost:3000/agent/assets/agent-ui.js", { headers }));
  const plain = await mounted.text();
  expect(mounted.headers.get("content-encoding")).toBeNull();
  const agent = new CodeAgent({ model: scriptedModel([]) });
  await using ui = await launchUI(agent, { port: 0, print: null, store: memorySessions() });
  for (const _ of [1, 2]) {
    const served = await fetch(new URL("assets/agent-ui.js", ui.url), { headers: { "accept-encoding": "gzip" } });
    expect(served.headers.get("content-encoding")).toBe("gzip");
    expect(await served.text()).toBe(plain);
  }
  const uncompressed = await fetch(new URL("assets/agent-ui.js", ui.url), {
    headers: { "accept-encoding": "identity" },
  });
  expect(uncompressed.headers.get("content-encoding")).toBeNull();
});
