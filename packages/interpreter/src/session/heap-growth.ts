// Tracks how much the executions of one session have added to the host's heap. The figure includes
// garbage until the host collects it. It is kept between executions: otherwise each execution could
// add as much as the limit allows to what earlier ones left behind.

/** The growth of the heap that one session caused. */
export class HeapGrowth {
  /** How many bytes the session has added to the heap. */
  bytes = 0;
  /** The size of the heap at the last reading. */
  #held: number;
  /** How many bytes the session had allocated at the last reading. */
  #allocated = 0;
  /** Whether other code may have run since the last reading. */
  #othersRan = false;
  /** How many bytes all finished executions have allocated. */
  #allocatedBefore = 0;

  constructor(heldBytes: number) {
    this.#held = heldBytes;
  }

  /** Records that other code may have run, such as a tool or the host's event loop. */
  othersRan(): void {
    this.#othersRan = true;
  }

  /** Records that an execution has ended, and how many bytes it allocated. */
  executionEnded(allocatedBytes: number): void {
    this.#allocatedBefore += allocatedBytes;
  }

  /**
   * Records a reading of the heap. `allocated` is what the current execution has allocated. Other
   * code that ran since the last reading may also have added bytes. In that case, the session added
   * at most what it allocated.
   */
  note(heldBytes: number, allocated: number): void {
    if (heldBytes === Number.POSITIVE_INFINITY) return;
    const added = heldBytes - this.#held;
    const counted = this.#allocatedBefore + allocated - this.#allocated;
    this.bytes = Math.max(0, this.bytes + (this.#othersRan ? Math.min(added, counted) : added));
    this.#held = heldBytes;
    this.#allocated += counted;
    this.#othersRan = false;
  }
}
