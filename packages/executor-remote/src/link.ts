// One end of the guest protocol: lines, frame numbers, acknowledgements and flow control. The host
// and the Node runner both use it.

import { acknowledgeDelayMs, bareTypes, frameLine } from "./frames.ts";

/** A frame as it was received: an object with a type. The receiver checks its other fields. */
export interface AnyFrame {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Callbacks of a link. */
export interface LinkEvents {
  /**
   * Called once for each numbered frame, in order. `line` is the text from which the frame was
   * read.
   */
  onMessage(frame: AnyFrame, line: string): void;
  /** Called for frames without a number: `hello`, `ping`, `pong` and `fatal`. */
  onBare(frame: AnyFrame): void;
  /** Called if the other side breaks the protocol. After that the link ignores all input. */
  onGarbage(why: string): void;
  /** Called when {@link Link.isFull} was true and there is room again. */
  onRoom?(): void;
}

/** Tells the other side to discard the incomplete line that it has read. */
const cancelCharacter = "\x18";

interface SentLine {
  readonly seq: number;
  readonly line: string;
}

/** One end of a connection. It survives the loss of the pipe. */
export class Link {
  readonly #events: LinkEvents;
  #write: ((text: string) => void) | null = null;
  #maxFrameBytes: number;
  #windowBytes: number;
  #received = 0;
  #acknowledged = 0;
  #sent = 0;
  /** The lines that were written but not acknowledged yet. */
  #unacknowledged: SentLine[] = [];
  #unacknowledgedBytes = 0;
  /**
   * The lines that have a number but were not written yet, because the window is full or no pipe is
   * attached.
   */
  #waiting: SentLine[] = [];
  #partial: string[] = [];
  #partialBytes = 0;
  #isBroken = false;
  /** True until both sides have sent `hello`. */
  #isPaused = true;
  #ackTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(limits: { readonly maxFrameBytes: number; readonly windowBytes: number }, events: LinkEvents) {
    this.#maxFrameBytes = limits.maxFrameBytes;
    this.#windowBytes = limits.windowBytes;
    this.#events = events;
  }

  /** The number of the last frame that was received. */
  get received(): number {
    return this.#received;
  }

  /** Whether a numbered frame would have to wait. */
  get isFull(): boolean {
    return this.#waiting.length > 0;
  }

  get maxFrameBytes(): number {
    return this.#maxFrameBytes;
  }

  /**
   * Attaches a pipe. Frames without a number are written to it from now on; numbered frames wait
   * for {@link resume}.
   */
  attach(write: (text: string) => void): void {
    this.#write = write;
    this.#partial = [];
    this.#partialBytes = 0;
    this.#waiting = [...this.#unacknowledged, ...this.#waiting];
    this.#unacknowledged = [];
    this.#unacknowledgedBytes = 0;
    this.#isPaused = true;
  }

  /** Detaches the pipe, because it was lost. */
  detach(): void {
    this.#write = null;
    this.#isPaused = true;
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
  }

  /** Restarts the numbers of both sides at 1, and drops frames that were not sent. */
  renew(): void {
    this.#received = this.#acknowledged = this.#sent = 0;
    this.#waiting = [];
    this.#unacknowledged = [];
    this.#unacknowledgedBytes = 0;
  }

  /** Continues after the other side's `hello`: sends the frames that it has not received. */
  resume(peer: { readonly received: number; readonly maxFrameBytes: number; readonly windowBytes: number }): void {
    this.#maxFrameBytes = Math.min(this.#maxFrameBytes, peer.maxFrameBytes);
    this.#windowBytes = peer.windowBytes;
    this.#waiting = this.#waiting.filter(({ seq }) => seq > peer.received);
    this.#isPaused = false;
    this.#flush();
  }

  /**
   * Sends a numbered frame, now or when there is room. If it is larger than the other side accepts,
   * sends nothing and returns false.
   *
   * @param lastField - one more field for the end of the line, as JSON text
   */
  send(message: object, lastField?: string): boolean {
    const seq = this.#sent + 1;
    const line = frameLine({ seq, ...message }, lastField);
    if (line.length > this.#maxFrameBytes) return false;
    this.#sent = seq;
    this.#waiting.push({ seq, line });
    this.#flush();
    return true;
  }

  /** Sends a frame without a number, immediately. */
  sendBare(frame: { readonly type: string }): void {
    this.#write?.(`${frame.type === "hello" ? cancelCharacter : ""}${frameLine(frame)}`);
  }

  /** Receives text from the pipe. */
  take(text: string): void {
    let start = 0;
    while (!this.#isBroken) {
      const end = text.indexOf("\n", start);
      if (end === -1) break;
      this.#partial.push(text.slice(start, end));
      if (this.#partialBytes + end - start > this.#maxFrameBytes) return this.#break("a frame is too large");
      const line = this.#partial.length === 1 ? (this.#partial[0] ?? "") : this.#partial.join("");
      this.#partial = [];
      this.#partialBytes = 0;
      if (line !== "" && line !== "\r") this.#takeLine(line);
      start = end + 1;
    }
    if (this.#isBroken || start === text.length) return;
    this.#partial.push(start === 0 ? text : text.slice(start));
    this.#partialBytes += text.length - start;
    if (this.#partialBytes > this.#maxFrameBytes) this.#break("a frame is too large");
  }

  /** Stops all timers. The link must not be used after this. */
  close(): void {
    this.detach();
    this.#isBroken = true;
  }

  #takeLine(text: string): void {
    const line = text.slice(text.lastIndexOf(cancelCharacter) + 1);
    const frame = parsedFrame(line);
    if (this.#isPaused) {
      if (frame?.type === "hello") this.#events.onBare(frame);
      return;
    }
    if (!frame) return this.#break(`this is not a frame: ${JSON.stringify(text.slice(0, 100))}`);
    // isSafeInteger has checked the type
    if (Number.isSafeInteger(frame["ack"])) this.#takeAcknowledgement(frame["ack"] as number);
    if (bareTypes.has(frame.type)) {
      if (frame.type !== "ack") this.#events.onBare(frame);
      return;
    }
    const { seq } = frame;
    if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 1) {
      return this.#break(`a frame of the type "${frame.type.slice(0, 40)}" has no number`);
    }
    if (seq <= this.#received) return this.#acknowledgeSoon();
    if (seq !== this.#received + 1) return this.#break(`frame ${seq} came after frame ${this.#received}`);
    this.#received = seq;
    this.#acknowledgeSoon();
    this.#events.onMessage(frame, line);
  }

  #takeAcknowledgement(ack: number): void {
    if (ack > this.#sent) return this.#break(`frame ${ack} was acknowledged, but was never sent`);
    let count = 0;
    for (const { seq, line } of this.#unacknowledged) {
      if (seq > ack) break;
      count++;
      this.#unacknowledgedBytes -= line.length;
    }
    if (count === 0) return;
    this.#unacknowledged.splice(0, count);
    const wasFull = this.isFull;
    this.#flush();
    if (wasFull && !this.isFull) this.#events.onRoom?.();
  }

  #flush(): void {
    if (this.#isPaused || !this.#write) return;
    let count = 0;
    let text = "";
    for (const sent of this.#waiting) {
      const isRoom =
        this.#unacknowledgedBytes === 0 || this.#unacknowledgedBytes + sent.line.length <= this.#windowBytes;
      if (!isRoom) break;
      count++;
      this.#unacknowledged.push(sent);
      this.#unacknowledgedBytes += sent.line.length;
      text += sent.line;
    }
    if (count === 0) return;
    this.#waiting.splice(0, count);
    // The acknowledgement is written as a separate frame before this line, because a stored line
    // must not change.
    this.#write(this.#acknowledged < this.#received ? this.#acknowledgement() + text : text);
  }

  #acknowledgement(): string {
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#acknowledged = this.#received;
    return frameLine({ type: "ack", ack: this.#received });
  }

  #acknowledgeSoon(): void {
    this.#ackTimer ??= setTimeout(() => {
      this.#ackTimer = undefined;
      if (this.#write) this.#write(this.#acknowledgement());
    }, acknowledgeDelayMs);
  }

  #break(why: string): void {
    this.#isBroken = true;
    this.#partial = [];
    this.#events.onGarbage(why);
  }
}

function parsedFrame(line: string): AnyFrame | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    // its type was checked
    return "type" in value && typeof value.type === "string" ? (value as AnyFrame) : null;
  } catch {
    return null;
  }
}
