// Stores recent errors about missing properties, with the values that lacked the properties, so
// that a hint can list the properties that such a value has. Stores only a few errors, because each
// entry keeps its value in memory.

/** The values that recent errors are about. */
export class MissingProperties {
  readonly #recent: { readonly error: unknown; readonly about: () => unknown }[] = [];

  /** Remembers which value an error is about. */
  add(error: unknown, about: () => unknown): void {
    if (this.#recent.push({ error, about }) > maxRemembered) this.#recent.shift();
  }

  /**
   * Returns a function that returns the value that an error is about. Returns undefined if the
   * error is not stored.
   */
  aboutOf(error: unknown): (() => unknown) | undefined {
    return this.#recent.find((entry) => entry.error === error)?.about;
  }

  clear(): void {
    this.#recent.length = 0;
  }
}

const maxRemembered = 8;
