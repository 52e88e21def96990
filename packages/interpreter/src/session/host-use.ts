// Measures the time and the heap that an execution uses. Decides when the host's event loop must
// run, and when the execution has used too much.

import { cpuMsOfHost } from "../cpu-time.ts";
import type { InterpreterLimits } from "../interpreter-limits.ts";
import type { Meter } from "../limits.ts";
import type { HeapGrowth } from "./heap-growth.ts";
import { type MemoryBounds, memoryRoom } from "./memory-room.ts";

// How long a turn may run before the host's event loop must run. It is long enough to cost little,
// and short enough that an abort takes effect soon.
const sliceMs = 10;
// A single operation may exceed the time limit by this many ms. If its estimated time exceeds the
// limit by more, the operation is not started.
const maxMsPastLimit = 100;
// The time between two measurements of the heap's size. A measurement takes about 50 µs. Between
// two measurements, a program can allocate about 50 MB.
const msBetweenHeapReadings = 10;
// The heap is also measured at the end of each turn that took longer than this.
const msBeforeLastReading = 4;
// The estimated time of garbage collection in other threads. The collector copies the live data of
// a program, which takes up to 2 ms for each MB.
const collectorMsPerByte = 2 / 2 ** 20;

/** The time and the heap that one execution uses. */
export class HostUse {
  readonly #meter: Meter;
  readonly #limits: Required<InterpreterLimits>;
  /** Returns how many more bytes may be allocated; see `memoryRoom`. */
  readonly roomBytes: (allocatedBytes: number, bytes?: number) => number;
  /**
   * How many bytes the program may allocate before its room is first checked. If earlier executions
   * filled the memory, it is checked at once. Otherwise each execution could add some more.
   */
  readonly uncheckedBytes: number;
  readonly #readHeldBytes: (collects?: boolean) => number;
  // The host's clock. It is stored here because each turn reads it twice, and some hosts run code
  // whenever the global `performance` is read.
  readonly #clock: Performance = performance;
  /** The time of all finished turns, in ms. */
  #usedMs = 0;
  #turnStart = 0;
  #isInTurn = false;
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
  readonly #growth: HeapGrowth;
  /** The growth of the heap in earlier executions. */
  readonly #grownBefore: number;

  constructor(meter: Meter, limits: Required<InterpreterLimits>, memory: MemoryBounds) {
    this.#meter = meter;
    this.#limits = limits;
    this.#growth = memory.growth;
    this.uncheckedBytes =
      limits.memoryBytes === Number.POSITIVE_INFINITY ? limits.memoryBytes : memory.heldBytes - memory.growth.bytes;
    this.#grownBefore = memory.growth.bytes;
    this.#readHeldBytes = (collects) => {
      const heldBytes = memory.readHeldBytes(collects);
      this.#growth.note(heldBytes, meter.bytes);
      return heldBytes + meter.unreportedBytes;
    };
    this.roomBytes = memoryRoom({ ...memory, readHeldBytes: this.#readHeldBytes });
  }

  /** Records that the execution's code starts to run. */
  beginTurn(): void {
    this.#turnStart = this.#clock.now();
    this.#isInTurn = true;
    this.#growth.othersRan();
  }

  /**
   * Records that the execution's code stops running. Does nothing if that was recorded before,
   * because the execution has ended.
   */
  endTurn(): void {
    if (!this.#isInTurn) return;
    this.#isInTurn = false;
    const turnMs = this.#clock.now() - this.#turnStart;
    this.#usedMs += turnMs;
    if (turnMs > msBeforeLastReading && this.#limits.memoryBytes < Number.POSITIVE_INFINITY) this.#readHeldBytes();
  }

  /** Records that other code has run during a turn, such as a tool. */
  othersRan(): void {
    this.#growth.othersRan();
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
    const grownBytes = Math.max(0, this.#growth.bytes - this.#grownBefore);
    if (usedMs + grownBytes * collectorMsPerByte <= guestTimeMs) return null;
    // The elapsed time plus the estimate exceeds the limit. But the execution is stopped only if
    // the process has also used that much CPU time. If the host does not report CPU time, only the
    // elapsed time counts, without the estimate.
    const cpuMs = cpuMsOfHost() + Math.max(0, aheadMs - maxMsPastLimit);
    const isOver = cpuMs === Number.POSITIVE_INFINITY ? usedMs > guestTimeMs : cpuMs - this.#cpuStartMs > guestTimeMs;
    return isOver ? "guest-time" : null;
  }

  /**
   * Says whether the program holds too much memory. Some operations, such as the first read of a
   * long concatenated string, allocate more than is counted. So the memory is checked periodically.
   */
  #hasOutgrownMemory(usedMs: number): boolean {
    if (this.#limits.memoryBytes === Number.POSITIVE_INFINITY) return false;
    this.#nextHeapReadingMs = usedMs + msBetweenHeapReadings;
    return this.roomBytes(this.#meter.bytes) < 0;
  }
}
