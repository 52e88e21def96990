// The names that a scope declares. A parser asks at each declaration whether the name is there
// already; acorn looks through a list for that, so that a program of 50,000 variables took it
// seconds.

import type { Parser } from "acorn";

// In a shorter list a search is as fast as an index.
const fewNames = 32;

/**
 * A list of names that finds one quickly. Parsers add at its end, and cut it when they take back a
 * guess.
 */
class NameList extends Array<string> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  // Where each name was when it was added; not valid any more if something else, or nothing, is
  // there now.
  #places: Map<string, number> | null = null;

  override push(name: string): number {
    if (this.length >= fewNames) {
      this.#places ??= new Map(Array.from(this, (known, index) => [known, index] as const).reverse());
      if (this.indexOf(name) === -1) this.#places.set(name, this.length);
    } else this.#places = null;
    return super.push(name);
  }

  override indexOf(name: string): number {
    if (!this.#places || this.length <= fewNames) return super.indexOf(name);
    const place = this.#places.get(name);
    return place !== undefined && place < this.length && this[place] === name ? place : -1;
  }

  override includes(name: string): boolean {
    return this.indexOf(name) !== -1;
  }
}

/** What acorn's types leave out. */
interface WithScopes {
  enterScope(flags: number): void;
  currentScope(): { [list: string]: unknown };
}

/**
 * A plugin of acorn: makes a parser that finds declared names quickly. Comes after plugins that add
 * lists of names to scopes.
 */
export function quickNames(base: typeof Parser): typeof Parser {
  const Base = base as unknown as new (...args: unknown[]) => WithScopes; // acorn's parser has these methods
  class QuickNamesParser extends Base {
    override enterScope(flags: number): void {
      super.enterScope(flags);
      const scope = this.currentScope();
      for (const list of Object.keys(scope)) if (Array.isArray(scope[list])) scope[list] = new NameList();
    }
  }
  return QuickNamesParser as unknown as typeof Parser; // it is made from one
}
