// The matcher: runs the program of a pattern over a text. It backtracks with its own stack and
// counts every step. So a pattern cannot run forever, and it cannot exhaust the host's stack.
//
// The stack contains entries of three numbers. An entry is a choice or an undo:
// - A choice contains the instruction at which to continue, the position, and -1. For a loop over
//   single characters, the third number is instead the position down to which the loop may still
//   give characters back.
// - An undo contains a negative number for its slot (`-1 - slot`), the old value of the slot, and
//   -1. The sign of the first number distinguishes it from a choice.
// After a failure, the matcher pops entries and applies undos until it finds a choice.

import type { Meter } from "../../limits.ts";
import { requireStack } from "../../stack-room.ts";
import type { Instruction, PatternProgram } from "./program.ts";

/**
 * Finds the first match at or after `start`.
 *
 * @param isSticky - whether a match must begin at `start`
 * @returns the start and end positions of the whole match and of each group, with -1 for a group
 * that did not take part in the match; null if there is no match
 */
export function runPattern(
  meter: Meter,
  program: PatternProgram,
  text: string,
  start: number,
  isSticky: boolean,
): readonly number[] | null {
  const run = new PatternRun(meter, program, text);
  // In Unicode mode, a search that would start inside a surrogate pair starts before the pair.
  const first = program.isUnicode && isPairAt(text, start - 1) ? start - 1 : start;
  const last = isSticky ? first : program.startsAtStart ? Math.min(0, text.length) : text.length;
  try {
    for (let place = first; place <= last; place++) {
      place = run.nextCandidate(place, last);
      if (place > last) return null;
      if (run.matchAt(place)) return run.slots;
      if (program.isUnicode && isPairAt(text, place) && !isSticky) place++;
    }
    return null;
  } finally {
    run.chargePending();
  }
}

// How many steps are charged together. One step takes as long as one operation of guest code. There
// is an exception: in a repeated class such as `[a-z]*`, each character after the first counts as a
// quarter of a step.
const stepsBetweenCharges = 4096;
const bytesInEntry = 24;
const entriesPerCharge = 256;
// Each time the stack has grown by this many numbers (each entry is three), the meter checks that
// there is enough memory.
const longStack = 3 * entriesPerCharge * 64;

class PatternRun {
  readonly slots: number[];
  readonly #meter: Meter;
  readonly #program: PatternProgram;
  readonly #text: string;
  readonly #stack: number[] = [];
  #steps = 0;
  #chargedStackLength = 0;

  constructor(meter: Meter, program: PatternProgram, text: string) {
    this.#meter = meter;
    this.#program = program;
    this.#text = text;
    this.slots = new Array<number>(program.slotCount).fill(-1);
  }

  /** Returns the next position at which the first instruction of the program can succeed. */
  nextCandidate(place: number, last: number): number {
    const first = this.#program.instructions[0];
    if (first?.type === "character") {
      const found = this.#text.indexOf(String.fromCodePoint(first.point), place);
      const next = found === -1 || found > last ? last + 1 : found;
      this.#count((next - place) >>> 4);
      return next;
    }
    const set = first?.type === "set" || (first?.type === "set-loop" && first.min > 0) ? first.set : null;
    if (!set || this.#program.isUnicode) return place;
    let next = place;
    while (next <= last && next < this.#text.length && !set.has(this.#text.charCodeAt(next))) next++;
    this.#count((next - place) >>> 2);
    return next >= this.#text.length ? last + 1 : next;
  }

  /** Tries to match at one position. */
  matchAt(place: number): boolean {
    this.slots.fill(-1);
    this.slots[0] = place;
    const end = this.#run(0, place);
    this.slots[1] = end;
    return end >= 0;
  }

  /** Charges for the steps that have not been charged yet. */
  chargePending(): void {
    const steps = this.#steps;
    this.#steps = 0;
    this.#meter.charge(steps);
  }

  #count(steps: number): void {
    this.#steps += steps;
    if (this.#steps >= stepsBetweenCharges) this.chargePending();
  }

  /**
   * Runs from an instruction until it reaches an instruction of type "match". Returns the position
   * in the text at that time, or -1 if there is no match.
   */
  #run(startPc: number, startPosition: number): number {
    const base = this.#stack.length;
    let pc = startPc;
    let position = startPosition;
    for (;;) {
      this.#count(1);
      const instruction = this.#program.instructions[pc] as Instruction; // every program ends with "match"
      if (instruction.type === "match") {
        this.#dropChoices(base);
        return position;
      }
      const next = this.#step(instruction, pc, position);
      if (next >= 0) {
        position = next;
        pc = this.#nextPc;
        continue;
      }
      if (!this.#backtrack(base)) return -1;
      pc = this.#nextPc;
      position = this.#nextPosition;
    }
  }

  #nextPc = 0;
  #nextPosition = 0;

  /**
   * Executes one instruction. Returns the new position in the text, or -1 if the instruction fails.
   * Sets `#nextPc` to the next instruction.
   */
  #step(instruction: Instruction, pc: number, position: number): number {
    this.#nextPc = pc + 1;
    switch (instruction.type) {
      case "character": {
        const point = this.#pointAt(position, instruction.isBackward);
        return point === instruction.point ? this.#past(point, position, instruction.isBackward) : -1;
      }
      case "set": {
        const point = this.#pointAt(position, instruction.isBackward);
        return point >= 0 && instruction.set.has(point) ? this.#past(point, position, instruction.isBackward) : -1;
      }
      case "text":
        return this.#textOf(instruction, position);
      case "set-loop":
        return this.#setLoop(instruction, position);
      case "save":
        this.#set(instruction.slot, position);
        return position;
      case "clear":
        for (let slot = instruction.first; slot <= instruction.last; slot++) this.#set(slot, -1);
        return position;
      case "zero":
        this.#set(instruction.slot, 0);
        return position;
      case "loop":
        return this.#loop(instruction, pc, position);
      case "next-round":
        return this.#nextRound(instruction, position);
      case "split":
        this.#push(instruction.other, position, -1);
        return position;
      case "jump":
        this.#nextPc = instruction.target;
        return position;
      case "start":
        return position === 0 || (this.#program.isMultiline && isLineEnd(this.#text, position - 1)) ? position : -1;
      case "end":
        return position === this.#text.length || (this.#program.isMultiline && isLineEnd(this.#text, position))
          ? position
          : -1;
      case "boundary":
        return (this.#isWordAt(position - 1) !== this.#isWordAt(position)) !== instruction.isNegated ? position : -1;
      case "look":
        return this.#look(instruction, pc, position);
      case "reference":
        return this.#reference(instruction, position);
      case "match":
        return position;
      default:
        return instruction satisfies never;
    }
  }

  #textOf({ set, length, isBackward }: Extract<Instruction, { type: "text" }>, position: number): number {
    const [start, end] = isBackward ? [position - length, position] : [position, position + length];
    if (start < 0 || end > this.#text.length) return -1;
    const other = isBackward ? start : end;
    if (length > 0 && isPairAt(this.#text, other - 1)) return -1; // the match would end inside a surrogate pair
    return set.has(this.#text.slice(start, end)) ? other : -1;
  }

  #setLoop({ set, min, max, isBackward }: Extract<Instruction, { type: "set-loop" }>, start: number): number {
    let position = start;
    let least = min === 0 ? start : -1;
    for (let count = 0; count < max; ) {
      const point = this.#pointAt(position, isBackward);
      if (point < 0 || !set.has(point)) break;
      position = this.#past(point, position, isBackward);
      if (++count === min) least = position;
    }
    this.#count(Math.abs(position - start) >>> 2);
    if (least < 0) return -1;
    if (position !== least) this.#push(this.#nextPc, position, least);
    return position;
  }

  #loop(
    { slot, min, max, isGreedy, exit }: Extract<Instruction, { type: "loop" }>,
    pc: number,
    position: number,
  ): number {
    const count = this.slots[slot] as number; // the instruction "zero" has set it
    if (count >= max) {
      this.#nextPc = exit;
      return position;
    }
    if (count < min) {
      this.#set(slot + 1, position);
      return position;
    }
    if (isGreedy) {
      this.#push(exit, position, -1);
      this.#set(slot + 1, position);
      return position;
    }
    this.#push(-1 - this.#program.slotCount - pc, position, -1);
    this.#nextPc = exit;
    return position;
  }

  #nextRound({ slot, min, start }: Extract<Instruction, { type: "next-round" }>, position: number): number {
    const count = this.slots[slot] as number; // `#loop` has set this slot
    if (position === this.slots[slot + 1] && count >= min) return -1;
    this.#set(slot, count + 1);
    this.#nextPc = start;
    return position;
  }

  #look({ isNegated, after }: Extract<Instruction, { type: "look" }>, pc: number, position: number): number {
    const before = this.slots.slice();
    this.#count(before.length);
    const isMet = this.#run(pc + 1, position) >= 0;
    this.#nextPc = after;
    if (isMet === isNegated) {
      this.#restore(before);
      return -1;
    }
    if (isNegated) this.#restore(before);
    return position;
  }

  #restore(before: readonly number[]): void {
    for (let slot = 0; slot < before.length; slot++) this.slots[slot] = before[slot] as number; // both lists have the same length
  }

  #reference({ index, isBackward }: Extract<Instruction, { type: "reference" }>, position: number): number {
    const from = this.slots[2 * index] as number; // the group exists
    const to = this.slots[2 * index + 1] as number;
    if (from < 0 || to < 0) return position;
    const length = to - from;
    this.#count(length);
    const start = isBackward ? position - length : position;
    if (start < 0 || start + length > this.#text.length) return -1;
    if (!this.#isSameText(from, start, length)) return -1;
    return isBackward ? start : start + length;
  }

  #isSameText(left: number, right: number, length: number): boolean {
    const one = this.#text.slice(left, left + length);
    const other = this.#text.slice(right, right + length);
    if (one === other || !this.#program.ignoresCase) return one === other;
    requireStack();
    const escaped = one.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    return new RegExp(`^(?:${escaped})$`, this.#program.isUnicode ? "iu" : "i").test(other);
  }

  /** Removes the choices above `base` from the stack. Undos stay for the choices below `base`. */
  #dropChoices(base: number): void {
    if (base === 0) {
      this.#stack.length = 0;
      return;
    }
    let kept = base;
    for (let entry = base; entry < this.#stack.length; entry += 3) {
      const head = this.#stack[entry] as number; // each entry is three numbers
      if (head >= 0 || head < -this.#program.slotCount) continue;
      this.#stack[kept] = head;
      this.#stack[kept + 1] = this.#stack[entry + 1] as number;
      this.#stack[kept + 2] = -1;
      kept += 3;
    }
    this.#stack.length = kept;
  }

  /** Goes back to the last choice on the stack above `base`. Returns false if there is none. */
  #backtrack(base: number): boolean {
    const stack = this.#stack;
    while (stack.length > base) {
      const least = stack.pop() as number; // each entry is three numbers
      const position = stack.pop() as number;
      const head = stack.pop() as number;
      if (head >= 0) {
        this.#runFrom(head, position, least);
        return true;
      }
      if (head < -this.#program.slotCount) {
        this.#enterLazyRound(-1 - this.#program.slotCount - head, position);
        return true;
      }
      this.slots[-1 - head] = position;
    }
    return false;
  }

  #runFrom(pc: number, position: number, least: number): void {
    this.#nextPc = pc;
    this.#nextPosition = least < 0 ? position : this.#giveBack(position, least);
    if (least >= 0 && this.#nextPosition !== least) this.#push(pc, this.#nextPosition, least);
  }

  #enterLazyRound(pc: number, position: number): void {
    const { slot } = this.#program.instructions[pc] as Extract<Instruction, { type: "loop" }>; // only loops push such an entry
    this.#set(slot + 1, position);
    this.#nextPc = pc + 1;
    this.#nextPosition = position;
  }

  /**
   * Makes a loop such as `a*` give back one character. The loop ended at `position`, and may give
   * back characters down to the position `least`.
   */
  #giveBack(position: number, least: number): number {
    if (position > least) return position - (this.#program.isUnicode && isPairAt(this.#text, position - 2) ? 2 : 1);
    return position + (this.#program.isUnicode && isPairAt(this.#text, position) ? 2 : 1);
  }

  #set(slot: number, value: number): void {
    this.#push(-1 - slot, this.slots[slot] as number, -1); // the slot exists
    this.slots[slot] = value;
  }

  #push(head: number, position: number, least: number): void {
    this.#stack.push(head, position, least);
    if (this.#stack.length <= this.#chargedStackLength) return;
    this.#meter.allocate(bytesInEntry * entriesPerCharge);
    this.#chargedStackLength += 3 * entriesPerCharge;
    // When the stack grows, the host copies it and needs memory for both copies.
    if (this.#chargedStackLength % longStack === 0) this.#meter.requireRoom(bytesInEntry * this.#chargedStackLength);
  }

  /** Returns the next character to read, or -1 at the end of the text. */
  #pointAt(position: number, isBackward: boolean): number {
    const text = this.#text;
    if (!isBackward) {
      if (position >= text.length) return -1;
      return this.#program.isUnicode ? (text.codePointAt(position) as number) : text.charCodeAt(position); // the position is in the text
    }
    if (position <= 0) return -1;
    if (this.#program.isUnicode && isPairAt(text, position - 2)) return text.codePointAt(position - 2) as number; // the position is in the text
    return text.charCodeAt(position - 1);
  }

  #past(point: number, position: number, isBackward: boolean): number {
    const length = point > 0xffff ? 2 : 1;
    return isBackward ? position - length : position + length;
  }

  #isWordAt(position: number): boolean {
    if (position < 0 || position >= this.#text.length) return false;
    const unit = this.#text.charCodeAt(position);
    if (unit < 128) return isAsciiWord(unit);
    // If case is ignored, these two letters equal "s" and "k".
    return this.#program.isUnicode && this.#program.ignoresCase && (unit === 0x17f || unit === 0x212a);
  }
}

function isLineEnd(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  return unit === 10 || unit === 13 || unit === 0x2028 || unit === 0x2029;
}

/** Says whether a surrogate pair starts at this position. */
function isPairAt(text: string, position: number): boolean {
  if (position < 0) return false;
  const high = text.charCodeAt(position);
  if (!(high >= 0xd800 && high < 0xdc00)) return false;
  const low = text.charCodeAt(position + 1);
  return low >= 0xdc00 && low < 0xe000;
}

/** Says whether `\w` matches a unit below 128. */
function isAsciiWord(unit: number): boolean {
  if (unit >= 0x30 && unit <= 0x39) return true; // 0 to 9
  const lower = unit | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || unit === 0x5f; // a to z, or _
}
