// Keeps sessions for clients of the protocol of 2025. Each session has its own transport and server
// object.

import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { ClientSession } from "./client-session.ts";
import type { Endpoints } from "./endpoint.ts";
import { refusal } from "./http-access.ts";

/** The limits for sessions: the maximum number of sessions, and how long a session may be idle. */
export interface SessionLimits {
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
  readonly maxBodyBytes: number;
}

interface HttpSession {
  readonly session: ClientSession;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** The number of requests that are being answered. */
  open: number;
}

/** The maximum number of messages in one request. The protocol of 2025-03-26 allows several. */
const maxBatch = 20;

/** The sessions of one server. */
export class HttpSessions {
  readonly #endpoints: Endpoints;
  readonly #limits: SessionLimits;
  readonly #sessions = new Map<string, HttpSession>();
  #isClosed = false;

  constructor(endpoints: Endpoints, limits: SessionLimits) {
    this.#endpoints = endpoints;
    this.#limits = limits;
  }

  /** Answers a request of a known session, or a request that begins a session. */
  async answer(request: Request, body: unknown, principal: string): Promise<Response> {
    await this.#endIdle();
    if (Array.isArray(body) && body.length > maxBatch)
      return refusal(400, `a batch may have at most ${maxBatch} messages`);
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const found = this.#sessions.get(id);
      // A session of another user is treated like an unknown session.
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
    // Store the session before the first await. Otherwise, many requests at once could exceed the
    // limit.
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

  /** Ends all sessions. New sessions are refused after that. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }
}
