import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { type GuardedFetchOptions, guardedFetch } from "@smolts/tools/guarded-fetch";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { runSsrfTorture } from "./ssrf-torture.ts";

const text = "smolts swim to the sea\n".repeat(50);
const seen: { url: string; headers: NodeJS.Dict<string | string[]>; method: string }[] = [];
let onTrickle = (_closed: Promise<unknown>): void => {};

const routes: Readonly<Record<string, RequestListener>> = {
  "/plain": (_request, response) => response.setHeader("content-type", "text/plain").end(text),
  "/gzip": (_request, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(text)),
  "/cut-gzip": (_request, response) =>
    response.setHeader("content-encoding", "gzip").end(gzipSync(text).subarray(0, -8)),
  "/brotli": (_request, response) => response.setHeader("content-encoding", "br").end(brotliCompressSync(text)),
  "/deflate": (_request, response) => response.setHeader("content-encoding", "deflate").end(deflateSync(text)),
  "/odd-encoding": (_request, response) => response.setHeader("content-encoding", "gzip, gzip").end("x"),
  "/bomb": (_request, response) =>
    response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(20_000_000))),
  "/empty-members": (_request, response) => {
    response.setHeader("content-encoding", "gzip");
    const members = Buffer.concat(Array.from({ length: 500 }, () => gzipSync("")));
    pour(response, members);
  },
  "/endless": (_request, response) => pour(response, Buffer.alloc(65_536, "x")),
  "/trickle": (_request, response) => {
    const timer = setInterval(() => response.write("x"), 20);
    const closed = once(response, "close");
    response.on("close", () => clearInterval(timer));
    response.write("x");
    onTrickle(closed);
  },
  "/declared": (_request, response) => {
    response.writeHead(200, { "content-length": "20000000" });
    response.write("x");
  },
  "/loop": (_request, response) => response.writeHead(302, { location: "/loop" }).end(),
  "/moved": (_request, response) =>
    response.writeHead(301, { location: "https://public.example/plain", "set-cookie": "a=b" }).end(),
  "/near": (_request, response) => response.writeHead(303, { location: "plain" }).end(),
  "/to-file": (_request, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/nothing": (_request, response) => response.writeHead(204).end(),
  "/missing": (_request, response) => response.writeHead(404).end("no such page"),
  "/broken": (_request, response) => {
    response.writeHead(200, { "content-length": "100" }).write("x");
    setTimeout(() => response.destroy(), 10);
  },
};

const server = createServer((request, response) => {
  seen.push({ url: request.url ?? "", headers: request.headers, method: request.method ?? "" });
  routes[request.url ?? ""]?.(request, response);
});
let options: GuardedFetchOptions = {};
let port = 0;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port; // The cast is safe: the server listens on a port.
  options = {
    resolve: async () => ["93.184.216.34"],
    dial: () => ({ address: "127.0.0.1", port }),
    maxBytes: 1_000_000,
  };
});
afterAll(() => {
  server.close().closeAllConnections();
});

/** Writes the same bytes until the client disconnects. */
function pour(response: Parameters<RequestListener>[1], bytes: Buffer): void {
  const more = (): void => {
    while (!response.destroyed && response.write(bytes));
  };
  response.on("drain", more);
  more();
}

test("refuses forbidden addresses directly, by redirect, by name and by rebinding, and allows all public forms", async () => {
  const figures = await runSsrfTorture();
  expect(figures.cases).toBeGreaterThanOrEqual(500);
  expect(figures.publicForms).toBeGreaterThanOrEqual(200);
  expect(figures.through).toEqual([]);
  expect(figures.falseRefusals).toEqual([]);
});

describe("the response", () => {
  test.each(["/plain", "/gzip", "/brotli", "/deflate", "/cut-gzip", "/near"])("of %s is read", async (path) => {
    const response = await guardedFetch(`http://public.example${path}`, options);
    expect(await response.text()).toBe(text);
    expect(response.status).toBe(200);
  });

  test("is the last hop's, with its address", async () => {
    const response = await guardedFetch("http://public.example/near", options);
    expect(response.url).toBe("http://public.example/plain");
    expect(response.headers.get("content-type")).toBe("text/plain");
  });

  test.each([
    ["/nothing", 204, ""],
    ["/missing", 404, "no such page"],
  ])("has the status of %s", async (path, status, body) => {
    const response = await guardedFetch(`http://public.example${path}`, options);
    expect([response.status, await response.text()]).toEqual([status, body]);
  });

  test("is for a request with the user agent smolts and the URL's own host", async () => {
    seen.length = 0;
    await guardedFetch("http://public.example/plain", { ...options, headers: { accept: "text/html" } });
    expect(seen[0]?.headers).toMatchObject({ host: "public.example", accept: "text/html", "user-agent": "smolts" });
    expect(Object.keys(seen[0]?.headers ?? {})).not.toContain("cookie");
  });
});

describe("is refused", () => {
  const refused: [path: string, message: RegExp][] = [
    ["/bomb", /sends more than 1000000 bytes/],
    ["/endless", /sends more than 1000000 bytes/],
    ["/empty-members", /sends more than 1000000 bytes/],
    ["/declared", /sends more than 1000000 bytes/],
    ["/odd-encoding", /content encoding is "gzip, gzip"/],
    ["/loop", /redirects more than 5 times/],
    ["/to-file", /the scheme is "file:"/],
    ["/broken", /could not fetch "http:\/\/public.example\/broken": the connection broke off/],
  ];
  test.each(refused)("%s", async (path, message) => {
    await expect(guardedFetch(`http://public.example${path}`, options)).rejects.toMatchObject({
      code: "tool-execution",
      message: expect.stringMatching(message),
    });
  });

  test("a page that takes too long, and its connection is closed", async () => {
    const late = new AbortController();
    vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(late.signal);
    const begun = new Promise<{ closed: Promise<unknown> }>((resolve) => {
      onTrickle = (closed) => resolve({ closed });
    });
    const slow = guardedFetch("http://public.example/trickle", { ...options, timeoutMs: 150 });
    const refused = expect(slow).rejects.toThrow("it took longer than 150 ms");
    const { closed } = await begun;
    late.abort(new DOMException("late", "TimeoutError"));
    await refused;
    await closed;
  });

  test("a name whose look-up never ends, when the time is up", async () => {
    const endless = { ...options, resolve: () => new Promise<never>(() => {}), timeoutMs: 50 };
    await expect(guardedFetch("http://public.example/plain", endless)).rejects.toThrow("it took longer than 50 ms");
  });

  test("everything once the caller has aborted, with the caller's reason", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(guardedFetch("http://public.example/plain", { ...options, signal })).rejects.toThrow("enough");
  });

  test.each(["Authorization", "cookie", "Proxy-Authorization", "Host"])("a header %s", async (name) => {
    const headers = { [name]: "x" };
    await expect(guardedFetch("http://public.example/plain", { ...options, headers })).rejects.toMatchObject({
      code: "invalid-option",
    });
  });

  test("a redirect of a request with a body", async () => {
    const post = { ...options, method: "POST", body: "secret" };
    await expect(guardedFetch("http://public.example/moved", post)).rejects.toThrow("it redirects a POST request");
  });

  test("a name without addresses", async () => {
    const nobody = { ...options, resolve: async () => [] };
    await expect(guardedFetch("http://public.example/", nobody)).rejects.toThrow("no such host");
  });
});

test("uses no proxy of the environment", async () => {
  const environment = { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9", NO_PROXY: "" };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const response = await guardedFetch("http://public.example/plain", options);
  expect(response.status).toBe(200);
});

test("tries the next address of a name when the first does not answer", async () => {
  // The test needs a port that does not answer. Use the local port of an open connection: nothing
  // listens on it, and no other program can take it during the test.
  const holder = connect(port, "127.0.0.1");
  await once(holder, "connect");
  const deadPort = holder.localPort as number; // it is connected
  const response = await guardedFetch("http://public.example/plain", {
    resolve: async () => ["8.8.8.8", "8.8.4.4"],
    dial: ({ address }) => ({ address: "127.0.0.1", port: address === "8.8.8.8" ? deadPort : port }),
  });
  expect(response.status).toBe(200);
  holder.destroy();
});

test("allows an origin that the program lists, and no other", async () => {
  const allowedOrigins = [`http://127.0.0.1:${port}`];
  expect(await (await guardedFetch(`http://127.0.0.1:${port}/plain`, { allowedOrigins })).text()).toBe(text);
  await expect(guardedFetch(`http://localhost:${port}/plain`, { allowedOrigins })).rejects.toThrow(/refused to fetch/);
  await expect(guardedFetch(`http://127.0.0.1:${port}/to-file`, { allowedOrigins })).rejects.toThrow(
    /refused to fetch/,
  );
});
