// Measures what an execution uses of its host: time, turn by turn, and heap. It decides when the
// host's event loop gets its turn, and when the execution has used too much.

import { cpuMsOfHost } from "../cpu-time.ts";
import type { InterpreterLimits } from "../interpreter-limits.ts";
import type { Meter } from "../limits.ts";
import { type MemoryBounds, memoryRoom } from "./memory-room.ts";

// Long enough that giving way costs nothing, short enough that an abort is soon heard.
const sliceMs = 10;
// By so much an act that was begun in time may end after it.
const mostMsPastLimit = 100;
// To ask for the heap takes some 50 µs, and to fill 50 MB of it about this long.
const msBetweenHeapLooks = 10;
// The garbage collector moves what a program keeps. It does so in other threads too, which take up
// to 2 ms for each MB.
const collectorMsPerByte = 2 / 2 ** 20;

/** The use that one execution makes of its host. */
export class HostUse {
  readonly #meter: Meter;
  readonly #limits: Required<InterpreterLimits>;
  /** How many bytes may be allocated besides those that were. */
  readonly roomBytes: (allocatedBytes: number) => number;
  // Each turn looks at it twice, and some hosts run code whenever the global is read.
  readonly #clock: Performance = performance;
  /** The time of the turns that are over. */
  #usedMs = 0;
  #turnStart = 0;
  /** What may be used before the next call that is settled gives way to the host's event loop. */
  #sliceEndMs = sliceMs;
  /** The processor's time when this began; null as long as nobody had to know. */
  #cpuStartMs: number | null = null;
  #nextHeapLookMs = msBetweenHeapLooks;
  /** The last look at the heap; null before the first. */
  #heapLook: HeapLook | null = null;
  /** How many bytes the program added to the heap since the first look. */
  #grownBytes = 0;

  constructor(meter: Meter, limits: Required<InterpreterLimits>, memory: MemoryBounds) {
    this.#meter = meter;
    this.#limits = limits;
    this.roomBytes = memoryRoom({ ...memory, readHeldBytes: () => this.#noteHeldBytes(memory.readHeldBytes()) });
  }

  /** From now on the execution has the thread. */
  beginTurn(): void {
    this.#turnStart = this.#clock.now();
  }

  /** The execution leaves the thread to others. */
  endTurn(): void {
    this.#usedMs += this.#clock.now() - this.#turnStart;
  }

  /** The host's event loop has had its turn. */
  beginSlice(): void {
    this.#sliceEndMs = this.#usedMs + sliceMs;
  }

  /** Whether the turns since the host's event loop had one took so long that it is due. */
  get isSliceOver(): boolean {
    return this.#usedMs >= this.#sliceEndMs;
  }

  /** Whether this turn alone took so long. */
  get isTurnLong(): boolean {
    return this.#clock.now() - this.#turnStart > sliceMs;
  }

  /**
   * Of what the execution took too much, or would take with an act of `aheadMs`; null when it did
   * not.
   */
  excess(aheadMs: number): "memory" | "guest-time" | null {
    const { guestTimeMs } = this.#limits;
    const usedMs = this.#usedMs + this.#clock.now() - this.#turnStart + Math.max(0, aheadMs - mostMsPastLimit);
    if (usedMs > this.#nextHeapLookMs && this.#hasOutgrownMemory(usedMs)) return "memory";
    if (usedMs <= Math.min(sliceMs, guestTimeMs)) return null;
    // Not asked before, for that takes longer than many a program: for a slice the clock on the
    // wall will do, and for no longer.
    this.#cpuStartMs ??= cpuMsOfHost() - Math.min(usedMs, sliceMs);
    // The program causes the work of the collector's threads, though its own does not wait for it.
    if (usedMs + this.#grownBytes * collectorMsPerByte <= guestTimeMs) return null;
    // That is time on the wall, and an estimate. They count only if the process used as much time
    // of the processor. Where the host does not report it, the estimate does not count.
    const cpuMs = cpuMsOfHost() + Math.max(0, aheadMs - mostMsPastLimit);
    const isOver = cpuMs === Number.POSITIVE_INFINITY ? usedMs > guestTimeMs : cpuMs - this.#cpuStartMs > guestTimeMs;
    return isOver ? "guest-time" : null;
  }

  /**
   * Some acts make the host keep more than is counted for them, as when a long text that was joined
   * is read for the first time.
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

/** What a look at the heap found. */
interface HeapLook {
  readonly heldBytes: number;
  readonly allocatedBytes: number;
  readonly turnStart: number;
}

/**
 * Between two turns others add to the heap too, but the program added at most what it allocated.
 */
function growth(from: HeapLook, to: HeapLook): number {
  const added = to.heldBytes - from.heldBytes;
  return from.turnStart === to.turnStart ? added : Math.min(added, to.allocatedBytes - from.allocatedBytes);
}
