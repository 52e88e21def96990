// Limits how deep a program may nest. Parsers recurse, and so does everything that walks their
// trees. Running out of stack would do no harm in itself, but V8 ends the whole process if a
// regular expression, such as one of the parser's own, is compiled right where the stack ends. So
// depth is counted, and a program is refused long before.

import { Parser } from "acorn";
import { readingStep } from "./reading-steps.ts";
import { quickNames } from "./scope-names.ts";

/** Thrown by a parser that counts: the program nests too deep at `pos`. */
export class NestingError extends Error {
  /** In UTF-16 units from the start, as in acorn's errors. */
  readonly pos: number;

  constructor(pos: number) {
    super("the program nests too deep");
    this.pos = pos;
  }
}

/**
 * The methods of acorn that recurse; its types leave them out. The last two are the plugin's for
 * TypeScript.
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

// Roughly how much stack each of them takes, in units of 350 bytes. Hosts have 1 MB or more.
const unitsOf = { statement: 2, assignment: 2, operand: 4, operator: 1, pattern: 4, function: 1, type: 4, guess: 6 };
const mostUnits = 1_800;

/** A plugin of acorn: makes a parser that throws {@link NestingError}. Comes last among plugins. */
export function boundNesting(base: typeof Parser): typeof Parser {
  const Base = base as unknown as new (...args: unknown[]) => Recursing; // acorn's parser has these methods
  class BoundedParser extends Base {
    #units = 0;

    override nextToken(...args: unknown[]): void {
      readingStep();
      super.nextToken(...args);
    }

    // Acorn's own look for the line of the place, from the start of the text on. A parser that
    // tries one reading after the other may throw at each token.
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
      if (this.#units > mostUnits) throw new NestingError(this.pos);
      try {
        return parse?.apply(this, args);
      } finally {
        // A parser for types tries one reading after the other.
        this.#units -= units;
      }
    }
  }
  return BoundedParser as unknown as typeof Parser; // it is made from one
}

/** Parses JavaScript, and counts how deep it nests. */
export const NestingParser: typeof Parser = /* @__PURE__ */ Parser.extend(quickNames, boundNesting);
