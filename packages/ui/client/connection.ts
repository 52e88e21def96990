// Sends requests to the server, and reads the stream of a session's events. Every request carries
// the page's key. If the stream breaks, it is opened again from the last received event.

import { createParser } from "eventsource-parser";
import {
  type Decide,
  type Decided,
  type EnterReply,
  type Entry,
  type Fork,
  type Forked,
  keyHeader,
  type PageInfo,
  type Refusal,
  type RefusalCode,
  type RunStarted,
  redactedHeader,
  type Said,
  type ServerMessage,
  type SessionList,
  type SessionSummary,
  type StartRun,
  type Upload,
  type VariablesNow,
} from "../src/wire.ts";

/** Says that the server refused a request, or cannot be reached (`network`). */
export class RequestError extends Error {
  readonly code: RefusalCode | "network";
  readonly hint: string | undefined;
  readonly details: unknown;

  constructor(code: RefusalCode | "network", message: string, hint?: string, details?: unknown) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.details = details;
  }

  /** How the visitor can log in, if the request failed because nobody was logged in; else null. */
  get needs(): Entry | null {
    const { details } = this;
    const needs = typeof details === "object" && details !== null && "needs" in details ? details.needs : null;
    return needs === "launch-code" || needs === "password" || needs === "login" ? needs : null;
  }
}

/** The state of a session's stream. */
export type StreamState =
  | { readonly type: "connecting" }
  | { readonly type: "live" }
  | { readonly type: "lost"; readonly retryAt: number };

/** Receives the messages and the state of a stream. */
export interface StreamListener {
  message(message: ServerMessage): void;
  state(state: StreamState): void;
  /**
   * Called when the session is gone or the visitor is logged out. The stream is not opened again.
   */
  refused(error: RequestError): void;
}

/** The open stream of a session's events. */
export interface SessionStream {
  close(): void;
  /** Opens the stream at once instead of waiting. */
  retryNow(): void;
  /**
   * Pauses the stream while the tab is hidden. Browsers allow few connections to a server, and each
   * tab needs one.
   */
  pause(isPaused: boolean): void;
}

/** The API of a server at one address. */
export class Connection {
  readonly base: URL;
  readonly isForeign: boolean;
  #key: string | null;

  constructor(base: URL) {
    this.base = base;
    this.isForeign = base.origin !== location.origin;
    this.#key = stored(this.#storageName);
  }

  get hasKey(): boolean {
    return this.#key !== null;
  }

  get #storageName(): string {
    return `smolts-key:${this.base.href}`;
  }

  /** Logs the visitor in, with a code or with the browser's cookie. */
  async enter(code?: string): Promise<void> {
    const { key } = await this.#json<EnterReply>("POST", "api/enter", code === undefined ? {} : { code });
    this.#key = key;
    store(this.#storageName, key);
  }

  forgetKey(): void {
    this.#key = null;
    store(this.#storageName, null);
  }

  info(): Promise<PageInfo> {
    return this.#json("GET", "api/info");
  }

  sessions(search = ""): Promise<SessionList> {
    return this.#json("GET", `api/sessions${search === "" ? "" : `?search=${encodeURIComponent(search)}`}`);
  }

  createSession(): Promise<SessionSummary> {
    return this.#json("POST", "api/sessions", {});
  }

  rename(id: string, title: string): Promise<SessionSummary> {
    return this.#json("PATCH", session(id), { title });
  }

  async remove(id: string): Promise<void> {
    await this.#request("DELETE", session(id));
  }

  start(id: string, run: StartRun): Promise<RunStarted> {
    return this.#json("POST", `${session(id)}/runs`, run);
  }

  async stop(id: string, runId: string | null): Promise<void> {
    await this.#request("POST", `${session(id)}/stop`, { runId });
  }

  say(id: string, runId: string, text: string): Promise<Said> {
    return this.#json("POST", `${session(id)}/say`, { runId, text });
  }

  decide(id: string, decision: Decide): Promise<Decided> {
    return this.#json("POST", `${session(id)}/decisions`, decision);
  }

  continueRun(id: string): Promise<RunStarted> {
    return this.#json("POST", `${session(id)}/continue`, {});
  }

  rewind(id: string, runId: string): Promise<SessionSummary> {
    return this.#json("POST", `${session(id)}/rewind`, { runId });
  }

  fork(id: string, fork: Fork): Promise<Forked> {
    return this.#json("POST", `${session(id)}/fork`, fork);
  }

  variables(id: string): Promise<VariablesNow> {
    return this.#json("GET", `${session(id)}/variables`);
  }

  async blob(id: string, digest: string): Promise<Blob> {
    return (await this.#request("GET", `${session(id)}/blobs/${encodeURIComponent(digest)}`)).blob();
  }

  async file(id: string, name: "log" | "export.html"): Promise<{ readonly blob: Blob; readonly redacted: number }> {
    const response = await this.#request("GET", `${session(id)}/${name}`);
    return { blob: await response.blob(), redacted: Number(response.headers.get(redactedHeader) ?? 0) };
  }

  async upload(id: string, file: File): Promise<Upload> {
    const response = await this.#request("POST", `${session(id)}/uploads?name=${encodeURIComponent(file.name)}`, file);
    return (await response.json()) as Upload;
  }

  /** Opens the stream of a session's events from the first event, and keeps it open. */
  stream(id: string, listener: StreamListener): SessionStream {
    return new Stream(
      () => this.#headers(),
      new URL(`${session(id)}/events`, this.base).href,
      this.isForeign,
      listener,
    );
  }

  #headers(): Record<string, string> {
    return this.#key === null ? {} : { [keyHeader]: this.#key };
  }

  async #json<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await this.#request(method, path, body);
    return (await response.json()) as Answer; // safe cast: the server answers as `src/wire.ts` says
  }

  async #request(method: string, path: string, body?: object): Promise<Response> {
    const isFile = body instanceof Blob;
    const response = await fetch(new URL(path, this.base), {
      method,
      credentials: this.isForeign ? "omit" : "same-origin",
      headers: {
        ...this.#headers(),
        ...(body === undefined ? {} : { "content-type": isFile ? "application/octet-stream" : "application/json" }),
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new RequestError("network", error instanceof Error ? error.message : String(error));
    });
    if (!response.ok) throw await refusalOf(response);
    return response;
  }
}

const session = (id: string): string => `api/sessions/${encodeURIComponent(id)}`;

async function refusalOf(response: Response): Promise<RequestError> {
  try {
    const { error } = (await response.json()) as Refusal;
    return new RequestError(error.code, error.message, error.hint, error.details);
  } catch {
    return new RequestError(
      response.status === 401 ? "not-entered" : "server-failed",
      `the server answered ${response.status}`,
    );
  }
}

/**
 * The maximum number of streams of all tabs together. A browser opens at most six connections to a
 * server, and other requests need some of them.
 */
const openStreams = 4;
/** How often a tab without its own stream asks for new events, in ms. */
const pollMs = 1_500;

/**
 * Reserves one of the streams. Returns a function that frees it, or null if other tabs use all of
 * them.
 */
async function reserveStream(origin: string): Promise<(() => void) | null> {
  // Browsers have locks only for HTTPS and for pages of this machine. Without locks, the number of
  // streams is not limited.
  if (!navigator.locks) return () => {};
  for (let place = 0; place < openStreams; place++) {
    const release = await new Promise<(() => void) | null>((resolve) => {
      const name = `smolts-stream ${origin} ${place}`;
      void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise<void>((done) => resolve(done));
      });
    });
    if (release) return release;
  }
  return null;
}

const delaysMs = [300, 1_000, 2_000, 3_000, 5_000];

class Stream implements SessionStream {
  readonly #headers: () => Record<string, string>;
  readonly #url: string;
  readonly #isForeign: boolean;
  readonly #listener: StreamListener;
  #abort = new AbortController();
  #lastId: string | null = null;
  #failures = 0;
  #isClosed = false;
  /**
   * Whether other tabs use all streams. If so, this tab polls: it opens a stream, reads the new
   * events, and closes it again.
   */
  #isPolling = false;
  #hasPolled = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(headers: () => Record<string, string>, url: string, isForeign: boolean, listener: StreamListener) {
    this.#headers = headers;
    this.#url = url;
    this.#isForeign = isForeign;
    this.#listener = listener;
    void this.#open();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  retryNow(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    if (!this.#isClosed) void this.#open();
  }

  pause(isPaused: boolean): void {
    if (!isPaused) return this.retryNow();
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  async #open(): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    if (this.#failures === 0 && !this.#isPolling) this.#listener.state({ type: "connecting" });
    const leave = await reserveStream(new URL(this.#url).origin);
    this.#isPolling = leave === null;
    try {
      if (this.#isClosed || abort.signal.aborted) return;
      const response = await fetch(this.#url, {
        headers: {
          ...this.#headers(),
          accept: "text/event-stream",
          ...(this.#lastId ? { "last-event-id": this.#lastId } : {}),
        },
        credentials: this.#isForeign ? "omit" : "same-origin",
        signal: abort.signal,
      });
      if (!response.ok || !response.body) throw await refusalOf(response);
      await this.#read(response.body, abort.signal);
    } catch (error) {
      if (this.#isClosed || abort.signal.aborted) return;
      if (error instanceof RequestError && ["not-entered", "not-found", "wrong-code"].includes(error.code)) {
        this.#isClosed = true;
        return this.#listener.refused(error);
      }
    } finally {
      leave?.();
    }
    if (this.#isClosed || abort.signal.aborted) return;
    if (this.#hasPolled) this.#timer = setTimeout(() => void this.#open(), pollMs);
    else this.#retryLater();
  }

  async #read(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ id, data }) => {
        const message = JSON.parse(data) as ServerMessage; // safe cast: our own server sent the message
        this.#listener.message(message);
        if (id) this.#lastId = id;
        if (message.type === "gone") this.close();
        // The server sends the state after all events, so this poll has received everything.
        if (this.#isPolling && message.type === "state") this.#hasPolled = true;
      },
    });
    this.#hasPolled = false;
    const reader = body.getReader();
    let isFirst = true;
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      if (isFirst) {
        this.#failures = 0;
        this.#listener.state({ type: "live" });
      }
      isFirst = false;
      parser.feed(decoder.decode(value, { stream: true }));
      if (this.#hasPolled) return void reader.cancel();
    }
  }

  #retryLater(): void {
    const delayMs = delaysMs[Math.min(this.#failures, delaysMs.length - 1)]!;
    this.#failures++;
    this.#listener.state({ type: "lost", retryAt: Date.now() + delayMs });
    this.#timer = setTimeout(() => void this.#open(), delayMs);
  }
}

/**
 * Returns a value from this tab's storage. Returns null if there is no value, or if the browser
 * does not allow storage.
 */
export function stored(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a value for this tab. */
export function store(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    // Without storage, the value is lost on reload.
  }
}
