// Limits how deep the syntax of a program may nest. Parsers recurse, and so does all code that
// walks syntax trees. Most stack overflows do no harm. But if the stack overflows while V8 compiles
// a regular expression, V8 ends the whole process, and the parser itself uses regular expressions.
// So the parser counts the depth, and refuses a program long before the stack is full.

import { Parser } from "acorn";
import { withoutHostPatterns } from "./pattern-literals.ts";
import { readingStep } from "./reading-steps.ts";
import { quickNames } from "./scope-names.ts";

/** Thrown by the parser when the syntax of the program nests too deep at the offset `pos`. */
export class NestingError extends Error {
  /** The offset from the start of the text, in UTF-16 units, as in acorn's errors. */
  readonly pos: number;

  constructor(pos: number) {
    super("the program nests too deep");
    this.pos = pos;
  }
}

/**
 * The recursive methods of acorn's parser. acorn's type declarations leave them out. The last two
 * are methods of the TypeScript plugin.
 */
interface Recursing {
  readonly pos: number;
  nextToken(...args: unknown[]): void;
  raise(pos: number, message: string): never;
  raiseRecoverable(pos: number, message: string): void;
  parseStatement(...args: unknown[]): unknown;
  parseMaybeAssign(...args: unknown[]): unknown;
  parseMaybeUnary(...args: unknown[]): unknown;
  parseExprOp(...args: unknown[]): unknown;
  parseBindingAtom(...args: unknown[]): unknown;
  parseFunction(...args: unknown[]): unknown;
  tsParseNonConditionalType?(...args: unknown[]): unknown;
  tryParse?(...args: unknown[]): unknown;
}

// Roughly how much stack each kind of syntax takes, in units of 350 bytes. Hosts have 1 MB or more.
const unitsOf = { statement: 2, assignment: 2, operand: 4, operator: 1, pattern: 4, function: 1, type: 4, guess: 6 };
const maxUnits = 1_800;

/**
 * A plugin for acorn: creates a parser that throws {@link NestingError}. It must be the last
 * plugin.
 */
export function boundNesting(base: typeof Parser): typeof Parser {
  const Base = base as unknown as new (...args: unknown[]) => Recursing; // acorn's parser has these methods
  class BoundedParser extends Base {
    #units = 0;

    override nextToken(...args: unknown[]): void {
      readingStep();
      super.nextToken(...args);
    }

    // Replaces acorn's own method, which also finds the line by reading the text from its start.
    // That would be slow: a parser that tries several interpretations of a text may throw at each
    // token.
    override raise(pos: number, message: string): never {
      throw Object.assign(new SyntaxError(message), { pos });
    }

    override raiseRecoverable(pos: number, message: string): void {
      this.raise(pos, message);
    }

    override parseStatement(...args: unknown[]): unknown {
      return this.#nested(unitsOf.statement, super.parseStatement, args);
    }

    override parseMaybeAssign(...args: unknown[]): unknown {
      return this.#nested(unitsOf.assignment, super.parseMaybeAssign, args);
    }

    override parseMaybeUnary(...args: unknown[]): unknown {
      return this.#nested(unitsOf.operand, super.parseMaybeUnary, args);
    }

    override parseExprOp(...args: unknown[]): unknown {
      return this.#nested(unitsOf.operator, super.parseExprOp, args);
    }

    override parseBindingAtom(...args: unknown[]): unknown {
      return this.#nested(unitsOf.pattern, super.parseBindingAtom, args);
    }

    override parseFunction(...args: unknown[]): unknown {
      return this.#nested(unitsOf.function, super.parseFunction, args);
    }

    override tsParseNonConditionalType(...args: unknown[]): unknown {
      return this.#nested(unitsOf.type, super.tsParseNonConditionalType, args);
    }

    override tryParse(...args: unknown[]): unknown {
      return this.#nested(unitsOf.guess, super.tryParse, args);
    }

    #nested(units: number, parse: ((...args: unknown[]) => unknown) | undefined, args: unknown[]): unknown {
      this.#units += units;
      if (this.#units > maxUnits) throw new NestingError(this.pos);
      try {
        return parse?.apply(this, args);
      } finally {
        // The parser for types catches errors and then parses the same text in another way. So the
        // count must go down after an error, too.
        this.#units -= units;
      }
    }
  }
  return BoundedParser as unknown as typeof Parser; // the parser is made from this class
}

/**
 * acorn's parser for JavaScript, with a limit on nesting and with fast look-up of names. It does
 * not create RegExp objects of the host.
 */
export const NestingParser: typeof Parser = /* @__PURE__ */ Parser.extend(
  quickNames,
  withoutHostPatterns,
  boundNesting,
);
