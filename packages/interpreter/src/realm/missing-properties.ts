// Remembers which values lacked a property in recent errors, so that a hint can list the properties
// that they have. It remembers only a few errors, because each entry keeps its value in memory.

/** The values that recent errors are about. */
export class MissingProperties {
  readonly #recent: { readonly error: unknown; readonly about: () => unknown }[] = [];

  /** Remembers which value an error is about. */
  add(error: unknown, about: () => unknown): void {
    if (this.#recent.push({ error, about }) > maxRemembered) this.#recent.shift();
  }

  /**
   * Returns a function that returns the value that an error is about; undefined if the error is not
   * remembered.
   */
  aboutOf(error: unknown): (() => unknown) | undefined {
    return this.#recent.find((entry) => entry.error === error)?.about;
  }

  clear(): void {
    this.#recent.length = 0;
  }
}

const maxRemembered = 8;
