// Serves the page with a new server on node:http.

import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { getRequestListener } from "@hono/node-server";
import { AgentError, invalidOption, isLoopback, thrownText } from "@smolts/protocol";
import type { UIHandler } from "../create-ui-handler.ts";
import { fileSessions } from "../file-sessions.node.ts";
import type { LaunchedUI, LaunchOptions } from "../launch-ui.ts";
import type { SessionStore } from "../session-store.ts";
import type { ViewedRun, ViewOptions } from "../view-run.ts";
import { noteClient } from "./client-network.ts";

const defaultPort = 7860;
/** The number of ports to try after the default port. */
const portTries = 20;

/** Serves a handler with the given options. */
export async function serve(
  makeHandler: (store: SessionStore) => UIHandler,
  options: LaunchOptions,
): Promise<LaunchedUI> {
  const { host = "127.0.0.1", auth, hosts } = options;
  checkHost(host, auth !== undefined, hosts !== undefined);
  const handler = makeHandler(options.store ?? fileSessions(sessionFolder()));
  const answer = compressingFiles(handler);
  const listener = getRequestListener(
    (request, { incoming }) => {
      noteClient(request, incoming.socket.remoteAddress ?? "");
      return answer(request);
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer(listener);
  const port = await listen(server, host, options.port);
  const pageUrl = `http://${isLoopback(host) ? shownHost(host) : (hosts?.[0] ?? "localhost")}:${port}/`;
  const print = options.print === undefined ? (text: string) => void process.stdout.write(`${text}\n`) : options.print;
  const url = handler.launchUrl(pageUrl);
  print?.(`The page is at ${url}`);
  const stopAsking =
    print && options.print === undefined ? offerLinks(() => print(handler.launchUrl(pageUrl))) : () => {};
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      stopAsking();
      await handler.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    })();
    return closing;
  };
  return { url, newUrl: () => handler.launchUrl(pageUrl), close, [Symbol.asyncDispose]: close };
}

/** Serves one document on this machine, at an address that nobody can guess. */
export async function serveText(html: string, { port, print }: ViewOptions): Promise<ViewedRun> {
  const path = `/${randomBytes(16).toString("base64url")}`;
  const server = createServer((request, response) => {
    const isLoopbackName = isLoopback((request.headers.host ?? "").replace(/:\d+$/, ""));
    const isFound = isLoopbackName && request.method === "GET" && request.url === path;
    response.writeHead(isFound ? 200 : 404, {
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "content-security-policy": "frame-ancestors 'none'",
      "cache-control": "no-store",
    });
    response.end(isFound ? html : "");
  });
  const url = `http://127.0.0.1:${await listen(server, "127.0.0.1", port)}${path}`;
  const say = print === undefined ? (text: string) => void process.stdout.write(`${text}\n`) : print;
  say?.(`The run is at ${url}`);
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { url, close, [Symbol.asyncDispose]: close };
}

/**
 * Returns a handler that also compresses the page's files, each only once. The UI's own handler
 * does not compress, because it also runs inside other servers. These compress by themselves, and
 * some (Next, Workers) would treat compressed bytes as text.
 */
function compressingFiles(handler: UIHandler): (request: Request) => Promise<Response> {
  const compressed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  return async (request) => {
    const response = await handler(request);
    const isFile = response.headers.get("cache-control")?.includes("immutable") ?? false;
    if (!isFile || !/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) return response;
    const { pathname } = new URL(request.url);
    const body = compressed.get(pathname) ?? response.arrayBuffer().then((bytes) => promisify(gzip)(bytes));
    compressed.set(pathname, body);
    const headers = new Headers(response.headers);
    headers.set("content-encoding", "gzip");
    headers.append("vary", "accept-encoding");
    return new Response(await body, { status: response.status, headers });
  };
}

/**
 * Returns the folder for sessions. It is in the user's folder for application state, and each
 * working directory has its own.
 */
function sessionFolder(): string {
  const place = createHash("sha256").update(process.cwd()).digest("hex").slice(0, 12);
  const state = process.env["XDG_STATE_HOME"] || join(homedir(), ".local", "state");
  return join(state, "smolts", "ui", `${basename(process.cwd()) || "root"}-${place}`);
}

function checkHost(host: string, hasAuth: boolean, hasHosts: boolean): void {
  if (isLoopback(host)) return;
  if (!hasAuth) {
    throw invalidOption(
      `host is "${host}", which other machines can reach, and there is no auth`,
      'pass auth: { password: "..." } or auth: (request) => visitor, or leave host out',
    );
  }
  if (!hasHosts) {
    throw invalidOption(
      `host is "${host}", but hosts does not list the names of the page`,
      'pass hosts: ["agents.example.org"]',
    );
  }
}

const shownHost = (host: string): string => (host === "::1" ? "[::1]" : host);

async function listen(
  server: ReturnType<typeof createServer>,
  host: string,
  port: number | undefined,
): Promise<number> {
  const first = port ?? defaultPort;
  const last = port === undefined ? first + portTries : first;
  for (let at = first; ; at++) {
    try {
      return await listenOnce(server, host, at);
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (isTaken && at < last) continue;
      const message = thrownText(error);
      throw new AgentError("invalid-option", `the page cannot be served on port ${at}: ${message}`, {
        cause: error,
        hint: "pass another port, or 0 for any free port",
      });
    }
  }
}

function listenOnce(server: ReturnType<typeof createServer>, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

/**
 * Prints a new link whenever the person presses Enter in the terminal. Returns a function that
 * stops listening for Enter.
 */
function offerLinks(printLink: () => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const onLine = (): void => printLink();
  stdin.on("data", onLine);
  return () => {
    stdin.off("data", onLine);
    stdin.pause();
  };
}
