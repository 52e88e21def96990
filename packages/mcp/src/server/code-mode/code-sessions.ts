// Sessions for clients whose protocol has no sessions. Each tool call passes the handle of its
// session, which is an id.

import { AgentError } from "@smolts/protocol";
import { ClientSession } from "../client-session.ts";

const maxSessions = 100;
const idleMs = 30 * 60_000;

/** Sessions by their handles. */
export class CodeSessions {
  readonly #sessions = new Map<string, ClientSession>();

  /**
   * Returns the session with a handle, or a new session.
   *
   * @throws AgentError `tool-input` if this user has no session with that handle
   */
  open(handle: string | undefined, principal: string): ClientSession {
    this.#endIdle();
    const session = handle === undefined ? this.#create(principal) : this.#sessions.get(handle);
    if (session?.principal !== principal) {
      throw new AgentError("tool-input", "there is no such session, or it has ended", {
        hint: "leave session out to start a new one; its variables must be created again",
      });
    }
    session.lastUsed = Date.now();
    return session;
  }

  #create(principal: string): ClientSession {
    if (this.#sessions.size >= maxSessions) {
      // End the session that has been unused for the longest time. Prefer the user's own sessions.
      const own = [...this.#sessions.values()].filter((session) => session.principal === principal);
      const candidates = own.length > 0 ? own : [...this.#sessions.values()];
      const [oldest] = candidates.toSorted((left, right) => left.lastUsed - right.lastUsed);
      if (oldest) this.#end(oldest);
    }
    const session = new ClientSession(principal);
    this.#sessions.set(session.id, session);
    return session;
  }

  #endIdle(): void {
    const end = Date.now() - idleMs;
    for (const session of this.#sessions.values()) if (session.lastUsed < end) this.#end(session);
  }

  #end(session: ClientSession): void {
    this.#sessions.delete(session.id);
    void session[Symbol.asyncDispose]();
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session[Symbol.asyncDispose]()));
  }
}
