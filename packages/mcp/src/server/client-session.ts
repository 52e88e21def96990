import { randomHex } from "@smolts/protocol";

/**
 * The state that a server keeps for one client: a connection over stdio, or a session over HTTP.
 */
export class ClientSession implements AsyncDisposable {
  /** The random id of the session. It cannot be guessed. */
  readonly id: string = randomHex();
  /** The user who opened the session. Only this user may use it. */
  readonly principal: string;
  /** The names of tools that a person approved for the whole session. */
  readonly allowed: Set<string> = new Set();
  lastUsed: number = Date.now();
  readonly #ended = new AbortController();
  readonly #resources = new Map<object, AsyncDisposable>();

  constructor(principal: string) {
    this.principal = principal;
  }

  /** A signal that aborts when the session ends. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * Returns an object that the session keeps under a key, such as a sandbox. The session creates
   * the object at the first use, and disposes it when the session ends.
   */
  resource<Resource extends AsyncDisposable>(key: object, create: () => Resource): Resource {
    // The cast is safe: only `create` for the same key sets this value.
    const found = this.#resources.get(key) as Resource | undefined;
    if (found) return found;
    const created = create();
    this.#resources.set(key, created);
    return created;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort(new Error("the session has ended"));
    const resources = [...this.#resources.values()];
    this.#resources.clear();
    await Promise.allSettled(resources.map((resource) => resource[Symbol.asyncDispose]()));
  }
}
