// Sessions of clients that speak the protocol of 2025: each has a transport and a server object of
// its own.

import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { ClientSession } from "./client-session.ts";
import type { Endpoints } from "./endpoint.ts";
import { refusal } from "./http-access.ts";

/** How many sessions there may be, and how long one may be idle. */
export interface SessionLimits {
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
  readonly maxBodyBytes: number;
}

interface HttpSession {
  readonly session: ClientSession;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests that are being answered. */
  open: number;
}

/** In one request, by the protocol of 2025-03-26. */
const maxBatch = 20;

/** The sessions of a server. */
export class HttpSessions {
  readonly #endpoints: Endpoints;
  readonly #limits: SessionLimits;
  readonly #sessions = new Map<string, HttpSession>();
  #isClosed = false;

  constructor(endpoints: Endpoints, limits: SessionLimits) {
    this.#endpoints = endpoints;
    this.#limits = limits;
  }

  /** Answers a request of a known session, or one that begins a session. */
  async answer(request: Request, body: unknown, principal: string): Promise<Response> {
    await this.#endIdle();
    if (Array.isArray(body) && body.length > maxBatch) return refusal(400, `a batch has at most ${maxBatch} messages`);
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const found = this.#sessions.get(id);
      // Sessions of others are as unknown as those that never were.
      if (found?.session.principal !== principal) return refusal(404, "there is no such session; initialize again");
      return this.#handle(found, request, body);
    }
    if (!isInitializeRequest(body)) return refusal(400, "the session id is missing; initialize first");
    if (this.#isClosed || this.#sessions.size >= this.#limits.maxSessions) {
      return refusal(503, "there are too many sessions; try again later", { "retry-after": "60" });
    }
    return this.#handle(await this.#begin(principal), request, body);
  }

  async #begin(principal: string): Promise<HttpSession> {
    const session = new ClientSession(principal);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => session.id,
      maxRequestBodySize: this.#limits.maxBodyBytes,
    });
    const held: HttpSession = { session, transport, open: 0 };
    // Held at once, so that a flood cannot begin more than there may be.
    this.#sessions.set(session.id, held);
    await this.#endpoints.create(session, true).connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      this.#sessions.delete(session.id);
      void session[Symbol.asyncDispose]();
    };
    return held;
  }

  async #handle(held: HttpSession, request: Request, body: unknown): Promise<Response> {
    held.session.lastUsed = Date.now();
    held.open += 1;
    const done = (): void => {
      held.open -= 1;
      held.session.lastUsed = Date.now();
    };
    try {
      const response = await held.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
      if (response.status >= 400 && isInitializeRequest(body)) await held.transport.close();
      return response;
    } finally {
      done();
    }
  }

  async #endIdle(): Promise<void> {
    const end = Date.now() - this.#limits.sessionIdleMs;
    const idle = [...this.#sessions.values()].filter(({ session, open }) => open === 0 && session.lastUsed < end);
    await Promise.all(idle.map(({ transport }) => transport.close()));
  }

  /** Ends all sessions; begins no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }
}
