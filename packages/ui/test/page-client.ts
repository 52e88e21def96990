// Imitates a visitor without a browser: logs in, sends requests, and reads a session's stream as
// the page does.

import type { UIHandler } from "@smolts/ui";
import type { Decide, PageInfo, ServerMessage, SessionSummary } from "../src/wire.ts";

/** The address of the handlers in tests. */
export const pageUrl = "http://localhost:7860/";

/** A visitor of a handler. */
export class PageClient {
  readonly #handler: (request: Request) => Promise<Response>;
  cookie = "";
  key = "";

  private constructor(handler: (request: Request) => Promise<Response>) {
    this.#handler = handler;
  }

  /** Logs a new visitor in with a launch code. */
  static async enter(handler: UIHandler): Promise<PageClient> {
    const client = new PageClient(handler);
    await client.enterWith(new URL(handler.launchUrl(pageUrl)).hash.replace("#code=", ""));
    return client;
  }

  /** Logs in a visitor whom the surrounding server has authenticated. */
  static async enterByLogin(handler: UIHandler): Promise<PageClient> {
    const client = new PageClient(handler);
    await client.enterWith(undefined);
    return client;
  }

  /** Sends a file. */
  sendBytes(path: string, body: Uint8Array | ReadableStream): Promise<Response> {
    const headers = { host: "localhost:7860", cookie: this.cookie, "x-smolts-key": this.key };
    // Node requires `duplex` for a stream.
    const request = { method: "POST", headers, body: body as BodyInit, duplex: "half" };
    return this.#handler(new Request(new URL(path, pageUrl), request));
  }

  async enterWith(code: string | undefined): Promise<void> {
    const response = await this.send("POST", "api/enter", code === undefined ? {} : { code });
    if (!response.ok) throw new Error(await response.text());
    this.cookie = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    this.key = ((await response.json()) as { key: string }).key;
  }

  /** Returns the same visitor, with the same cookie and key, for another server. */
  at(handler: UIHandler): PageClient {
    const client = new PageClient(handler);
    client.cookie = this.cookie;
    client.key = this.key;
    return client;
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const all: Record<string, string> = {
      host: "localhost:7860",
      ...(this.cookie ? { cookie: this.cookie } : {}),
      ...(this.key ? { "x-smolts-key": this.key } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    };
    return this.#handler(
      new Request(new URL(path, pageUrl), {
        method,
        headers: all,
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.send(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text) as T;
  }

  info(): Promise<PageInfo> {
    return this.json("GET", "api/info");
  }

  newSession(): Promise<SessionSummary> {
    return this.json("POST", "api/sessions", {});
  }

  async start(sessionId: string, task: string): Promise<string> {
    const body = { task, requestId: crypto.randomUUID() };
    return (await this.json<{ runId: string }>("POST", `api/sessions/${sessionId}/runs`, body)).runId;
  }

  decide(sessionId: string, decision: Decide): Promise<unknown> {
    return this.json("POST", `api/sessions/${sessionId}/decisions`, decision);
  }

  /**
   * Yields the messages of a session's stream, with their ids. Leaving the loop drops the
   * connection.
   */
  async *messages(sessionId: string, after?: string): AsyncGenerator<{ id: string; message: ServerMessage }> {
    const response = await this.send("GET", `api/sessions/${sessionId}/events`, undefined, {
      ...(after === undefined ? {} : { "last-event-id": after }),
    });
    if (!response.ok || !response.body) throw new Error(await response.text());
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const [, id = "", data = ""] = /^id: (.*)\ndata: (.*)$/s.exec(frame) ?? [];
        if (data) yield { id, message: JSON.parse(data) as ServerMessage };
      }
    }
  }
}

/** Says whether a message reports that the session is idle after a run. */
export const isIdleAfterRun = (message: ServerMessage): boolean =>
  message.type === "state" && message.state.activity === "idle" && message.state.summary.runCount > 0;

/** Reads a session's stream until a message matches. Returns that message. */
export async function until(
  client: PageClient,
  sessionId: string,
  fits: (item: { readonly message: ServerMessage }) => boolean,
): Promise<{ readonly message: ServerMessage }> {
  for await (const item of client.messages(sessionId)) if (fits(item)) return item;
  throw new Error("the stream ended");
}
