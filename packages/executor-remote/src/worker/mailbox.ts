// Sends messages through shared memory, in pieces, to a worker that does not return to its event
// loop.
//
// Two numbers precede the bytes. The first number is the state: 0 if there is no piece, 1 for the
// last piece of a message, 2 if another piece follows. The second number is the length of the
// piece. The host writes a piece when the state is 0. The worker takes the piece, and reports this
// with an ordinary message, which a worker can send even while it waits.

const headerBytes = 8;

/** The maximum number of bytes of one piece. */
const pieceBytes = 1 << 20;

/** Creates the memory for a mailbox. */
export const createMailbox = (): SharedArrayBuffer => new SharedArrayBuffer(headerBytes + pieceBytes);

/** The host's side: writes messages into the mailbox, one after another. */
export class MailboxWriter {
  readonly #state: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #pieces: { readonly bytes: Uint8Array; readonly isLast: boolean }[] = [];

  constructor(memory: SharedArrayBuffer) {
    this.#state = new Int32Array(memory, 0, 2);
    this.#bytes = new Uint8Array(memory, headerBytes);
  }

  post(text: string): void {
    const bytes = new TextEncoder().encode(text);
    for (let from = 0; from < bytes.length || from === 0; from += pieceBytes) {
      this.#pieces.push({ bytes: bytes.subarray(from, from + pieceBytes), isLast: from + pieceBytes >= bytes.length });
    }
    this.write();
  }

  /** Writes the next piece, if there is room. Call it when the worker has taken a piece. */
  write(): void {
    const [next] = this.#pieces;
    if (next === undefined || Atomics.load(this.#state, 0) !== 0) return;
    this.#pieces.shift();
    this.#bytes.set(next.bytes);
    Atomics.store(this.#state, 1, next.bytes.length);
    Atomics.store(this.#state, 0, next.isLast ? 1 : 2);
    Atomics.notify(this.#state, 0);
  }
}

/** The worker's side: waits for the next message. */
export class MailboxReader {
  readonly #state: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #taken: () => void;
  #parts: Uint8Array[] = [];

  /** @param taken - reports to the host that a piece was taken */
  constructor(memory: SharedArrayBuffer, taken: () => void) {
    this.#state = new Int32Array(memory, 0, 2);
    this.#bytes = new Uint8Array(memory, headerBytes);
    this.#taken = taken;
  }

  /**
   * Waits for a whole message and returns it. Returns null on a timeout, or if an old signal has
   * ended the wait early. A signal is old if its piece was already taken. This happens when the
   * host is delayed between writing a piece and sending its signal.
   *
   * @param timeoutMs - negative for no limit
   */
  read(timeoutMs: number): string | null {
    for (;;) {
      if (Atomics.load(this.#state, 0) === 0) {
        Atomics.wait(this.#state, 0, 0, timeoutMs < 0 ? Number.POSITIVE_INFINITY : timeoutMs);
        if (Atomics.load(this.#state, 0) === 0) return null;
      }
      const isLast = Atomics.load(this.#state, 0) === 1;
      this.#parts.push(this.#bytes.slice(0, Atomics.load(this.#state, 1)));
      Atomics.store(this.#state, 0, 0);
      this.#taken();
      if (isLast) return this.#text();
    }
  }

  #text(): string {
    const parts = this.#parts;
    this.#parts = [];
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return new TextDecoder().decode(bytes);
  }
}
