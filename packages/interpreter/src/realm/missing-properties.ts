// The values whose properties were missing in the errors of late, so that a hint can say which
// properties they have. Few, because each keeps its value.

/** What errors were about. */
export class MissingProperties {
  readonly #recent: { readonly error: unknown; readonly about: () => unknown }[] = [];

  /** Remembers what an error is about. */
  add(error: unknown, about: () => unknown): void {
    if (this.#recent.push({ error, about }) > mostRemembered) this.#recent.shift();
  }

  /** Gives the value that an error is about, if it is remembered. */
  aboutOf(error: unknown): (() => unknown) | undefined {
    return this.#recent.find((entry) => entry.error === error)?.about;
  }

  clear(): void {
    this.#recent.length = 0;
  }
}

const mostRemembered = 8;
