import { checkRequest, invalidOption, isClass, isTool, type OptionTable, readOptions } from "@smolts/protocol";
import { Hono } from "hono";
import { isAgent, type Servable, type ServedAgent } from "./agent-shape.ts";
import { exportHtml } from "./export-html.ts";
import { type RunFileOptions, runFileOf } from "./run-file.ts";
import { Access, type Visitor } from "./server/access.ts";
import { agentCard, namelessAgent, toolCard } from "./server/agent-card.ts";
import { eventStream } from "./server/event-stream.ts";
import type { LiveSession } from "./server/live-session.ts";
import { isShownInline, mediaTypeOf } from "./server/media-type.ts";
import { assetResponse, commonHeaders, pageResponse } from "./server/page.ts";
import { RefusedRequest } from "./server/refusal.ts";
import {
  jsonBody,
  readDecide,
  readEnter,
  readFork,
  readNewSession,
  readRunId,
  readSay,
  readStartRun,
  readTitle,
} from "./server/request-body.ts";
import type { Task } from "./server/run-task.ts";
import { SessionTable } from "./server/session-table.ts";
import { toolAgent } from "./server/tool-agent.ts";
import { memorySessions, type SessionStore } from "./session-store.ts";
import { type UIHandlerOptions, uiOptions } from "./ui-options.ts";
import {
  type AgentCard,
  type PageInfo,
  redactedHeader,
  type SessionList,
  type StartRun,
  type UploadRules,
  wireVersion,
} from "./wire.ts";

/** A handler that answers requests for the page and its API. */
export interface UIHandler {
  (request: Request): Promise<Response>;
  /**
   * Returns the address of the page with a launch code. The code logs one visitor in. It works
   * once, for one minute.
   *
   * @param pageUrl - the address of the page, such as `http://127.0.0.1:3000/agent/`
   */
  launchUrl(pageUrl: string): string;
  /**
   * Writes everything that is not stored yet, and closes the sessions. Active runs stay unfinished;
   * with a store on disk, the next process can continue them.
   */
  close(): Promise<void>;
}

/**
 * Creates a handler that serves the page of an agent inside your own server: Hono, Express, Next,
 * Deno, Workers, or any other with fetch-style handlers.
 *
 * Each visitor has their own sessions and cannot see other visitors' sessions. A run continues when
 * the page is closed. Without `auth`, visitors log in with launch codes, and only at loopback
 * names.
 *
 * @param served - an agent, a function that creates one for each session, or a tool
 * @throws AgentError `invalid-option` that says what to change
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { createUIHandler } from "@smolts/ui";
 *
 * const agent = new CodeAgent({ model: modelFromFunction(() => "<code>finalAnswer(6 * 7)</code>") });
 * const ui = createUIHandler(agent, { basePath: "/agent" });
 * const response = await ui(new Request("http://localhost:3000/agent/"));
 * console.log(response.headers.get("content-type")); // text/html; charset=utf-8
 * console.log(ui.launchUrl("http://localhost:3000/agent/").split("#")[0]); // http://localhost:3000/agent/
 * ```
 */
export function createUIHandler(served: Servable, given: UIHandlerOptions = {}): UIHandler {
  checkStore(given?.store);
  const options = readOptions(given, "createUIHandler()", uiHandlerOptions);
  if (!isTool(served) && !isAgent(served) && (typeof served !== "function" || isClass(served))) {
    throw invalidOption(
      `the page cannot serve ${isClass(served) ? "a class" : `a value of type ${typeof served}`}; expected an agent, a function that makes one, or a tool`,
      "write launchUI(new CodeAgent({ ... }))",
    );
  }
  const server = new UIServer(served, options);
  const handler = (request: Request): Promise<Response> => server.handle(request);
  return Object.assign(handler, {
    launchUrl: (pageUrl: string) => server.launchUrl(pageUrl),
    close: () => server.close(),
  });
}

/**
 * Checks that the option `store` is a store of sessions. A store of runs has no sessions.
 *
 * @throws AgentError `invalid-option`
 */
export function checkStore(store: unknown): void {
  if (store === undefined || typeof store === "function") return;
  if (typeof (store as SessionStore | null)?.records === "function") return;
  throw invalidOption(
    "store is not a store of sessions",
    "write store: fileSessions(folder) of @smolts/ui/files, or store: memorySessions()",
  );
}

const uiHandlerOptions: OptionTable<UIHandlerOptions> = { ...uiOptions, basePath: "text" };

type Env = { readonly Variables: { readonly visitor: Visitor } };

class UIServer {
  readonly #served: Servable;
  readonly #options: UIHandlerOptions;
  readonly #basePath: string;
  readonly #uploadRules: UploadRules | null;
  readonly #access: Access;
  readonly #store: SessionStore;
  readonly #table: SessionTable;
  readonly #app: Hono<Env>;

  constructor(served: Servable, options: UIHandlerOptions) {
    const { store = memorySessions(), auth, hosts, maxRuns = 8, basePath = "", uploads } = options;
    this.#uploadRules = uploads ? { maxBytes: 20_000_000, maxFiles: 8, ...uploads } : null;
    this.#served = served;
    this.#options = options;
    this.#store = store;
    this.#basePath = `/${basePath}`.replace(/\/+/g, "/").replace(/\/$/, "");
    this.#access = new Access({ auth, hosts, secret: () => store.secret() });
    const makeAgent = (): Promise<ServedAgent> => this.#makeAgent();
    this.#table = new SessionTable({ store, makeAgent, maxRuns, uploads: this.#uploadRules });
    this.#app = this.#routes();
  }

  async handle(request: Request): Promise<Response> {
    checkRequest(request, "the handler of createUIHandler()");
    const isBasePath = this.#basePath !== "" && this.#pathOf(request) === "";
    const response = isBasePath ? await this.#pageWithoutSlash(request) : await this.#app.fetch(request);
    for (const [name, value] of Object.entries(commonHeaders)) {
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
    return response;
  }

  /**
   * Returns the page at the base path without its final slash. Does not redirect to the path with
   * the slash, because servers such as Next would remove the slash again.
   */
  async #pageWithoutSlash(request: Request): Promise<Response> {
    try {
      this.#access.checkOrigin(request);
      return await this.#page(`${this.#basePath.split("/").at(-1)}/`);
    } catch (error) {
      return this.#refuse(error, request);
    }
  }

  launchUrl(pageUrl: string): string {
    const url = new URL(pageUrl);
    if (this.#access.entry === "launch-code") url.hash = `code=${this.#access.newCode()}`;
    return url.href;
  }

  async close(): Promise<void> {
    await this.#table.leave();
  }

  #routes(): Hono<Env> {
    const app = new Hono<Env>({ strict: true, getPath: (request) => this.#pathOf(request) });
    app.onError((error, c) => this.#refuse(error, c.req.raw));
    app.notFound((c) => this.#refuse(new RefusedRequest("not-found", "there is nothing at this address"), c.req.raw));
    app.use("*", async (c, next) => {
      this.#access.checkOrigin(c.req.raw);
      await next();
    });
    app.get("/", () => this.#page());
    app.get("/assets/:name", async (c) => (await assetResponse(c.req.param("name"))) ?? c.notFound());
    app.post("/api/enter", (c) => this.#enter(c.req.raw));
    app.use("/api/*", async (c, next) => {
      c.set("visitor", await this.#access.visitor(c.req.raw));
      await next();
    });
    app.get("/api/info", async (c) => Response.json(await this.#info(c.var.visitor)));
    this.#sessionRoutes(app);
    return app;
  }

  /**
   * Returns the path below the base path. It is empty for the base path without its final slash.
   */
  #pathOf(request: Request): string {
    const { pathname } = new URL(request.url);
    const isBelow = pathname === this.#basePath || pathname.startsWith(`${this.#basePath}/`);
    return isBelow ? pathname.slice(this.#basePath.length) : "/elsewhere";
  }

  #sessionRoutes(app: Hono<Env>): void {
    app.get("/api/sessions", async (c) => {
      const words = (c.req.query("search") ?? "")
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== "");
      const { visitor } = c.var;
      const sessions = words.length === 0 ? await this.#table.list(visitor) : await this.#table.search(visitor, words);
      const body: SessionList = { sessions };
      return Response.json(body);
    });
    app.post("/api/sessions", async (c) => {
      const { title = "" } = readNewSession(await jsonBody(c.req.raw));
      return Response.json((await this.#table.create(c.var.visitor, title)).summary, { status: 201 });
    });
    app.delete("/api/sessions/:id", async (c) => {
      await this.#table.remove(c.var.visitor, c.req.param("id"));
      return new Response(null, { status: 204 });
    });
    app.patch("/api/sessions/:id", async (c) => {
      const session = await this.#table.get(c.var.visitor, c.req.param("id"));
      await session.rename(readTitle(await jsonBody(c.req.raw)));
      return Response.json(session.summary);
    });
    app.get("/api/sessions/:id/events", async (c) => {
      const session = await this.#table.get(c.var.visitor, c.req.param("id"));
      return streamOf(session, c.req.header("last-event-id") ?? c.req.query("after"));
    });
    app.post("/api/sessions/:id/runs", async (c) => {
      const session = await this.#settled(c.var.visitor, c.req.param("id"));
      const given = readStartRun(await jsonBody(c.req.raw));
      this.#table.checkRuns(c.var.visitor);
      const runId = await session.start(given.requestId, () => this.#task(session, given));
      return Response.json({ runId }, { status: 202 });
    });
    app.post("/api/sessions/:id/stop", async (c) => {
      const session = await this.#table.get(c.var.visitor, c.req.param("id"));
      session.stop(readRunId(await jsonBody(c.req.raw)));
      return new Response(null, { status: 202 });
    });
    app.post("/api/sessions/:id/say", async (c) => {
      const session = await this.#table.get(c.var.visitor, c.req.param("id"));
      const { runId, text } = readSay(await jsonBody(c.req.raw));
      return Response.json({ heard: session.say(runId, text) });
    });
    app.post("/api/sessions/:id/decisions", async (c) => {
      const session = await this.#table.get(c.var.visitor, c.req.param("id"));
      const given = readDecide(await jsonBody(c.req.raw));
      await session.decide(given, c.var.visitor.name);
      return Response.json({ callId: given.callId });
    });
    app.post("/api/sessions/:id/continue", async (c) => {
      const session = await this.#settled(c.var.visitor, c.req.param("id"));
      this.#table.checkRuns(c.var.visitor);
      return Response.json({ runId: await session.continue() }, { status: 202 });
    });
    app.post("/api/sessions/:id/rewind", async (c) => {
      const session = await this.#settled(c.var.visitor, c.req.param("id"));
      await session.rewind(readRunId(await jsonBody(c.req.raw)));
      return Response.json(session.summary);
    });
    app.post("/api/sessions/:id/fork", async (c) => {
      const session = await this.#settled(c.var.visitor, c.req.param("id"));
      const given = readFork(await jsonBody(c.req.raw));
      this.#table.checkRuns(c.var.visitor);
      return Response.json(await this.#table.fork(c.var.visitor, session, given), { status: 201 });
    });
    app.post("/api/sessions/:id/uploads", async (c) => {
      const session = await this.#table.get(c.var.visitor, c.req.param("id"));
      const upload = await session.uploads.take(c.req.raw, c.req.query("name") ?? "", session.log);
      return Response.json(upload, { status: 201 });
    });
    app.get("/api/sessions/:id/blobs/:digest", async (c) => {
      const session = await this.#table.get(c.var.visitor, c.req.param("id"));
      return blobResponse(session, c.req.param("digest"));
    });
    app.get("/api/sessions/:id/log", async (c) => {
      const session = await this.#table.get(c.var.visitor, c.req.param("id"));
      const { text, redacted } = await runFileOf(session.feed.events, this.#savingOf(session));
      const response = attachment(text, "run.jsonl", "application/x-ndjson");
      if (redacted > 0) response.headers.set(redactedHeader, String(redacted));
      return response;
    });
    app.get("/api/sessions/:id/export.html", async (c) => {
      const session = await this.#table.get(c.var.visitor, c.req.param("id"));
      const html = await exportHtml(session.feed.events, {
        title: session.record.title || "Run",
        ...this.#savingOf(session),
      });
      return attachment(html, "run.html", "text/html; charset=utf-8");
    });
    app.get("/api/sessions/:id/variables", async (c) => {
      const session = await this.#table.get(c.var.visitor, c.req.param("id"));
      return Response.json({ variables: await session.variables() });
    });
  }

  /**
   * Returns a session that is ready for its next run. If its last run has just ended, waits until
   * that run is cleaned up.
   */
  async #settled(visitor: Visitor, id: string): Promise<LiveSession> {
    const session = await this.#table.get(visitor, id);
    await session.settled();
    return session;
  }

  #savingOf(session: LiveSession): RunFileOptions {
    return { readBlob: (digest) => session.log.readBlob(digest), redact: this.#options.redact };
  }

  async #task(session: LiveSession, { task = "", input, uploads = [] }: StartRun): Promise<Task> {
    if (isTool(this.#served)) return { content: JSON.stringify(input ?? {}) };
    if (task.trim() === "" && uploads.length === 0) throw new RefusedRequest("bad-request", "the message is empty");
    return session.uploads.taskWith(task, uploads, session.log);
  }

  /** @param below - the relative address of the page's folder, as the browser sees it */
  #page(below = "./"): Promise<Response> {
    const { title = "smolts", theme = "system", locale, frameAncestors = [] } = this.#options;
    return pageResponse({ title, theme, locale, frameAncestors, below });
  }

  async #enter(request: Request): Promise<Response> {
    const { code } = readEnter(await jsonBody(request));
    const { key, cookie } = await this.#access.enter(request, code);
    return Response.json({ key }, { headers: { "set-cookie": cookie } });
  }

  async #info(visitor: Visitor): Promise<PageInfo> {
    const { title, description, examples = [], theme = "system", locale } = this.#options;
    const { card, canFork } = await this.#about();
    const shownDescription = description ?? card.description;
    return {
      wireVersion,
      mode: isTool(this.#served) ? "tool" : "agent",
      title: title ?? (card.name === namelessAgent ? "" : card.name),
      ...(shownDescription === undefined ? {} : { description: shownDescription }),
      agent: card,
      examples: examples.map((one) => (typeof one === "string" ? { title: one, prompt: one } : one)),
      uploads: this.#uploadRules,
      canFork,
      store: this.#store.kind,
      theme,
      ...(locale === undefined ? {} : { locale }),
      visitor: visitor.name === undefined ? {} : { name: visitor.name },
    };
  }

  async #about(): Promise<{ readonly card: AgentCard; readonly canFork: boolean }> {
    const served = this.#served;
    if (isTool(served)) {
      const { name, description } = served;
      return { card: { name, description, tools: [toolCard(served)], managedAgents: [] }, canFork: false };
    }
    try {
      const agent = await this.#makeAgent();
      return { card: agentCard(agent), canFork: typeof agent.fork === "function" };
    } catch {
      // If the factory throws, people get its error when they start a run. The page still works.
      return { card: { name: this.#options.title ?? namelessAgent, tools: [], managedAgents: [] }, canFork: false };
    }
  }

  async #makeAgent(): Promise<ServedAgent> {
    const served = this.#served;
    if (isAgent(served)) return served;
    if (isTool(served)) return toolAgent(served);
    const made: unknown = await served();
    if (isAgent(made)) return made;
    throw invalidOption(`the function that makes the agent returned ${typeof made}; expected an agent`);
  }

  #refuse(error: unknown, request: Request): Response {
    // Only the messages of refusals are sent. Other errors may contain secrets of the server.
    const refusal =
      error instanceof RefusedRequest
        ? error
        : new RefusedRequest("server-failed", "the server failed to answer this request", {
            hint: "try again; the terminal of the server may say more",
          });
    const isDocument = /\btext\/html\b/.test(request.headers.get("accept") ?? "");
    return isDocument ? refusal.toPage() : refusal.toResponse();
  }
}

function streamOf(session: LiveSession, from: string | undefined): Response {
  const { epoch } = session.record;
  const { feed } = session;
  const [fromEpoch, fromSeq] = (from ?? "").split(".");
  const asked = Number(fromSeq);
  const isKnown = fromEpoch === epoch && Number.isSafeInteger(asked) && asked >= 0 && asked <= feed.events.length;
  const after = isKnown ? asked : 0;
  const reader = new AbortController();
  session.readers++;
  const close = (): void => {
    if (reader.signal.aborted) return;
    reader.abort();
    session.readers--;
  };
  async function* messages() {
    yield { type: "hello" as const, epoch, after, state: session.state, seq: after };
    yield* feed.read(after, reader.signal);
  }
  return new Response(eventStream(epoch, messages(), close), {
    // These headers stop proxies from compressing or buffering the stream.
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

/**
 * Returns an image, a sound or a file of the log. Browsers show only images and sounds inline. The
 * response's policy allows no scripts.
 */
async function blobResponse(session: LiveSession, digest: string): Promise<Response> {
  if (!/^sha256-[\w-]{43}$/.test(digest)) throw new RefusedRequest("not-found", "these bytes do not exist");
  const bytes = await session.log.readBlob(digest).catch(() => null);
  if (!bytes) throw new RefusedRequest("not-found", "these bytes do not exist");
  const mediaType = mediaTypeOf(bytes, "");
  const isInline = isShownInline(mediaType);
  return new Response(new Uint8Array(bytes), {
    headers: {
      "content-type": isInline ? mediaType : "application/octet-stream",
      "content-disposition": isInline ? "inline" : "attachment",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, max-age=31536000, immutable",
    },
  });
}

const attachment = (text: string, name: string, type: string): Response =>
  new Response(text, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
      "content-security-policy": "default-src 'none'; sandbox",
    },
  });
