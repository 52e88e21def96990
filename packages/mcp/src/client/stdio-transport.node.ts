// A server's process and the pipe to it. The official transport does the work; this one holds what
// a hostile or broken server sends within bounds, keeps the last it said on standard error, and
// does not keep this process alive while nobody waits for an answer.

import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpStdioServer } from "./mcp-server.ts";

const maxErrorOutput = 2_000;
/** How much may come between two answers, in messages of the largest size. */
const maxMessagesWithoutAnswer = 10;

/** The pipe to a server's process. `stderr` and `pid` tell the SDK what kind of transport it is. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #pipe: StdioClientTransport;
  readonly #maxBytes: number;
  readonly #waiting = new Set<RequestId>();
  #errorOutput = "";
  #bytesWithoutAnswer = 0;
  #isClosed = false;
  #isClosing = false;
  /** Kept after the pipe has let go of it. */
  #process: ChildProcess | undefined;
  #isBehindNotification = false;
  #held: JSONRPCMessage[] = [];

  constructor({ command, args = [], env = {}, cwd, maxBytes = 10_000_000 }: McpStdioServer) {
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

  /** The end of what the process wrote on standard error. */
  get errorOutput(): string {
    return this.#errorOutput;
  }

  async start(): Promise<void> {
    await this.#pipe.start();
    this.#process = this.#child();
    this.#process?.stdout?.on("data", (chunk: Uint8Array) => this.#count(chunk.byteLength));
    this.#keepAlive();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    // A subscription is answered when it ends, and nobody waits for that. Its id is a text.
    if ("method" in message && "id" in message && typeof message.id === "number") this.#waiting.add(message.id);
    if ("method" in message && message.method === "notifications/cancelled") {
      this.#waiting.delete(message.params?.["requestId"] as RequestId); // any value may be looked for
    }
    this.#keepAlive();
    await this.#pipe.send(message);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    // This process must stay alive until the server has ended.
    this.#hold(true);
    await this.#pipe.close();
    this.#end();
  }

  #receive(message: JSONRPCMessage): void {
    if ("id" in message && !("method" in message)) {
      this.#bytesWithoutAnswer = 0;
      if (message.id !== undefined) this.#waiting.delete(message.id);
      this.#keepAlive();
    }
    this.#deliver(message);
  }

  /**
   * The SDK takes notifications a moment later than answers, and hears no progress of a call that
   * was answered. So an answer that comes right behind a notification waits for a turn, and what
   * comes behind that waits with it.
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
    // Messages that arrived before the end are still delivered.
    while (this.#held.length > 0) this.onmessage?.(this.#held.shift() as JSONRPCMessage); // there is one
    this.onclose?.();
  }

  #count(bytes: number): void {
    this.#bytesWithoutAnswer += bytes;
    if (this.#bytesWithoutAnswer <= this.#maxBytes * maxMessagesWithoutAnswer) return;
    this.#bytesWithoutAnswer = Number.NEGATIVE_INFINITY;
    this.onerror?.(new Error("the server sends without end"));
    this.#kill();
  }

  /**
   * The pipe closes by itself when a message is too large. It waits for the process to end, which
   * may send on meanwhile.
   */
  #fail(error: Error): void {
    this.onerror?.(error);
    queueMicrotask(() => {
      if (!this.#isClosing && this.#child() === undefined) this.#kill();
    });
  }

  #kill(): void {
    this.#process?.kill("SIGKILL");
    this.close().catch(() => {}); // it ends either way
  }

  #keepAlive(): void {
    this.#hold(this.#waiting.size > 0);
  }

  /** A server that rests is no reason for this process to go on. */
  #hold(isHeld: boolean): void {
    const child = this.#child();
    if (!child) return;
    // The pipes of a child process are sockets.
    const handles = [child, child.stdin, child.stdout, child.stderr] as unknown as readonly (Socket | null)[];
    for (const handle of handles) isHeld ? handle?.ref?.() : handle?.unref?.();
  }

  /** The SDK has no other door to the process. Its version is fixed in the manifest. */
  #child(): ChildProcess | undefined {
    return (this.#pipe as unknown as { readonly _process?: ChildProcess })._process;
  }
}
