// The connection to a server that runs as a process. The SDK's transport does most of the work.
// This transport adds limits against hostile or broken servers, and keeps the last text that a
// server writes to standard error. While no answer is expected, the connection does not keep this
// process alive.

import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpStdioServer } from "./mcp-server.ts";
import { defaultMaxBytes, tooLargeCode } from "./message-size.ts";

const maxErrorOutput = 2_000;
/** The maximum amount of data between two answers, as a multiple of the largest message. */
const maxMessagesWithoutAnswer = 10;

/**
 * A transport to a server's process. The SDK recognises a transport of this type by its properties
 * `stderr` and `pid`.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #pipe: StdioClientTransport;
  readonly #maxBytes: number;
  readonly #waiting = new Set<RequestId>();
  /**
   * The id of the request that asks for the newer protocol; undefined once the server has answered.
   */
  #probe: RequestId | undefined;
  #isProbeUnanswered = false;
  #errorOutput = "";
  #bytesWithoutAnswer = 0;
  #isClosed = false;
  #isClosing = false;
  /**
   * The server's process. Stored here because the SDK's transport drops its reference too early.
   */
  #process: ChildProcess | undefined;
  #isBehindNotification = false;
  #held: JSONRPCMessage[] = [];

  constructor({ command, args = [], env = {}, cwd, maxBytes = defaultMaxBytes }: McpStdioServer) {
    this.#maxBytes = maxBytes;
    this.#pipe = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...env },
      stderr: "pipe",
      maxBufferSize: maxBytes,
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#pipe.stderr?.on("data", (chunk: Uint8Array) => {
      this.#errorOutput = `${this.#errorOutput}${new TextDecoder().decode(chunk)}`.slice(-maxErrorOutput);
    });
    this.#pipe.onclose = () => this.#end();
    this.#pipe.onerror = (error) => this.#fail(error);
    this.#pipe.onmessage = (message) => this.#receive(message);
  }

  get stderr(): StdioClientTransport["stderr"] {
    return this.#pipe.stderr;
  }

  get pid(): number | null {
    return this.#pipe.pid;
  }

  /** The last text that the process wrote to standard error. */
  get errorOutput(): string {
    return this.#errorOutput;
  }

  /**
   * Whether the client switched to the older protocol before the server answered in the newer one.
   */
  get isProbeUnanswered(): boolean {
    return this.#isProbeUnanswered;
  }

  async start(): Promise<void> {
    await this.#pipe.start();
    this.#process = this.#child();
    this.#process?.stdout?.on("data", (chunk: Uint8Array) => this.#count(chunk.byteLength));
    this.#keepAlive();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    // Only requests with a numeric id count as waiting for an answer. A subscription has a string
    // as its id, and is not counted, because it gets an answer only when it ends.
    if ("method" in message && "id" in message && typeof message.id === "number") this.#waiting.add(message.id);
    if ("method" in message && "id" in message && message.method === "server/discover") this.#probe = message.id;
    if ("method" in message && message.method === "initialize") this.#isProbeUnanswered = this.#probe !== undefined;
    if ("method" in message && message.method === "notifications/cancelled") {
      // The cast is safe: `delete` ignores any other value.
      this.#waiting.delete(message.params?.["requestId"] as RequestId);
    }
    this.#keepAlive();
    await this.#pipe.send(message);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    // This process must not exit before the server has ended.
    this.#hold(true);
    await this.#pipe.close();
    this.#end();
  }

  #receive(message: JSONRPCMessage): void {
    if ("id" in message && !("method" in message)) {
      this.#bytesWithoutAnswer = 0;
      if (message.id !== undefined) this.#waiting.delete(message.id);
      if (message.id === this.#probe) this.#probe = undefined;
      this.#keepAlive();
    }
    this.#deliver(message);
  }

  /**
   * Delivers messages in the order in which they arrived. The SDK handles a notification slightly
   * later than an answer. If a progress notification is followed directly by the answer to its
   * call, the SDK would therefore handle the answer first and drop the progress. So an answer
   * directly after a notification is delayed to the next turn of the event loop, together with all
   * later messages.
   */
  #deliver(message: JSONRPCMessage): void {
    const isNotification = "method" in message && !("id" in message);
    if (this.#held.length === 0 && (isNotification || !this.#isBehindNotification)) this.onmessage?.(message);
    else this.#held.push(message);
    if (!isNotification || this.#isBehindNotification) return;
    this.#isBehindNotification = true;
    setImmediate(() => this.#release());
  }

  #release(): void {
    this.#isBehindNotification = false;
    const held = this.#held;
    this.#held = [];
    for (const message of held) this.#deliver(message);
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // Deliver the messages that arrived before the end. The cast is safe, because the list is not
    // empty.
    while (this.#held.length > 0) this.onmessage?.(this.#held.shift() as JSONRPCMessage);
    this.onclose?.();
  }

  #count(bytes: number): void {
    this.#bytesWithoutAnswer += bytes;
    if (this.#bytesWithoutAnswer <= this.#maxBytes * maxMessagesWithoutAnswer) return;
    this.#bytesWithoutAnswer = Number.NEGATIVE_INFINITY;
    this.onerror?.(new Error("the server sent a message without an end"));
    this.#kill();
  }

  /**
   * Reports an error. If a message is too large, the SDK's transport closes itself and waits for
   * the process to exit. The process could send more data in the meantime, so it is killed.
   */
  #fail(error: Error): void {
    this.onerror?.(error);
    queueMicrotask(() => {
      if (!this.#isClosing && this.#child() === undefined) this.#endTooLarge();
    });
  }

  /** Ends the process, and says why to all requests that wait for an answer. */
  #endTooLarge(): void {
    const error = { code: tooLargeCode, message: `it sent a message of more than ${this.#maxBytes} bytes` };
    for (const id of this.#waiting) this.onmessage?.({ jsonrpc: "2.0", id, error });
    this.#kill();
  }

  #kill(): void {
    this.#process?.kill("SIGKILL");
    this.close().catch(() => {}); // the process ends even if closing fails
  }

  #keepAlive(): void {
    this.#hold(this.#waiting.size > 0);
  }

  /** Keeps this process alive, or allows it to exit while the server is idle. */
  #hold(isHeld: boolean): void {
    const child = this.#child();
    if (!child) return;
    // The pipes to a child process are sockets.
    const handles = [child, child.stdin, child.stdout, child.stderr] as unknown as readonly (Socket | null)[];
    for (const handle of handles) isHeld ? handle?.ref?.() : handle?.unref?.();
  }

  /**
   * Returns the SDK's process object, which is a private member without public access. A new
   * version of the SDK could rename it, so the manifest pins the SDK's version.
   */
  #child(): ChildProcess | undefined {
    return (this.#pipe as unknown as { readonly _process?: ChildProcess })._process;
  }
}
