// A worker with a language in it, as the host has it.

import type { AgentError } from "@smolts/protocol";
import { checkRunnerMessage } from "../check-runner-frame.ts";
import { createMailbox, MailboxWriter } from "./mailbox.ts";
import type { FromWorker, SharedMemory, ToGuest } from "./message.ts";

/** The parts of a worker that are used, of a browser or of Node. */
export interface RawWorker {
  /** The first message is an object, all others are text. */
  post(message: object | string): void;
  terminate(): void;
  /** Whether it keeps this process alive. */
  keepAlive(isKept: boolean): void;
  /** Processor time that it can have used at most, in ms; absent where the system does not tell. */
  usedMs?(): number;
}

/** Makes a worker and listens to it. */
export type CreateWorker = (events: { onMessage(text: string): void; onEnd(message: string): void }) => RawWorker;

/** How to make workers, and what each is set up with. */
export interface WorkerSource {
  readonly create: CreateWorker;
  /** The language, for people. */
  readonly language: string;
  /** The setup of the language's guest. */
  readonly setup: () => Promise<object>;
  /** The memory that workers share with this thread. */
  readonly shares: { readonly mailbox: boolean; readonly interrupt: boolean };
  readonly startLimitMs: number;
  readonly failed: (message: string) => AgentError;
}

/** A language in a worker: messages to it and from it, a soft stop and a hard one. */
export class WorkerHost {
  readonly #worker: RawWorker;
  readonly #mailbox: MailboxWriter | null = null;
  readonly #interrupt: Uint8Array | null = null;
  readonly #failed: WorkerSource["failed"];
  #isRunning = false;
  #isOver = false;
  /** Resolves when the language is there. */
  readonly ready: Promise<void>;
  onMessage: (message: FromWorker) => void = () => {};
  /** Called once, unless it was terminated from here. */
  onEnd: (error: AgentError) => void = () => {};

  constructor({ create, setup, shares, startLimitMs, failed, language }: WorkerSource) {
    this.#failed = failed;
    let settle: { resolve(): void; reject(error: AgentError): void } = { resolve() {}, reject() {} };
    this.ready = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.ready.catch(() => {}); // whoever needs it hears of it
    const timer = setTimeout(() => this.#end(`${language} did not start within ${startLimitMs} ms`), startLimitMs);
    (timer as { unref?: () => void }).unref?.(); // browsers give a number
    this.#reject = (error) => {
      clearTimeout(timer);
      settle.reject(error);
    };
    this.#resolve = () => {
      clearTimeout(timer);
      settle.resolve();
    };
    this.#worker = create({
      onMessage: (text) => this.#take(JSON.parse(text) as FromWorker), // made by our side of the worker
      onEnd: (message) => this.#end(message),
    });
    const shared: SharedMemory = {
      ...(shares.mailbox && { mailbox: createMailbox() }),
      ...(shares.interrupt && { interrupt: new SharedArrayBuffer(1) }),
    };
    if (shared.mailbox) this.#mailbox = new MailboxWriter(shared.mailbox);
    if (shared.interrupt) this.#interrupt = new Uint8Array(shared.interrupt);
    this.#worker.keepAlive(false);
    setup().then(
      (own) => this.#worker.post({ type: "setup", ...own, ...shared }),
      (error: unknown) => this.#end(error instanceof Error ? error.message : String(error)),
    );
  }

  readonly #resolve: () => void;
  readonly #reject: (error: AgentError) => void;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** A program that runs hears only of its mailbox, where there is one. */
  post(message: ToGuest): void {
    const text = JSON.stringify(message);
    if (this.#isRunning && this.#mailbox) this.#mailbox.post(text);
    else this.#worker.post(text);
    if (message.type === "execute") this.#isRunning = true;
  }

  /**
   * Asks the program to stop: the byte is for one that computes, the message for one that waits.
   * Asked again, both come again, since a program may lose an interrupt and wait after it.
   */
  interrupt(execution: number): void {
    if (!this.#isRunning) return;
    this.post({ type: "stop", execution });
    if (this.#interrupt) Atomics.store(this.#interrupt, 0, 2);
  }

  /** Sets whether the worker keeps this process alive. */
  keepAlive(isKept: boolean): void {
    this.#worker.keepAlive(isKept);
  }

  /** Processor time that it can have used at most, in ms; null where the system does not tell. */
  usedMs(): number | null {
    return this.#worker.usedMs?.() ?? null;
  }

  /** Kills the worker. `onEnd` is not called. */
  terminate(): void {
    this.#isOver = true;
    this.#reject(this.#failed("the worker was ended"));
    this.#worker.terminate();
  }

  #take(message: FromWorker): void {
    if (this.#isOver) return;
    switch (message.type) {
      case "ready":
        this.#resolve();
        return;
      case "failed":
        this.#end(message.message);
        return;
      case "taken":
        this.#mailbox?.write();
        return;
      case "unwound":
        this.#isRunning = false;
        if (this.#interrupt) Atomics.store(this.#interrupt, 0, 0);
        this.onMessage(message);
        return;
      default:
        // Code that took over its guest may send anything.
        if (checkRunnerMessage(message)) this.onMessage(message);
        else this.#end("it sent a message that is none");
    }
  }

  #end(message: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const error = this.#failed(message);
    this.#reject(error);
    this.#worker.terminate();
    this.onEnd(error);
  }
}
