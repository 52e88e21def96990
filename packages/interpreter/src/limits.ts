// The meter: counts what a program uses and stops it at its limits.
//
// Counters on hot paths stay below 2^30, so that the engine keeps them as small integers; a chunk
// that runs out is refilled on a slow path, which also looks at the clock and the abort signal. A
// limit that was reached stays reached: whatever the program does afterwards (its `finally` blocks
// are skipped anyway) stops again at its next counted act.
//
// Bytes are counted when they are allocated, and nobody tells when they are dropped. So now and
// then it is asked how many more there is room for (memory-room.ts). The answer differs from run to
// run; a replay does not ask, and stops by operations. Therefore each chunk of bytes costs some, at
// places that depend on the program alone, and a stop for memory comes right before that.

import type { StopReason } from "@smolts/protocol";
import type { Position } from "./guest-throw.ts";

/** The limits of one execution. Infinity turns a limit off. */
export interface MeterLimits {
  /** Loop rounds, calls and inner rounds of built-ins. */
  readonly operations?: number;
  /** Bytes allocated, by estimate. */
  readonly memoryBytes?: number;
  /**
   * How many more bytes may be allocated. It is asked after each eighth of `memoryBytes`.
   * @defaultValue the rest of `memoryBytes`
   */
  readonly roomBytes?: (allocatedBytes: number) => number;
  /** Calls within calls. */
  readonly callDepth?: number;
  /**
   * Called now and then: returns a reason to stop, such as `aborted` or `guest-time`. `aheadMs`:
   * the estimated time of the next step.
   */
  readonly interrupted?: (aheadMs: number) => StopReason | null;
}

/**
 * Why an execution ended from inside: a limit, the program's own `finalAnswer`, or an import that
 * is not allowed.
 */
export type BreachReason = StopReason | "final-answer" | "import-refused";

/**
 * Thrown to end an execution. Guest code cannot catch it, and none of its `finally` blocks runs.
 */
export class Breach {
  readonly reason: BreachReason;
  /** The innermost place in the program that is known to have reached the limit. */
  position: Position | null = null;

  constructor(reason: BreachReason) {
    this.reason = reason;
  }
}

// How many operations there are between two looks at the clock: few at first, and more where they
// take no time, so that a limit of time is heard in time however dear they are. How many are
// counted does not depend on it.
const mostBetweenLooks = 10_000;
const fewestBetweenLooks = 16;
const msBetweenLooks = 2;
// The estimated host time of one operation. A step that would take longer than the remaining time
// is not started.
const msOfOperation = 50e-6;
const bytesChunk = 1 << 16;
const uncountedRoom = 2 ** 30 - 1;
// Making, moving and clearing away so many bytes takes the host about as long as an operation.
const bytesPerOperation = 48;
// Often enough that an estimate which is far too low does no harm.
const looksAtMemory = 8;

// Room to grow included.
const bytesOfElement = 12;
const longList = 1 << 16;
// No host keeps a longer one in one place: such an index is a key among others.
const longestList = 1 << 27;

// Whose turn it is. Guest code runs in turns on one thread, so that conversions, which know no
// realm, have a meter all the same.
let ofThisTurn: Meter | null = null;
let handovers = 0;

/** Says whose turn begins. */
export function beginTurn(meter: Meter): void {
  if (meter !== ofThisTurn) handovers++;
  ofThisTurn = meter;
}

/** The meter of whoever has the turn. */
export function meterOfTurn(): Meter | null {
  return ofThisTurn;
}

/**
 * How often another meter got the turn. If the number is the same later, no other meter had a turn
 * in between.
 */
export function countHandovers(): number {
  return handovers;
}

/** Counts operations of whoever has the turn. */
export function chargeTurn(count: number): void {
  ofThisTurn?.charge(count);
}

// Shorter texts cost about as much as the operation that reads them.
const shortText = 512;
// How many characters the host compares, converts or hashes in the time of an operation.
const charactersPerOperation = 32;

/**
 * Counts, for whoever has the turn, that the host goes through a text, or a part of it: to compare,
 * convert or hash it.
 */
export function chargeReading(characters: number): void {
  if (characters > shortText) ofThisTurn?.charge(Math.ceil(characters / charactersPerOperation));
}

/** Brings the next look at the clock nearer, for whoever has the turn: see {@link Meter.hasten}. */
export function hastenTurn(count: number): void {
  ofThisTurn?.hasten(count);
}

/**
 * Counts one operation, for whoever has the turn, before an act that takes about as long as
 * `operations` of them: see {@link Meter.foresee}.
 */
export function foreseeTurn(operations: number): void {
  ofThisTurn?.foresee(operations);
  ofThisTurn?.hasten(operations);
}

/** Counts the use of one execution. Made once for a session and reset for each execution. */
export class Meter {
  /** The operations left in this chunk. Hot paths do `if (--meter.left < 0) meter.refill()`. */
  left = 0;
  /**
   * Calls that are going on; hot paths do `if (++meter.depth > meter.maxDepth) meter.end(new
   * NestingBreach(callee))`.
   */
  depth = 0;
  maxDepth = 1_000;
  /** Stores under keys that were computed: see many-keys.ts. */
  storedKeys = 0;
  #bytesLeft = 0;
  #operationsBehind = 0;
  #bytesBehind = 0;
  #untoldBytes = 0;
  /** How many bytes may be allocated, as far as is known. */
  #bytesAllowed = 0;
  #operationsChunk = 0;
  #bytesChunk = 0;
  #operationsBetweenLooks = fewestBetweenLooks;
  #lookedAt = 0;
  // Some hosts run code whenever the global is read.
  readonly #clock: Performance = performance;
  #limits: Required<MeterLimits> = unlimited;
  #breach: Breach | null = null;

  /** Starts counting from zero. */
  start({
    operations = Number.POSITIVE_INFINITY,
    memoryBytes = Number.POSITIVE_INFINITY,
    roomBytes = (allocatedBytes) => memoryBytes - allocatedBytes,
    callDepth = 1_000,
    interrupted = () => null,
  }: MeterLimits = {}): void {
    this.#limits = { operations, memoryBytes, roomBytes, callDepth, interrupted };
    this.#breach = null;
    this.depth = 0;
    this.storedKeys = 0;
    this.maxDepth = Math.min(callDepth, 2 ** 30 - 1);
    this.#operationsBehind = 0;
    this.#bytesBehind = 0;
    this.#untoldBytes = 0;
    this.#bytesAllowed = memoryBytes / looksAtMemory;
    this.#operationsBetweenLooks = fewestBetweenLooks;
    this.#lookedAt = this.#clock.now();
    this.#setOperationsChunk();
    this.#setBytesChunk();
  }

  /** Operations counted so far. */
  get operations(): number {
    return this.#operationsBehind + this.#operationsChunk - Math.max(0, this.left);
  }

  /** Bytes counted so far. */
  get bytes(): number {
    return this.#bytesBehind + this.#bytesChunk - this.#bytesLeft;
  }

  /** The breach that ended the execution, if one did. */
  get breach(): Breach | null {
    return this.#breach;
  }

  /** Counts `count` operations, before they are done. */
  charge(count: number): void {
    if (count <= this.left) this.left -= count;
    else this.#chargePastChunk(count);
  }

  /**
   * Brings the next look at the clock nearer, as if `count` more operations had been done, and
   * counts none. For work that may take the host far longer than it is charged for: how long shows
   * only on the clock.
   */
  hasten(count: number): void {
    const skipped = Math.min(Math.ceil(count), this.left);
    if (skipped <= 0) return;
    this.left -= skipped;
    this.#operationsChunk -= skipped;
  }

  /**
   * Runs work that is not the program's, and counts nothing of it. No limit is reached meanwhile,
   * so it must be short.
   */
  withoutCounting(work: () => void): void {
    const { left } = this;
    const bytesLeft = this.#bytesLeft;
    const operationsChunk = this.#operationsChunk;
    this.left = uncountedRoom;
    this.#bytesLeft = uncountedRoom;
    try {
      work();
    } finally {
      this.left = left;
      this.#bytesLeft = bytesLeft;
      this.#operationsChunk = operationsChunk;
    }
  }

  /** Counts bytes, before they are allocated. */
  allocate(bytes: number): void {
    if (bytes <= this.#bytesLeft) this.#bytesLeft -= bytes;
    else this.#allocatePastChunk(bytes);
  }

  /**
   * Counts one more element of a list that has `length`. Growing, the host moves all of a list into
   * a larger place, while the old one is there still: that there is room for it is asked now and
   * then.
   */
  allocateElement(length: number): void {
    this.allocate(bytesOfElement);
    if (length >= longList && length <= longestList && length % longList === 0)
      this.requireRoom(length * bytesOfElement);
  }

  /**
   * Counts so many elements of a new list, which the host moves while it grows: that there is room
   * for both is asked for long ones.
   */
  allocateElements(count: number): void {
    if (count >= longList) this.requireRoom(2 * bytesOfElement * count);
    this.allocate(bytesOfElement * count);
  }

  /**
   * Counts bytes that the host keeps outside its heap, where it does not report them. They count as
   * held until the execution ends.
   */
  allocateUntold(bytes: number): void {
    this.allocate(bytes);
    this.#untoldBytes += bytes;
    if (this.#untoldBytes > this.#limits.memoryBytes) this.stop("memory");
    this.charge(1);
  }

  /**
   * Counts one operation before an act that takes the host about as long as `operations` of them,
   * and that nothing can interrupt. The execution ends here if the remaining time is too short for
   * it.
   */
  foresee(operations: number): void {
    if (operations > mostBetweenLooks) this.#chargePastChunk(1, operations);
    else this.charge(1);
  }

  /**
   * Ends the execution if it was aborted or is out of time, and counts nothing. A counted operation
   * must follow before anything that the program could notice, so that a replay stops there too.
   */
  look(): void {
    if (this.#breach) throw this.#breach;
    const reason = this.#limits.interrupted(0);
    if (reason !== null) this.stop(reason);
  }

  /** Called when `left` went below zero. Gives how many operations there were since it was last. */
  refill(): number {
    const passed = this.#operationsChunk;
    this.left = 0;
    this.#chargePastChunk(1);
    return passed;
  }

  /** Ends the execution. */
  stop(reason: BreachReason): never {
    return this.end(new Breach(reason));
  }

  /** Ends the execution with a breach that says more than its reason. */
  end(breach: Breach): never {
    this.#breach ??= breach;
    this.#freeze();
    throw this.#breach;
  }

  #chargePastChunk(count: number, ahead: number = count): void {
    if (this.#breach) throw this.#breach;
    const used = this.operations;
    if (used + count > this.#limits.operations) this.stop("operations");
    // An act that is not done is not counted, so that a replay can stop before the same act.
    const reason = this.#limits.interrupted(ahead * msOfOperation);
    if (reason !== null) this.stop(reason);
    this.#operationsBehind = used + count;
    this.#planNextLook();
    this.#setOperationsChunk();
  }

  #planNextLook(): void {
    const now = this.#clock.now();
    const passedMs = now - this.#lookedAt;
    this.#lookedAt = now;
    if (passedMs > 2 * msBetweenLooks) {
      this.#operationsBetweenLooks = Math.max(fewestBetweenLooks, this.#operationsBetweenLooks >> 2);
    } else if (passedMs < msBetweenLooks / 2) {
      this.#operationsBetweenLooks = Math.min(mostBetweenLooks, this.#operationsBetweenLooks << 1);
    }
  }

  #allocatePastChunk(bytes: number): void {
    if (this.#breach) throw this.#breach;
    const used = this.bytes;
    if (used + bytes > this.#bytesAllowed) this.#makeRoom(used, bytes);
    this.charge(Math.ceil((used + bytes - this.#bytesBehind) / bytesPerOperation));
    this.#bytesBehind = used + bytes;
    this.#setBytesChunk();
  }

  /**
   * Stops if memory that is freed at once, and so is not counted, would not fit. An operation
   * follows, as after each stop.
   */
  requireRoom(bytes: number): void {
    if (this.bytes + bytes > this.#bytesAllowed) this.#makeRoom(this.bytes, bytes);
    this.charge(1);
  }

  #makeRoom(used: number, bytes: number): void {
    const { roomBytes, memoryBytes } = this.#limits;
    const room = roomBytes(used);
    if (bytes > room) this.stop("memory");
    this.#bytesAllowed = used + Math.min(room, bytes + memoryBytes / looksAtMemory);
  }

  /** Keeps the counts as they are and makes every further act come past the slow path. */
  #freeze(): void {
    this.#operationsBehind = this.operations;
    this.#bytesBehind = this.bytes;
    this.#operationsChunk = 0;
    this.#bytesChunk = 0;
    this.left = 0;
    this.#bytesLeft = 0;
  }

  #setOperationsChunk(): void {
    const left = this.#limits.operations - this.#operationsBehind;
    this.#operationsChunk = Math.max(0, Math.min(this.#operationsBetweenLooks, left));
    this.left = this.#operationsChunk;
  }

  #setBytesChunk(): void {
    this.#bytesChunk = bytesChunk;
    this.#bytesLeft = bytesChunk;
  }
}

const unlimited: Required<MeterLimits> = {
  operations: Number.POSITIVE_INFINITY,
  memoryBytes: Number.POSITIVE_INFINITY,
  roomBytes: () => Number.POSITIVE_INFINITY,
  callDepth: 1_000,
  interrupted: () => null,
};
