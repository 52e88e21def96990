/**
 * The state that a server keeps for one client: a connection over stdio, or a session over HTTP.
 */
export class ClientSession implements AsyncDisposable {
  /** Cannot be guessed. */
  readonly id: string = randomId();
  /** Who opened it; only that principal may use it. */
  readonly principal: string;
  /** Names of tools that a person allowed for the whole session. */
  readonly allowed: Set<string> = new Set();
  lastUsed: number = Date.now();
  readonly #ended = new AbortController();
  readonly #resources = new Map<object, AsyncDisposable>();

  constructor(principal: string) {
    this.principal = principal;
  }

  /** Aborts when the session ends. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * Returns what the session keeps under a key, such as a sandbox; makes it at first use. The
   * session disposes it when it ends.
   */
  resource<Resource extends AsyncDisposable>(key: object, create: () => Resource): Resource {
    const found = this.#resources.get(key) as Resource | undefined; // only `create` of the same key sets it
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

/** 128 random bits. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
