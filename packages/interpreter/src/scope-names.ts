// The names that a scope declares. At each declaration the parser, acorn, checks whether the name
// is already declared. For this, acorn searches a list of names, which took seconds in a program of
// 50,000 variables. This file replaces these lists by lists that have an index if they are long.

import type { Parser } from "acorn";

// Lists with more names than this get an index. Searching a shorter list without an index is just
// as fast.
const maxUnindexedNames = 32;

/**
 * A list of names that can be searched quickly. Parsers append names, and shorten the list when
 * they undo a speculative parse.
 */
class NameList extends Array<string> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  // The index at which each name was added. The parser may have removed the name since then, so
  // searches check that the list still has the name at this index.
  #places: Map<string, number> | null = null;

  override push(name: string): number {
    if (this.length >= maxUnindexedNames) {
      this.#places ??= new Map(Array.from(this, (known, index) => [known, index] as const).reverse());
      if (this.indexOf(name) === -1) this.#places.set(name, this.length);
    } else this.#places = null;
    return super.push(name);
  }

  override indexOf(name: string): number {
    if (!this.#places || this.length <= maxUnindexedNames) return super.indexOf(name);
    const place = this.#places.get(name);
    return place !== undefined && place < this.length && this[place] === name ? place : -1;
  }

  override includes(name: string): boolean {
    return this.indexOf(name) !== -1;
  }
}

/** Methods of acorn's parser that its types do not declare. */
interface WithScopes {
  enterScope(flags: number): void;
  currentScope(): { [list: string]: unknown };
}

/**
 * A plugin for acorn: creates a parser that finds declared names quickly. Plugins that add lists of
 * names to scopes must be applied before this plugin.
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
  return QuickNamesParser as unknown as typeof Parser; // the parser is made from this class
}
