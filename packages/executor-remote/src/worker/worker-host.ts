// The host's side of a worker that runs a language.

import { type AgentError, thrownText } from "@smolts/protocol";
import { checkRunnerMessage } from "../check-runner-frame.ts";
import { createMailbox, MailboxWriter } from "./mailbox.ts";
import type { FromWorker, SharedMemory, ToGuest } from "./message.ts";

/** The members of a worker that this file uses, in browsers and in Node. */
export interface RawWorker {
  /** Sends a message. The first message is an object, all others are text. */
  post(message: object | string): void;
  terminate(): void;
  /** Sets whether the worker keeps this process alive. */
  keepAlive(isKept: boolean): void;
  /**
   * Returns an upper bound for the worker's processor time, in ms. Absent if the system does not
   * report it.
   */
  usedMs?(): number;
}

/** Creates a worker and receives its messages. */
export type CreateWorker = (events: { onMessage(text: string): void; onEnd(message: string): void }) => RawWorker;

/** How workers are created and set up. */
export interface WorkerSource {
  readonly create: CreateWorker;
  /** The human-readable name of the language. */
  readonly language: string;
  /** Returns the first message to the language's guest. */
  readonly setup: () => Promise<object>;
  /** The memory that workers share with this thread. */
  readonly shares: { readonly mailbox: boolean; readonly interrupt: boolean };
  readonly startLimitMs: number;
  readonly failed: (message: string) => AgentError;
}

/**
 * Controls a worker that runs a language: sends and receives messages, interrupts the code, and
 * kills the worker.
 */
export class WorkerHost {
  readonly #worker: RawWorker;
  readonly #mailbox: MailboxWriter | null = null;
  readonly #interrupt: Uint8Array | null = null;
  readonly #failed: WorkerSource["failed"];
  #isRunning = false;
  #isOver = false;
  /** Resolves when the language is ready. */
  readonly ready: Promise<void>;
  onMessage: (message: FromWorker) => void = () => {};
  /** Called once when the worker ends on its own, but not after `terminate`. */
  onEnd: (error: AgentError) => void = () => {};

  constructor({ create, setup, shares, startLimitMs, failed, language }: WorkerSource) {
    this.#failed = failed;
    let settle: { resolve(): void; reject(error: AgentError): void } = { resolve() {}, reject() {} };
    this.ready = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.ready.catch(() => {}); // the error is not lost: callers that wait for `ready` get it, too
    const timer = setTimeout(() => this.#end(`${language} did not start within ${startLimitMs} ms`), startLimitMs);
    (timer as { unref?: () => void }).unref?.(); // browsers return a number without `unref`
    this.#reject = (error) => {
      clearTimeout(timer);
      settle.reject(error);
    };
    this.#resolve = () => {
      clearTimeout(timer);
      settle.resolve();
    };
    this.#worker = create({
      // The cast is safe: our own code in the worker wrote this text.
      onMessage: (text) => this.#take(JSON.parse(text) as FromWorker),
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
      (error: unknown) => this.#end(thrownText(error)),
    );
  }

  readonly #resolve: () => void;
  readonly #reject: (error: AgentError) => void;

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Sends a message. A running program can read only its mailbox, so the mailbox is used if there
   * is one.
   */
  post(message: ToGuest): void {
    const text = JSON.stringify(message);
    if (this.#isRunning && this.#mailbox) this.#mailbox.post(text);
    else this.#worker.post(text);
    if (message.type === "execute") this.#isRunning = true;
  }

  /**
   * Asks the program to stop. The shared byte stops code that computes, and the message stops code
   * that waits. Each call sends both again, because a program may catch the interrupt and then
   * wait.
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

  /**
   * Returns an upper bound for the worker's processor time, in ms. Null if the system does not
   * report it.
   */
  usedMs(): number | null {
    return this.#worker.usedMs?.() ?? null;
  }

  /** Kills the worker. `onEnd` is not called after this. */
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
        // Check each message, because a program that has taken over its guest can send anything.
        if (checkRunnerMessage(message)) this.onMessage(message);
        else this.#end("it sent an invalid message");
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
