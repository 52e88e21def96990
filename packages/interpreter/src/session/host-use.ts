// Measures the time and the heap that an execution uses. Decides when the host's event loop must
// run, and when the execution has used too much.

import { cpuMsOfHost } from "../cpu-time.ts";
import type { InterpreterLimits } from "../interpreter-limits.ts";
import type { Meter } from "../limits.ts";
import { type MemoryBounds, memoryRoom } from "./memory-room.ts";

// How long a turn may run before the host's event loop must run. It is long enough to cost little,
// and short enough that an abort takes effect soon.
const sliceMs = 10;
// A single operation may end up to this many ms after the time limit. An operation whose estimated
// end is later is not started.
const maxMsPastLimit = 100;
// The time between two measurements of the heap's size. A measurement takes about 50 µs. Between
// two measurements, a program can allocate about 50 MB.
const msBetweenHeapReadings = 10;
// The estimated time of garbage collection in other threads. The collector copies the live data of
// a program, which takes up to 2 ms for each MB.
const collectorMsPerByte = 2 / 2 ** 20;

/** The time and the heap that one execution uses. */
export class HostUse {
  readonly #meter: Meter;
  readonly #limits: Required<InterpreterLimits>;
  /** Returns how many more bytes may be allocated. */
  readonly roomBytes: (allocatedBytes: number) => number;
  // The host's clock. It is stored here because each turn reads it twice, and some hosts run code
  // whenever the global `performance` is read.
  readonly #clock: Performance = performance;
  /** The time of all finished turns, in ms. */
  #usedMs = 0;
  #turnStart = 0;
  /**
   * The estimated time that the host needed to transfer the program's calls to the tools, in ms.
   */
  #callsMs = 0;
  /**
   * When `#usedMs` reaches this value, the next delivery waits until the host's event loop has run.
   */
  #sliceEndMs = sliceMs;
  /** The CPU time of the process when the execution began; null before it is first needed. */
  #cpuStartMs: number | null = null;
  #nextHeapReadingMs = msBetweenHeapReadings;
  /** The last measurement of the heap's size; null before the first. */
  #lastHeapReading: HeapReading | null = null;
  /** How many bytes the program has added to the heap since the first measurement. */
  #grownBytes = 0;

  constructor(meter: Meter, limits: Required<InterpreterLimits>, memory: MemoryBounds) {
    this.#meter = meter;
    this.#limits = limits;
    const readHeldBytes = (): number => this.#noteHeldBytes(memory.readHeldBytes()) + meter.unreportedBytes;
    this.roomBytes = memoryRoom({ ...memory, readHeldBytes });
  }

  /** Records that the execution's code starts to run. */
  beginTurn(): void {
    this.#turnStart = this.#clock.now();
  }

  /** Records that the execution's code stops running. */
  endTurn(): void {
    this.#usedMs += this.#clock.now() - this.#turnStart;
  }

  /** Counts the time that the host needs to transfer a call to its tool. */
  addCall(ms: number): void {
    this.#callsMs += ms;
  }

  /** Records that the host's event loop has run. */
  beginSlice(): void {
    this.#sliceEndMs = this.#usedMs + sliceMs;
  }

  /**
   * Whether the turns since the host's event loop last ran filled a whole slice, so the event loop
   * must run again.
   */
  get isSliceOver(): boolean {
    return this.#usedMs >= this.#sliceEndMs;
  }

  /** Whether the current turn alone took longer than a slice. */
  get isTurnLong(): boolean {
    return this.#clock.now() - this.#turnStart > sliceMs;
  }

  /**
   * Returns the limit that the execution exceeds now, or would exceed after a step of `aheadMs`;
   * null if there is none.
   */
  excess(aheadMs: number): "memory" | "guest-time" | null {
    const { guestTimeMs } = this.#limits;
    const turnMs = this.#clock.now() - this.#turnStart;
    const usedMs = this.#usedMs + turnMs + this.#callsMs + Math.max(0, aheadMs - maxMsPastLimit);
    if (usedMs > this.#nextHeapReadingMs && this.#hasOutgrownMemory(usedMs)) return "memory";
    if (usedMs <= Math.min(sliceMs, guestTimeMs)) return null;
    // Reading the CPU time takes longer than many programs run. So the CPU time is first read after
    // one slice. For that slice, the elapsed time is used instead.
    this.#cpuStartMs ??= cpuMsOfHost() - Math.min(usedMs, sliceMs);
    // Garbage collection for the program also runs in other threads. The program does not wait for
    // it, so its estimated time is added here.
    if (usedMs + this.#grownBytes * collectorMsPerByte <= guestTimeMs) return null;
    // The elapsed time plus the estimate exceeds the limit. But the execution is stopped only if
    // the process has also used that much CPU time. If the host does not report CPU time, only the
    // elapsed time counts, without the estimate.
    const cpuMs = cpuMsOfHost() + Math.max(0, aheadMs - maxMsPastLimit);
    const isOver = cpuMs === Number.POSITIVE_INFINITY ? usedMs > guestTimeMs : cpuMs - this.#cpuStartMs > guestTimeMs;
    return isOver ? "guest-time" : null;
  }

  /**
   * Says whether the program holds too much memory. Checked periodically, because some operations
   * allocate more than is counted, such as the first read of a long concatenated string.
   */
  #hasOutgrownMemory(usedMs: number): boolean {
    if (this.#limits.memoryBytes === Number.POSITIVE_INFINITY) return false;
    this.#nextHeapReadingMs = usedMs + msBetweenHeapReadings;
    return this.roomBytes(this.#meter.bytes) < 0;
  }

  #noteHeldBytes(heldBytes: number): number {
    if (heldBytes === Number.POSITIVE_INFINITY) return heldBytes;
    const look = { heldBytes, allocatedBytes: this.#meter.bytes, turnStart: this.#turnStart };
    if (this.#lastHeapReading) this.#grownBytes = Math.max(0, this.#grownBytes + growth(this.#lastHeapReading, look));
    this.#lastHeapReading = look;
    return heldBytes;
  }
}

/** One reading of the heap. */
interface HeapReading {
  readonly heldBytes: number;
  readonly allocatedBytes: number;
  readonly turnStart: number;
}

/**
 * Returns how many bytes the program added to the heap between two measurements. If another turn
 * ran between them, that turn may have added bytes too. In that case, the result is at most what
 * the program allocated.
 */
function growth(from: HeapReading, to: HeapReading): number {
  const added = to.heldBytes - from.heldBytes;
  return from.turnStart === to.turnStart ? added : Math.min(added, to.allocatedBytes - from.allocatedBytes);
}
