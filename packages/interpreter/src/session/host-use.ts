// Measures the time and the heap that an execution uses. It decides when the host's event loop must
// run, and when the execution has used too much.

import { cpuMsOfHost } from "../cpu-time.ts";
import type { InterpreterLimits } from "../interpreter-limits.ts";
import type { Meter } from "../limits.ts";
import { type MemoryBounds, memoryRoom } from "./memory-room.ts";

// The time that a turn may take before the host's event loop must run. It is long enough to cost
// little, and short enough that an abort soon takes effect.
const sliceMs = 10;
// How far a single operation may run past the time limit, in ms. If its estimated end is later, it
// is not started.
const mostMsPastLimit = 100;
// The time between two readings of the heap. A reading takes some 50 µs, and a program needs about
// this time to fill 50 MB.
const msBetweenHeapLooks = 10;
// The time of garbage collection in other threads. The collector copies what a program keeps, for
// up to 2 ms for each MB.
const collectorMsPerByte = 2 / 2 ** 20;

/** The time and the heap that one execution uses. */
export class HostUse {
  readonly #meter: Meter;
  readonly #limits: Required<InterpreterLimits>;
  /** Returns how many more bytes may be allocated. */
  readonly roomBytes: (allocatedBytes: number) => number;
  // The host's clock. It is kept here, because each turn reads it twice, and some hosts run code at
  // each read of the global.
  readonly #clock: Performance = performance;
  /** The time of all finished turns, in ms. */
  #usedMs = 0;
  #turnStart = 0;
  /**
   * When `#usedMs` is this high, the next delivery waits until the host's event loop
   * has run.
   */
  #sliceEndMs = sliceMs;
  /** The CPU time of the process when the execution began; null before it is first needed. */
  #cpuStartMs: number | null = null;
  #nextHeapLookMs = msBetweenHeapLooks;
  /** The last reading of the heap; null before the first. */
  #heapLook: HeapLook | null = null;
  /** How many bytes the program has added to the heap since the first reading. */
  #grownBytes = 0;

  constructor(meter: Meter, limits: Required<InterpreterLimits>, memory: MemoryBounds) {
    this.#meter = meter;
    this.#limits = limits;
    const readHeldBytes = (): number => this.#noteHeldBytes(memory.readHeldBytes()) + meter.unreportedBytes;
    this.roomBytes = memoryRoom({ ...memory, readHeldBytes });
  }

  /** Notes that the execution's code starts to run. */
  beginTurn(): void {
    this.#turnStart = this.#clock.now();
  }

  /** Notes that the execution's code stops running. */
  endTurn(): void {
    this.#usedMs += this.#clock.now() - this.#turnStart;
  }

  /** Notes that the host's event loop has run. */
  beginSlice(): void {
    this.#sliceEndMs = this.#usedMs + sliceMs;
  }

  /**
   * Whether the turns since the host's event loop last ran took a whole slice, so that it must run
   * again.
   */
  get isSliceOver(): boolean {
    return this.#usedMs >= this.#sliceEndMs;
  }

  /** Whether the current turn alone took longer than a slice. */
  get isTurnLong(): boolean {
    return this.#clock.now() - this.#turnStart > sliceMs;
  }

  /**
   * Returns what the execution has used too much of, or would after a step of `aheadMs`; null if
   * nothing.
   */
  excess(aheadMs: number): "memory" | "guest-time" | null {
    const { guestTimeMs } = this.#limits;
    const usedMs = this.#usedMs + this.#clock.now() - this.#turnStart + Math.max(0, aheadMs - mostMsPastLimit);
    if (usedMs > this.#nextHeapLookMs && this.#hasOutgrownMemory(usedMs)) return "memory";
    if (usedMs <= Math.min(sliceMs, guestTimeMs)) return null;
    // Reading the CPU time takes longer than many programs do. So it is first read after one slice,
    // and for that slice the elapsed time counts.
    this.#cpuStartMs ??= cpuMsOfHost() - Math.min(usedMs, sliceMs);
    // The program also causes the collector's work in other threads, although the program does not
    // wait for it.
    if (usedMs + this.#grownBytes * collectorMsPerByte <= guestTimeMs) return null;
    // So far this is elapsed time plus an estimate. It counts only if the process also used that
    // much CPU time. Where the host does not report CPU time, the estimate is ignored.
    const cpuMs = cpuMsOfHost() + Math.max(0, aheadMs - mostMsPastLimit);
    const isOver = cpuMs === Number.POSITIVE_INFINITY ? usedMs > guestTimeMs : cpuMs - this.#cpuStartMs > guestTimeMs;
    return isOver ? "guest-time" : null;
  }

  /**
   * Whether the program holds more memory than it may. Checked now and then, because some
   * operations make the host keep more than is counted, such as the first read of a long
   * concatenated string.
   */
  #hasOutgrownMemory(usedMs: number): boolean {
    if (this.#limits.memoryBytes === Number.POSITIVE_INFINITY) return false;
    this.#nextHeapLookMs = usedMs + msBetweenHeapLooks;
    return this.roomBytes(this.#meter.bytes) < 0;
  }

  #noteHeldBytes(heldBytes: number): number {
    if (heldBytes === Number.POSITIVE_INFINITY) return heldBytes;
    const look = { heldBytes, allocatedBytes: this.#meter.bytes, turnStart: this.#turnStart };
    if (this.#heapLook) this.#grownBytes = Math.max(0, this.#grownBytes + growth(this.#heapLook, look));
    this.#heapLook = look;
    return heldBytes;
  }
}

/** One reading of the heap. */
interface HeapLook {
  readonly heldBytes: number;
  readonly allocatedBytes: number;
  readonly turnStart: number;
}

/**
 * Returns how many bytes the program added to the heap between two readings. If another turn ran
 * between them, other work may have added bytes too. Then the program added at most what it
 * allocated.
 */
function growth(from: HeapLook, to: HeapLook): number {
  const added = to.heldBytes - from.heldBytes;
  return from.turnStart === to.turnStart ? added : Math.min(added, to.allocatedBytes - from.allocatedBytes);
}
