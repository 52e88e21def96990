// The meter: counts what a program uses and stops it at its limits.
//
// Counters on hot paths stay below 2^30, so that the engine keeps them as small integers. They
// count down a chunk of operations or bytes. When the chunk is used up, a slow path starts a new
// one, and checks the clock and the abort signal. Once a limit has been reached, every attempt to
// count something stops the program again. So its `finally` blocks do not run.
//
// Bytes are counted when they are allocated; no host reports when they are freed. So the meter
// periodically asks how many more bytes may be allocated (memory-room.ts). The answer differs from
// run to run, so a replay does not ask: it stops by the count of operations. To make this possible,
// each chunk of bytes also counts some operations, at points that depend only on the program. A
// stop for memory comes right before these operations.

import type { StopReason } from "@smolts/protocol";
import type { Position } from "./guest-throw.ts";
import { keepReferences, longNumberList } from "./long-lists.ts";

/** The limits of one execution. `Infinity` turns a limit off. */
export interface MeterLimits {
  /** The most loop iterations, calls and iterations within built-ins. */
  readonly operations?: number;
  /** The most bytes that may be allocated, by estimate. */
  readonly memoryBytes?: number;
  /**
   * Returns how many more bytes may be allocated. `bytes` will be allocated next. Called each time
   * that an eighth of `memoryBytes` was allocated, and the first time after `uncheckedBytes`.
   *
   * @defaultValue the rest of `memoryBytes`
   */
  readonly roomBytes?: (allocatedBytes: number, bytes: number) => number;
  /** How many bytes may be allocated before `roomBytes` is first called. */
  readonly uncheckedBytes?: number;
  /** The deepest nesting of calls. */
  readonly callDepth?: number;
  /**
   * Called periodically. Returns a reason to stop, such as `aborted` or `guest-time`, or null to
   * continue. `aheadMs` is the estimated time of the next step.
   */
  readonly interrupted?: (aheadMs: number) => StopReason | null;
  /**
   * Set for work that no time limit can end, so that the limit on operations ends it. {@link
   * Meter.requireTime} and {@link Meter.checkClockSooner} then count all the operations that they
   * are called with.
   */
  readonly hasNoClock?: boolean;
}

/**
 * Why an execution ended before its program did: a limit, the program's call of `finalAnswer`, or
 * an import that is not allowed.
 */
export type BreachReason = StopReason | "final-answer" | "import-refused";

/**
 * Thrown to end an execution early. Guest code cannot catch it, and none of its `finally` blocks
 * runs.
 */
export class Breach {
  readonly reason: BreachReason;
  /** The position of the innermost code that was ended, as far as known; null while unknown. */
  position: Position | null = null;

  constructor(reason: BreachReason) {
    this.reason = reason;
  }
}

// The maximum number of operations between two checks of the clock. The actual number is small at
// first, so that a time limit takes effect soon even if operations are slow. It grows while
// operations are quick. It has no effect on the count of operations.
const maxBetweenClockChecks = 10_000;
const minBetweenClockChecks = 16;
const msBetweenClockChecks = 2;
// With long prototype chains, the number is smaller. One operation can search a chain more than a
// hundred times, so this many objects take the host about 100 ms.
const maxLinksBetweenClockChecks = 1 << 16;
// The estimated host time of one operation, in ms. A step that would take longer than the remaining
// time is not started.
export const msOfOperation: number = 50e-6;
const bytesChunk = 1 << 16;
const uncountedRoom = 2 ** 30 - 1;
// How many bytes the host can allocate, move and free in the time of one operation.
const bytesPerOperation = 48;
// The minimum number of property stores in a sample. A random-looking number of at most 63 is
// added.
const minStoresPerSample = 32;
// The meter asks how many more bytes may be allocated each time that the program has allocated an
// eighth of its memory limit. The counted bytes are only an estimate, and may be far too low. An
// eighth is small enough to notice this in time.
const memoryChecksPerLimit = 8;

// The bytes of one list element, including spare room in the list.
const bytesOfElement = 12;
const longList = 1 << 16;
// When a list grows beyond this many elements, the host allocates room for many more.
const maxUngrownLength = 4;
const bytesOfFirstGrowth = 96;
// The longest list that the host copies when it grows. The host stores longer lists as hash tables.
const maxListLength = 1 << 27;

/** Returns the bytes of the elements of a new list, including spare room in it. */
export function bytesOfElements(count: number): number {
  return bytesOfElement * count + (count > maxUngrownLength ? bytesOfFirstGrowth : 0);
}

// The meter of the guest code that runs now. Only one guest runs at a time, because all share one
// thread. Functions that convert values do not know their realm, so they use this meter.
let current: Meter | null = null;
let meterChanges = 0;

/** Sets the meter of the guest code that runs now. */
export function makeCurrent(meter: Meter): void {
  if (meter !== current) meterChanges++;
  current = meter;
}

/** Returns the meter of the guest code that runs now. */
export function currentMeter(): Meter | null {
  return current;
}

/**
 * Returns how often the current meter has changed. If the number is the same later, no other guest
 * ran in between.
 */
export function currentMeterChanges(): number {
  return meterChanges;
}

/** Counts operations for the guest code that runs now. */
export function chargeGuest(count: number): void {
  current?.charge(count);
}

// The longest text that can be read at no extra cost, because the cost of one operation already
// includes it.
const shortText = 512;
// How many characters the host compares, converts or hashes in the time of one operation.
const charactersPerOperation = 32;

/** Charges the running guest code for characters that the host compares, converts or hashes. */
export function chargeReading(characters: number): void {
  if (characters > shortText) current?.charge(Math.ceil(characters / charactersPerOperation));
}

/**
 * For the guest code that runs now: makes the next check of the clock happen sooner. See {@link
 * Meter.checkClockSooner}.
 */
export function checkClockSooner(count: number): void {
  current?.checkClockSooner(count);
}

/**
 * For the guest code that runs now: ends the execution if there is not enough memory left for these
 * bytes. See {@link Meter.requireRoom}.
 */
export function requireRoom(bytes: number): void {
  current?.requireRoom(bytes);
}

/**
 * For the guest code that runs now: prepares for work that takes the host about as long as this
 * many operations. Counts one operation, and ends the execution if there is too little time. See
 * {@link Meter.requireTime}.
 */
export function requireTime(operations: number): void {
  current?.requireTime(operations);
  current?.checkClockSooner(operations);
}

/**
 * Counts what one execution uses. Each session has one meter, which is reset for each execution.
 */
export class Meter {
  /** The operations left in this chunk. Hot paths do `if (--meter.left < 0) meter.refill()`. */
  left = 0;
  /**
   * How many guest calls are nested now. Hot paths do
   * `if (++meter.depth > meter.maxDepth) meter.end(new NestingBreach(callee))`.
   */
  depth = 0;
  maxDepth = 1_000;
  /**
   * The number of property assignments to skip before the next one is examined: see
   * operations/object-bytes.ts.
   */
  storesLeft = 0;
  /** The computed keys of the assignments that were examined. A new key costs more memory. */
  readonly sampledKeys: Set<string | symbol> = new Set();
  #storesPerSample = 0;
  #sampleSeed = 0;
  #bytesLeft = 0;
  #operationsBefore = 0;
  #bytesBefore = 0;
  #unreportedBytes = 0;
  #hostBytes = 0;
  /** The meter must ask again for permission when the program has allocated this many bytes. */
  #bytesAllowed = 0;
  #operationsChunk = 0;
  #bytesChunk = 0;
  #operationsBetweenClockChecks = minBetweenClockChecks;
  #checkedAt = 0;
  #longestChain = 1;
  // The host's clock. It is stored here, because some hosts run code whenever the global variable
  // `performance` is read.
  readonly #clock: Performance = performance;
  #limits: Required<Omit<MeterLimits, "uncheckedBytes">> = unlimited;
  #breach: Breach | null = null;

  /** Starts counting from zero. */
  start({
    operations = Number.POSITIVE_INFINITY,
    memoryBytes = Number.POSITIVE_INFINITY,
    roomBytes = (allocatedBytes) => memoryBytes - allocatedBytes,
    uncheckedBytes = memoryBytes,
    callDepth = 1_000,
    interrupted = () => null,
    hasNoClock = false,
  }: MeterLimits = {}): void {
    this.#limits = { operations, memoryBytes, roomBytes, callDepth, interrupted, hasNoClock };
    this.#breach = null;
    this.depth = 0;
    this.#storesPerSample = 0;
    this.#sampleSeed = 0;
    this.sampledKeys.clear();
    this.maxDepth = Math.min(callDepth, 2 ** 30 - 1);
    this.#operationsBefore = 0;
    this.#bytesBefore = 0;
    this.#unreportedBytes = 0;
    this.#hostBytes = 0;
    this.#bytesAllowed = Math.min(memoryBytes / memoryChecksPerLimit, uncheckedBytes);
    this.#operationsBetweenClockChecks = minBetweenClockChecks;
    this.#checkedAt = this.#clock.now();
    this.#setOperationsChunk();
    this.#setBytesChunk();
    this.nextSample();
  }

  /** The number of operations counted so far. */
  get operations(): number {
    return this.#operationsBefore + this.#operationsChunk - Math.max(0, this.left);
  }

  /** The number of bytes counted so far. */
  get bytes(): number {
    return this.#bytesBefore + this.#bytesChunk - this.#bytesLeft;
  }

  /**
   * How many of the counted bytes are outside the host's heap, where the host does not report them.
   */
  get unreportedBytes(): number {
    return this.#unreportedBytes;
  }

  /** The counted bytes of host objects that guest objects keep in memory. */
  get hostBytes(): number {
    return this.#hostBytes;
  }

  /** Why the execution was ended early; null if it was not. */
  get breach(): Breach | null {
    return this.#breach;
  }

  /** Counts `count` operations. Call it before the work is done. */
  charge(count: number): void {
    if (count <= this.left) this.left -= count;
    else this.#chargePastChunk(count);
  }

  /**
   * Makes the next check of the clock happen sooner, as if `count` more operations had been done,
   * but does not count them. Call it for work that may take long and whose time is hard to
   * estimate.
   */
  checkClockSooner(count: number): void {
    if (this.#limits.hasNoClock) return this.charge(Math.ceil(count));
    const skipped = Math.min(Math.ceil(count), this.left);
    if (skipped <= 0) return;
    this.left -= skipped;
    this.#operationsChunk -= skipped;
  }

  /** Records the length of a prototype chain. It stays recorded for later executions. */
  noteChain(length: number): void {
    if (length <= this.#longestChain) return;
    this.#longestChain = length;
    this.checkClockSooner(length);
  }

  /**
   * Runs work that is not part of the program, and does not count it. No limit can stop this work,
   * so it must be short.
   */
  withoutCounting(work: () => void): void {
    const { left, storesLeft } = this;
    const bytesLeft = this.#bytesLeft;
    const operationsChunk = this.#operationsChunk;
    this.left = uncountedRoom;
    this.storesLeft = uncountedRoom;
    this.#bytesLeft = uncountedRoom;
    try {
      work();
    } finally {
      this.left = left;
      this.storesLeft = storesLeft;
      this.#bytesLeft = bytesLeft;
      this.#operationsChunk = operationsChunk;
    }
  }

  /** Counts bytes. Call it before they are allocated. */
  allocate(bytes: number): void {
    if (bytes <= this.#bytesLeft) this.#bytesLeft -= bytes;
    else this.#allocatePastChunk(bytes);
  }

  /**
   * Counts one more element of a list of this length, before it is added. When a list grows, the
   * host copies it and needs memory for both copies. So for a long list, this periodically checks
   * that there is enough memory.
   */
  allocateElement(list: object, length: number): void {
    this.allocate(bytesOfElement);
    if (length >= longList && length <= maxListLength && length % longList === 0) this.#extendLongList(list, length);
  }

  /**
   * Counts the elements of a new list. The host copies the list while it grows. So for a long list,
   * this checks that there is memory for two copies.
   */
  allocateElements(count: number): void {
    if (count >= longList) this.requireRoom(2 * bytesOfElement * count);
    this.allocate(bytesOfElements(count));
  }

  /**
   * Begins the next sample of property stores. Returns the length of the sample that ended. The
   * length of the next sample is computed from the current counts. No program can read the counts,
   * so no program can find out which stores are examined. But the counts are the same on every
   * host, so every host examines the same stores.
   */
  nextSample(): number {
    const stores = this.#storesPerSample;
    const mixed = Math.imul(this.#sampleSeed ^ this.operations ^ (this.bytes << 7), 0x735a_2d97);
    this.#sampleSeed = (mixed ^ (mixed >>> 15)) + 1;
    this.#storesPerSample = minStoresPerSample + (mixed >>> 26);
    this.storesLeft = this.#storesPerSample - 1;
    return stores;
  }

  /**
   * Counts bytes outside the host's heap, because the host does not report them. The meter assumes
   * that they are not freed before the execution ends.
   */
  allocateUnreported(bytes: number): void {
    this.allocate(bytes);
    this.#unreportedBytes += bytes;
    if (this.#unreportedBytes > this.#limits.memoryBytes) this.stop("memory");
    this.charge(1);
  }

  /**
   * Counts the bytes of a host object that a guest object keeps in memory, because the host does
   * not report them. If the guest object outlives the execution, these bytes stay in use: see
   * `Slots.hostBytes`.
   */
  allocateHostObject(bytes: number): void {
    this.allocateUnreported(bytes);
    this.#hostBytes += bytes;
  }

  /**
   * Counts one operation before work that cannot be interrupted and takes the host about as long as
   * this many operations. Ends the execution if the remaining time is too short for the work.
   */
  requireTime(operations: number): void {
    if (this.#limits.hasNoClock) this.charge(Math.ceil(operations));
    else if (operations > maxBetweenClockChecks) this.#chargePastChunk(1, operations);
    else this.charge(1);
  }

  /**
   * Ends the execution if there is not enough time or memory for work that takes the host about as
   * long as this many operations. Counts nothing, so the caller must count an operation right
   * after, as for {@link checkClock}.
   */
  require(operations: number, bytes: number): void {
    if (this.#breach) throw this.#breach;
    if (this.bytes + bytes > this.#bytesAllowed) this.#makeRoom(this.bytes, bytes);
    const reason = this.#limits.interrupted(operations * msOfOperation);
    if (reason !== null) this.stop(reason);
    this.checkClockSooner(operations);
  }

  /**
   * Ends the execution if it was aborted or is out of time. Counts nothing, so the caller must
   * count an operation before anything that the program can notice. Then a replay stops at the same
   * point.
   */
  checkClock(): void {
    if (this.#breach) throw this.#breach;
    const reason = this.#limits.interrupted(0);
    if (reason !== null) this.stop(reason);
  }

  /**
   * Starts a new chunk; called when `left` fell below zero. Returns how many operations the old
   * chunk had.
   */
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

  /** Ends the execution early, with a {@link Breach} that may contain more than a reason. */
  end(breach: Breach): never {
    this.#breach ??= breach;
    this.#freeze();
    throw this.#breach;
  }

  #chargePastChunk(count: number, ahead: number = count): void {
    if (this.#breach) throw this.#breach;
    const used = this.operations;
    if (used + count > this.#limits.operations) this.stop("operations");
    // The work is counted only after this check. So if the check stops the execution, a replay,
    // which stops at the same count, also stops before the work.
    const reason = this.#limits.interrupted(ahead * msOfOperation);
    if (reason !== null) this.stop(reason);
    this.#operationsBefore = used + count;
    this.#planNextClockCheck();
    this.#setOperationsChunk();
  }

  #planNextClockCheck(): void {
    const now = this.#clock.now();
    const passedMs = now - this.#checkedAt;
    this.#checkedAt = now;
    if (passedMs > 2 * msBetweenClockChecks) {
      this.#operationsBetweenClockChecks = Math.max(minBetweenClockChecks, this.#operationsBetweenClockChecks >> 2);
    } else if (passedMs < msBetweenClockChecks / 2) {
      this.#operationsBetweenClockChecks = Math.min(maxBetweenClockChecks, this.#operationsBetweenClockChecks << 1);
    }
  }

  #allocatePastChunk(bytes: number): void {
    if (this.#breach) throw this.#breach;
    const used = this.bytes;
    if (used + bytes > this.#bytesAllowed) this.#makeRoom(used, bytes);
    this.charge(Math.ceil((used + bytes - this.#bytesBefore) / bytesPerOperation));
    this.#bytesBefore = used + bytes;
    this.#setBytesChunk();
  }

  /**
   * Ends the execution if there is not enough memory left for this many bytes. Call it for memory
   * that is freed so soon that it is not counted. Also counts one operation: a replay stops by the
   * count of operations, so it can stop at this point only if an operation is counted here.
   */
  requireRoom(bytes: number): void {
    if (this.bytes + bytes > this.#bytesAllowed) this.#makeRoom(this.bytes, bytes);
    this.charge(1);
  }

  #extendLongList(list: object, length: number): void {
    this.requireRoom(length * bytesOfElement);
    if (length === longNumberList) keepReferences(list);
  }

  #makeRoom(used: number, bytes: number): void {
    const { roomBytes, memoryBytes } = this.#limits;
    const room = roomBytes(used, bytes);
    if (bytes > room) this.stop("memory");
    this.#bytesAllowed = used + Math.min(room, bytes + memoryBytes / memoryChecksPerLimit);
  }

  /**
   * Keeps the counts, but makes every later call that counts something take the slow path, which
   * ends the execution again.
   */
  #freeze(): void {
    this.#operationsBefore = this.operations;
    this.#bytesBefore = this.bytes;
    this.#operationsChunk = 0;
    this.#bytesChunk = 0;
    this.left = 0;
    this.#bytesLeft = 0;
  }

  #setOperationsChunk(): void {
    const left = this.#limits.operations - this.#operationsBefore;
    const searched = Math.ceil(maxLinksBetweenClockChecks / this.#longestChain);
    this.#operationsChunk = Math.max(0, Math.min(this.#operationsBetweenClockChecks, searched, left));
    this.left = this.#operationsChunk;
  }

  #setBytesChunk(): void {
    this.#bytesChunk = bytesChunk;
    this.#bytesLeft = bytesChunk;
  }
}

const unlimited: Required<Omit<MeterLimits, "uncheckedBytes">> = {
  operations: Number.POSITIVE_INFINITY,
  memoryBytes: Number.POSITIVE_INFINITY,
  roomBytes: () => Number.POSITIVE_INFINITY,
  callDepth: 1_000,
  interrupted: () => null,
  hasNoClock: false,
};
