// Reads the literals of regular expressions without the host's own parser.
//
// acorn checks a pattern itself, and then creates a host RegExp for the syntax tree. V8 needs 200
// µs for a set such as `\p{L}` with the flag "i", so a literal with thousands of sets would block
// the host. Nothing needs that RegExp, because the interpreter creates its own objects.

import { type Parser, tokTypes } from "acorn";

/** A checked pattern and its flags. */
interface PatternState {
  readonly source: string;
  readonly flags: string;
}

/** The methods that acorn's types leave out. */
interface WithPatterns {
  readRegexp(): unknown;
  validateRegExpPattern(state: PatternState): void;
  finishToken(type: unknown, value: unknown): unknown;
}

/** Thrown to leave acorn's method after its checks, before it creates a RegExp of the host. */
class Checked {
  readonly state: PatternState;

  constructor(state: PatternState) {
    this.state = state;
  }
}

/**
 * A plugin for acorn: creates a parser in which every regular expression literal has the value
 * null.
 */
export function withoutHostPatterns(base: typeof Parser): typeof Parser {
  const Base = base as unknown as new (...args: unknown[]) => WithPatterns; // acorn's parser has these methods
  class PatternsParser extends Base {
    override readRegexp(): unknown {
      try {
        return super.readRegexp();
      } catch (thrown) {
        if (!(thrown instanceof Checked)) throw thrown;
        const { source: pattern, flags } = thrown.state;
        return this.finishToken(tokTypes.regexp, { pattern, flags, value: null });
      }
    }

    override validateRegExpPattern(state: PatternState): void {
      super.validateRegExpPattern(state);
      throw new Checked(state);
    }
  }
  return PatternsParser as unknown as typeof Parser; // the parser is made from this class
}
