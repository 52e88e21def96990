import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { CodeAgent } from "@smolts/core";
import { AgentError } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { createUIHandler, exportHtml, launchUI, memorySessions } from "@smolts/ui";
import { describe, expect, test } from "vitest";
import { isIdleAfterRun, PageClient, pageUrl, until } from "./page-client.ts";

const agent = new CodeAgent({
  model: scriptedModel(() => "Done.\n<code>\nfinalAnswer('</script><script>alert(1)</script>')\n</code>"),
});

const codeOf = (url: string): string => new URL(url).hash.replace("#code=", "");

const enter = (ui: ReturnType<typeof createUIHandler>, code?: string, headers: Record<string, string> = {}) =>
  ui(
    new Request(`${pageUrl}api/enter`, {
      method: "POST",
      headers: { host: "localhost:7860", "content-type": "application/json", ...headers },
      body: JSON.stringify(code === undefined ? {} : { code }),
    }),
  );

/** Tries a password from one of this machine's addresses, and returns the status. */
async function enterFrom(localAddress: string, pageUrl: string, code: string): Promise<number | undefined> {
  const headers = { "content-type": "application/json" };
  const asked = request(new URL("api/enter", pageUrl), { method: "POST", localAddress, headers });
  asked.end(JSON.stringify({ code }));
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe("a visitor who logs in", () => {
  test("has a code, which works once", async () => {
    const ui = createUIHandler(agent);
    const code = codeOf(ui.launchUrl(pageUrl));
    expect((await enter(ui, code)).status).toBe(200);
    const again = await enter(ui, code);
    expect(again.status).toBe(401);
    expect(await again.json()).toMatchObject({
      error: { code: "wrong-code", hint: "press Enter in the terminal for a new one" },
    });
    expect((await enter(ui)).status).toBe(401);
  });

  test("may guess the password ten times a minute", async () => {
    const ui = createUIHandler(agent, { auth: { password: "correct horse" } });
    for (let guess = 0; guess < 10; guess++) expect((await enter(ui, `guess ${guess}`)).status).toBe(401);
    const right = await enter(ui, "correct horse");
    expect(right.status).toBe(429);
    expect(right.headers.get("retry-after")).toBeTruthy();
  });

  test("gets in with the right code, however many wrong ones others have tried", async () => {
    const ui = createUIHandler(agent);
    for (let guess = 0; guess < 30; guess++) expect((await enter(ui, `guess ${guess}`)).status).toBe(401);
    expect((await enter(ui, codeOf(ui.launchUrl(pageUrl)))).status).toBe(200);
  });

  test("gets no more guesses by sending them all at once", async () => {
    const ui = createUIHandler(agent, { auth: { password: "correct horse" } });
    const guesses = Array.from({ length: 300 }, (_, guess) => enter(ui, `guess ${guess}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(290);
  });

  // Runs only on Linux, because other systems have only one loopback address.
  test.runIf(process.platform === "linux")("does not wait because another machine guesses", async () => {
    const auth = { password: "correct horse" };
    await using ui = await launchUI(agent, { port: 0, print: null, store: memorySessions(), auth });
    for (let guess = 0; guess < 10; guess++) expect(await enterFrom("127.0.0.2", ui.url, `guess ${guess}`)).toBe(401);
    expect(await enterFrom("127.0.0.2", ui.url, "correct horse")).toBe(429);
    expect(await enterFrom("127.0.0.3", ui.url, "correct horse")).toBe(200);
  });

  test("has at most 1,000 sessions, even if the requests arrive at once", async () => {
    const client = await PageClient.enter(createUIHandler(agent));
    const asked = Array.from({ length: 1_020 }, () => client.send("POST", "api/sessions", {}));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1_000);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  test("may come from a link on another site, which can neither frame the page nor read it", async () => {
    const ui = createUIHandler(agent, { auth: { password: "correct horse" } });
    const visit = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const status = async (path: string, headers: Record<string, string>, method = "GET"): Promise<number> =>
      (await ui(new Request(`${pageUrl}${path}`, { method, headers: { host: "localhost:7860", ...headers } }))).status;
    expect(await status("", visit)).toBe(200);
    expect(await status("", { ...visit, "sec-fetch-dest": "iframe" })).toBe(403);
    expect(await status("", { ...visit, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" })).toBe(403);
    expect(await status("api/sessions", visit)).toBe(401);
    expect(await status("api/sessions", visit, "POST")).toBe(403);
    expect(await status("", { ...visit, host: "evil.example" })).toBe(403);
  });

  test("has a cookie that scripts cannot read and other sites cannot send, with the port in its name", async () => {
    const ui = createUIHandler(agent);
    const cookie = (await enter(ui, codeOf(ui.launchUrl(pageUrl)))).headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^smolts-7860=[\w-]{22}; HttpOnly; SameSite=Strict; Path=\//);
  });

  test("behind TLS has a cookie that only this host can set, and none from another server", async () => {
    const ui = createUIHandler(agent, { auth: { password: "correct horse" }, hosts: ["agents.example"] });
    const planted = "A".repeat(22);
    const https = { host: "agents.example", "x-forwarded-proto": "https" };
    const entered = await enter(ui, "correct horse", { ...https, cookie: `smolts-7860=${planted}` });
    const cookie = entered.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^__Host-smolts-7860=[\w-]{22}; HttpOnly; SameSite=Strict; Path=\/; .*; Secure$/);
    expect(cookie).not.toContain(planted);
    const { key } = (await entered.json()) as { readonly key: string };
    const ask = (sent: string): Promise<Response> =>
      ui(new Request(`${pageUrl}api/info`, { headers: { ...https, cookie: sent, "x-smolts-key": key } }));
    expect((await ask(cookie.split(";")[0] ?? "")).status).toBe(200);
    expect((await ask((cookie.split(";")[0] ?? "").replace("__Host-", ""))).status).toBe(401);
  });

  test("needs the password if there is one", async () => {
    const ui = createUIHandler(agent, { auth: { password: "correct horse" } });
    expect((await enter(ui, "wrong")).status).toBe(401);
    expect((await enter(ui, "correct horse")).status).toBe(200);
  });

  test("is identified by the login of the surrounding server on each request", async () => {
    let visitor: string | null = "ana";
    const ui = createUIHandler(agent, { auth: () => (visitor ? { id: visitor, name: visitor } : null) });
    const client = await PageClient.enterByLogin(ui);
    expect(await client.info()).toMatchObject({ visitor: { name: "ana" } });
    const { id } = await client.newSession();
    visitor = "ben";
    expect((await client.send("GET", `api/sessions/${id}/events`)).status).toBe(404);
    visitor = null;
    expect((await client.send("GET", "api/info")).status).toBe(401);
  });
});

describe("a request that is refused", () => {
  const routes = (id: string): readonly (readonly [string, string])[] => [
    ["GET", "api/info"],
    ["GET", "api/sessions"],
    ["POST", "api/sessions"],
    ["PATCH", `api/sessions/${id}`],
    ["DELETE", `api/sessions/${id}`],
    ["GET", `api/sessions/${id}/events`],
    ["POST", `api/sessions/${id}/runs`],
    ["POST", `api/sessions/${id}/stop`],
    ["POST", `api/sessions/${id}/say`],
    ["POST", `api/sessions/${id}/decisions`],
    ["POST", `api/sessions/${id}/continue`],
    ["POST", `api/sessions/${id}/rewind`],
    ["POST", `api/sessions/${id}/fork`],
    ["POST", `api/sessions/${id}/uploads?name=a.txt`],
    ["GET", `api/sessions/${id}/variables`],
    ["GET", `api/sessions/${id}/log`],
    ["GET", `api/sessions/${id}/export.html`],
    ["GET", `api/sessions/${id}/blobs/sha256-${"a".repeat(43)}`],
  ];

  test("has only a cookie, only a key, or the key of another visitor, on every route", async () => {
    const ui = createUIHandler(agent);
    const [ana, ben] = [await PageClient.enter(ui), await PageClient.enter(ui)];
    const { id } = await ana.newSession();
    for (const [method, path] of routes(id)) {
      for (const { cookie = "", key = "" } of [
        { cookie: ana.cookie },
        { key: ana.key },
        { cookie: ana.cookie, key: ben.key },
        {},
      ]) {
        const response = await ui(
          new Request(new URL(path, pageUrl), {
            method,
            headers: { host: "localhost:7860", cookie, "x-smolts-key": key },
          }),
        );
        expect([path, response.status]).toEqual([path, 401]);
      }
    }
  });

  test("has a host name that is not the server's, as in DNS rebinding", async () => {
    const ui = createUIHandler(agent);
    const client = await PageClient.enter(ui);
    const foreign = [
      "evil.example",
      "localhost.evil.example:7860",
      "127.0.0.1.evil.example",
      "[::2]:7860",
      "",
      "localhost.:7860",
      "localhost:7860:7860",
      "localhost:evil.example",
      "localhost/evil.example",
      "user@localhost:7860",
      "127.1:7860",
      "2130706433:7860",
      "0x7f.0.0.1:7860",
      "0.0.0.0:7860",
      "[::ffff:127.0.0.1]:7860",
      "localhost, evil.example",
    ];
    for (const host of foreign) {
      const response = await client.send("GET", "api/info", undefined, { host });
      expect([host, response.status]).toEqual([host, 403]);
      expect(await response.json()).toMatchObject({ error: { code: "foreign-origin" } });
    }
    expect((await client.send("GET", "", undefined, { host: "evil.example" })).status).toBe(403);
    for (const host of ["127.0.0.1:7860", "LOCALHOST:7860", "localhost", "[::1]:7860"])
      expect([host, (await client.send("GET", "api/info", undefined, { host })).status]).toEqual([host, 200]);
    const named = { "x-forwarded-host": "localhost", forwarded: "host=localhost", host: "evil.example" };
    expect((await client.send("GET", "api/info", undefined, named)).status).toBe(403);
  });

  test("comes from another site or another port", async () => {
    const ui = createUIHandler(agent);
    const client = await PageClient.enter(ui);
    for (const origin of ["https://evil.example", "http://localhost:9999", "null", "http://localhost"]) {
      expect((await client.send("POST", "api/sessions", {}, { origin })).status).toBe(403);
    }
    expect((await client.send("POST", "api/sessions", {}, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await client.send("POST", "api/sessions", {}, { origin: "http://localhost:7860" })).status).toBe(201);
  });

  test("has a form, a text, a list or an endless text as its body", async () => {
    const client = await PageClient.enter(createUIHandler(agent));
    const status = async (body: unknown, headers: Record<string, string> = {}) =>
      (await client.send("POST", "api/sessions", body, headers)).status;
    expect(await status("{}", { "content-type": "text/plain" })).toBe(415);
    expect(await status("a=1", { "content-type": "application/x-www-form-urlencoded" })).toBe(415);
    expect(await status("[]")).toBe(400);
    expect(await status("{")).toBe(400);
    expect(await status({ title: 5 })).toBe(400);
    expect(await status(JSON.stringify({ title: "a".repeat(2_000_000) }))).toBe(413);
  });
});

test("the page comes with a policy under which no text becomes script and no other site can frame it", async () => {
  const client = await PageClient.enter(createUIHandler(agent, { title: '"><script>alert(1)</script>' }));
  const page = await client.send("GET", "");
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("trusted-types 'none'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).not.toContain("unsafe");
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(await page.text()).not.toContain("<script>alert");
});

test("paths cannot leave the page's files", async () => {
  const client = await PageClient.enter(createUIHandler(agent));
  const { id } = await client.newSession();
  for (const path of [
    "assets/../package.json",
    "assets/%2e%2e%2fpackage.json",
    "assets/__proto__",
    "assets/constructor",
    `api/sessions/${id}/blobs/..%2f..%2fsecret`,
    "api/sessions/..%2f..",
    "api/nothing",
  ]) {
    expect([path, (await client.send("GET", path)).status]).toEqual([path, 404]);
  }
});

test("an address that others reach needs auth and its host names", async () => {
  const launch = (options: object) => launchUI(agent, { port: 0, print: null, store: memorySessions(), ...options });
  await expect(launch({ host: "0.0.0.0" })).rejects.toThrow("there is no auth");
  await expect(launch({ host: "0.0.0.0", auth: { password: "x" } })).rejects.toThrow("hosts does not list the names");
  await expect(launch({ host: "::" })).rejects.toSatisfy((error) => AgentError.is(error));
});

test("a page launched on loopback has an address of loopback, and a new link each time", async () => {
  const ui = await launchUI(agent, { port: 0, print: null, store: memorySessions() });
  const response = await fetch(ui.url);
  expect(response.status).toBe(200);
  await response.text();
  expect(new URL(ui.url).hostname).toBe("127.0.0.1");
  expect(ui.newUrl()).not.toBe(ui.url);
  await ui.close();
  await expect(fetch(ui.url)).rejects.toThrow();
});

test("no text of a run can end the script of an exported page, which sends no requests", async () => {
  const ui = createUIHandler(agent);
  const client = await PageClient.enter(ui);
  const { id } = await client.newSession();
  await client.start(id, '</title><img src="https://evil.example/x">');
  await until(client, id, ({ message }) => isIdleAfterRun(message));
  const response = await client.send("GET", `api/sessions/${id}/export.html`);
  expect(response.headers.get("content-disposition")).toContain("attachment");
  const html = await response.text();
  expect(html).not.toContain("alert(1)");
  // The page's script contains tags in its strings. The texts of the run are only in the template.
  expect(html).not.toContain('<img src="https://evil.example');
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("connect-src");
  const script = /<script type="module">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script))).toString("base64");
  expect(policy).toContain(`'sha256-${hash}'`);
  const log = await (await client.send("GET", `api/sessions/${id}/log`)).text();
  const data = /<template id="run-file">([^<]*)</.exec(html)?.[1] ?? "";
  expect(Buffer.from(data, "base64").toString()).toBe(log);
  expect(await exportHtml([], { title: "</title>" })).not.toContain("</title></title>");
});

test("the saved files of a run contain none of its keys", async () => {
  const secrets = ["sk-live-0123456789abcdefghij", "hf_abcdefghijklmnop", "correct horse", "s3cr3t", "the-house-key"];
  const [openAIKey, hubToken, password, urlPassword, own] = secrets;
  const code = `console.log("key ${openAIKey}", "${own}"); finalAnswer({ password: "${password}", url: "postgres://me:${urlPassword}@db/x" })`;
  const ui = createUIHandler(new CodeAgent({ model: scriptedModel(() => `Done.\n<code>\n${code}\n</code>`) }), {
    redact: (text) => text.replaceAll("the-house-key", "[ours]"),
  });
  const client = await PageClient.enter(ui);
  const { id } = await client.newSession();
  await client.start(id, `Use the token ${hubToken}.`);
  await until(client, id, ({ message }) => isIdleAfterRun(message));
  const saved = await client.send("GET", `api/sessions/${id}/log`);
  expect(Number(saved.headers.get("x-smolts-redacted"))).toBeGreaterThan(3);
  const log = await saved.text();
  const html = await (await client.send("GET", `api/sessions/${id}/export.html`)).text();
  const inHtml = Buffer.from(/<template id="run-file">([^<]*)</.exec(html)?.[1] ?? "", "base64").toString();
  const raw = `${JSON.stringify({ type: "run-start", runId: "r", path: [], task: `use ${openAIKey}`, password })}\n`;
  const exported = await exportHtml(raw);
  const ofFile = Buffer.from(/<template id="run-file">([^<]*)</.exec(exported)?.[1] ?? "", "base64").toString();
  expect(inHtml).toBe(log);
  for (const secret of secrets) for (const text of [log, ofFile]) expect(text).not.toContain(secret);
  expect(log).toContain("[ours]");
});
