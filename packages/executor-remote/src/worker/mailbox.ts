// Messages to a worker that does not return to its event loop, through shared memory, in pieces.
//
// Two numbers come before the bytes: whether a piece is there (0: none, 1: the last of its message,
// 2: another follows), and its length. The host writes a piece when there is none; the worker takes
// it and says so by an ordinary message, which a worker that waits can still send.

const headerBytes = 8;

/** How many bytes one piece has at most. */
const pieceBytes = 1 << 20;

/** Makes the memory for a mailbox. */
export const createMailbox = (): SharedArrayBuffer => new SharedArrayBuffer(headerBytes + pieceBytes);

/** The host's side: puts messages in, one after the other. */
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

  /** Puts the next piece in, if there is room; to be called when the worker has taken one. */
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

  /** @param taken - tells the host that a piece was taken */
  constructor(memory: SharedArrayBuffer, taken: () => void) {
    this.#state = new Int32Array(memory, 0, 2);
    this.#bytes = new Uint8Array(memory, headerBytes);
    this.#taken = taken;
  }

  /**
   * Waits for a whole message and returns it, or null when none came: the time is over, or the
   * waiting ended early. The host may be held up between a piece and its signal, so that the signal
   * comes when the piece was taken already.
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
