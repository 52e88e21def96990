// Compiles patterns to programs for the matcher. A program is a list of instructions. Each is an
// operation with up to four operands. While a program runs, the matcher stores these values in
// numbered slots:
//
// - for the whole match and then for each group: the positions where it starts and ends
// - for each loop (a part with a quantifier, such as `(ab)*`): a counter and a position

import type { CharacterSet } from "./character-set.ts";
import type { Pattern, PatternNode, RepeatNode } from "./pattern.ts";
import { setOfSingle } from "./single.ts";
import { TextSet } from "./text-set.ts";

/**
 * One instruction of a program. If `isBackward` is true, it reads towards the start of the text, as
 * lookbehind requires.
 */
export type Instruction =
  | { readonly type: "character"; readonly point: number; readonly isBackward: boolean }
  | { readonly type: "set"; readonly set: CharacterSet; readonly isBackward: boolean }
  | { readonly type: "text"; readonly set: TextSet; readonly length: number; readonly isBackward: boolean }
  | {
      readonly type: "set-loop";
      readonly set: CharacterSet;
      readonly min: number;
      readonly max: number;
      readonly isBackward: boolean;
    }
  | { readonly type: "save"; readonly slot: number }
  | { readonly type: "clear"; readonly first: number; readonly last: number }
  | { readonly type: "zero"; readonly slot: number }
  | {
      readonly type: "loop";
      readonly slot: number;
      readonly min: number;
      readonly max: number;
      readonly isGreedy: boolean;
      exit: number;
    }
  | { readonly type: "next-round"; readonly slot: number; readonly min: number; readonly start: number }
  | { readonly type: "split"; other: number }
  | { readonly type: "jump"; target: number }
  | { readonly type: "start" | "end" | "match" }
  | { readonly type: "boundary"; readonly isNegated: boolean }
  | { readonly type: "look"; readonly isNegated: boolean; after: number }
  | { readonly type: "reference"; readonly index: number; readonly isBackward: boolean };

/** A compiled pattern. */
export interface PatternProgram {
  readonly instructions: readonly Instruction[];
  readonly slotCount: number;
  readonly isUnicode: boolean;
  readonly ignoresCase: boolean;
  readonly isMultiline: boolean;
  /** Whether a match can only begin at the start of the text. */
  readonly startsAtStart: boolean;
}

/** Compiles a pattern. */
export function compilePattern(pattern: Pattern, flags: string): PatternProgram {
  return new PatternCompiler(pattern, flags).compile();
}

class PatternCompiler {
  readonly #pattern: Pattern;
  readonly #flags: string;
  readonly #instructions: Instruction[] = [];
  #slots: number;

  constructor(pattern: Pattern, flags: string) {
    this.#pattern = pattern;
    this.#flags = flags;
    this.#slots = 2 * (pattern.groupCount + 1);
  }

  compile(): PatternProgram {
    this.#node(this.#pattern.body, false);
    this.#add({ type: "match" });
    const isMultiline = this.#flags.includes("m");
    return {
      instructions: this.#instructions,
      slotCount: this.#slots,
      isUnicode: this.#flags.includes("u") || this.#flags.includes("v"),
      ignoresCase: this.#flags.includes("i"),
      isMultiline,
      startsAtStart: !isMultiline && this.#instructions[0]?.type === "start",
    };
  }

  #add<T extends Instruction>(instruction: T): T {
    this.#instructions.push(instruction);
    return instruction;
  }

  get #here(): number {
    return this.#instructions.length;
  }

  #node(node: PatternNode, isBackward: boolean): void {
    switch (node.type) {
      case "empty":
        return;
      case "start":
      case "end":
        this.#add({ type: node.type });
        return;
      case "boundary":
        this.#add({ type: "boundary", isNegated: node.isNegated });
        return;
      case "character":
      case "set":
        this.#single(node, isBackward);
        return;
      case "texts":
        return this.#texts(node, isBackward);
      case "sequence":
        for (const part of isBackward ? node.parts.toReversed() : node.parts) this.#node(part, isBackward);
        return;
      case "choice":
        return this.#choice(node.parts, isBackward);
      case "group":
        return this.#group(node.index, node.body, isBackward);
      case "look":
        return this.#look(node.isBehind, node.isNegated, node.body);
      case "reference":
        this.#add({ type: "reference", index: node.index, isBackward });
        return;
      case "repeat":
        return this.#repeat(node, isBackward);
      default:
        node satisfies never;
    }
  }

  #single(node: Extract<PatternNode, { type: "character" | "set" }>, isBackward: boolean): void {
    if (node.type === "character" && !this.#flags.includes("i")) {
      this.#add({ type: "character", point: node.point, isBackward });
    } else {
      this.#add({ type: "set", set: this.#setOf(node), isBackward });
    }
  }

  #setOf(node: Extract<PatternNode, { type: "character" | "set" }>): CharacterSet {
    return setOfSingle(node, this.#flags);
  }

  #choice(parts: readonly PatternNode[], isBackward: boolean): void {
    this.#alternatives(parts.map((part) => () => this.#node(part, isBackward)));
  }

  /** Compiles a set that contains strings. At run time, longer strings are tried first. */
  #texts({ source, longest }: Extract<PatternNode, { type: "texts" }>, isBackward: boolean): void {
    const set = new TextSet(source, this.#flags);
    const lengths = Array.from({ length: longest + 1 }, (_, shorter) => longest - shorter);
    this.#alternatives(lengths.map((length) => () => this.#add({ type: "text", set, length, isBackward })));
  }

  #alternatives(compilers: readonly (() => void)[]): void {
    const jumps: { target: number }[] = [];
    for (const [index, compileOne] of compilers.entries()) {
      if (index === compilers.length - 1) {
        compileOne();
        break;
      }
      const split = this.#add({ type: "split", other: 0 });
      compileOne();
      jumps.push(this.#add({ type: "jump", target: 0 }));
      split.other = this.#here;
    }
    for (const jump of jumps) jump.target = this.#here;
  }

  #group(index: number, body: PatternNode, isBackward: boolean): void {
    this.#add({ type: "save", slot: 2 * index + (isBackward ? 1 : 0) });
    this.#node(body, isBackward);
    this.#add({ type: "save", slot: 2 * index + (isBackward ? 0 : 1) });
  }

  #look(isBehind: boolean, isNegated: boolean, body: PatternNode): void {
    const look = this.#add({ type: "look", isNegated, after: 0 });
    this.#node(body, isBehind);
    this.#add({ type: "match" });
    look.after = this.#here;
  }

  #repeat(node: RepeatNode, isBackward: boolean): void {
    const { body, min, max, isGreedy, firstGroup, groupCount } = node;
    if ((body.type === "character" || body.type === "set") && isGreedy) {
      this.#add({ type: "set-loop", set: this.#setOf(body), min, max, isBackward });
      return;
    }
    const slot = this.#slots;
    this.#slots += 2;
    this.#add({ type: "zero", slot });
    const start = this.#here;
    const loop = this.#add({ type: "loop", slot, min, max, isGreedy, exit: 0 });
    if (groupCount > 0) this.#add({ type: "clear", first: 2 * firstGroup, last: 2 * (firstGroup + groupCount) - 1 });
    this.#node(body, isBackward);
    this.#add({ type: "next-round", slot, min, start });
    loop.exit = this.#here;
  }
}
