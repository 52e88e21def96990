// The host's end of the connection to a sandbox. If the pipe is lost, the connection opens another
// one.

import { AgentError, type JsonValue } from "@smolts/protocol";
import { checkRunnerHello, checkRunnerMessage } from "./check-runner-frame.ts";
import {
  defaultMaxFrameBytes,
  defaultWindowBytes,
  type HostMessage,
  protocolVersion,
  type RunnerHello,
  type RunnerMessage,
} from "./frames.ts";
import { type AnyFrame, Link } from "./link.ts";
import type { RemoteSandbox, RunnerPipe } from "./remote-sandbox.ts";
import type { Runner } from "./runner.ts";

/** The sandbox of a connection, its settings, and its callbacks. */
export interface ConnectionParts {
  readonly sandbox: RemoteSandbox;
  readonly runner: Runner;
  readonly session: string;
  /** Whether an earlier process opened the sandbox. If so, its runner is already running. */
  readonly isAttached: boolean;
  /** How long the runner continues without messages from the host, in ms. */
  readonly keepMs: number;
  onMessage(message: RunnerMessage): void;
  /** Called once when the sandbox is unreachable. No other callback follows. */
  onFailure(error: AgentError): void;
}

const helloLimitMs = 30_000;
const maxPingMs = 10_000;
/**
 * How long the runner may be silent after a ping, in ms. After that the pipe is treated as lost.
 */
const silenceLimitMs = 30_000;
const reconnectDelaysMs = [100, 300, 1_000, 3_000];
const maxDiagnosisLength = 2_000;

/** A connection that survives the loss of its pipe. */
export class Connection {
  readonly #parts: ConnectionParts;
  readonly #link: Link;
  readonly #decoder = new TextDecoder("latin1");
  #pipe: RunnerPipe | null = null;
  #isFirst = true;
  #isClosed = false;
  #isKeptAlive = true;
  #hello: RunnerHello | null = null;
  #onHello: ((hello: RunnerHello) => void) | null = null;
  #lastMessageAt = 0;
  #pings: ReturnType<typeof setInterval> | undefined;
  #diagnosis = "";

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#link = new Link(
      { maxFrameBytes: defaultMaxFrameBytes, windowBytes: defaultWindowBytes },
      {
        onMessage: (frame) => this.#take(frame),
        onBare: (frame) => this.#takeBare(frame),
        onGarbage: (why) => this.#fail(garbage(why)),
      },
    );
  }

  /** The last `hello` of the runner. */
  get hello(): RunnerHello | null {
    return this.#hello;
  }

  /**
   * Opens the first pipe.
   *
   * @throws AgentError `executor` if the other end has no runner, or a runner with the wrong
   * language or version
   */
  async open(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      const failure = await this.#explained(error);
      this.close();
      throw failure;
    }
    this.#pings = setInterval(() => this.#ping(), Math.min(maxPingMs, this.#parts.keepMs / 4));
    (this.#pings as { unref?: () => void }).unref?.(); // browsers return a number without `unref`
  }

  /** Sends a message. If it is too large for a frame, sends nothing and returns false. */
  send(message: HostMessage): boolean {
    return this.#link.send(message);
  }

  /** Sets whether the connection keeps this process alive. */
  keepAlive(isNeeded: boolean): void {
    this.#isKeptAlive = isNeeded;
    this.#pipe?.keepAlive?.(isNeeded);
  }

  /** Closes the connection, but leaves the sandbox running. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#pings);
    this.#pipe?.close();
    this.#pipe = null;
    this.#link.close();
  }

  async #connect(): Promise<void> {
    const { sandbox, runner, session, isAttached } = this.#parts;
    const isFresh = this.#isFirst;
    let isOpen = true;
    let onEarlyEnd: (error: unknown) => void = () => {};
    const endedEarly = new Promise<never>((_resolve, reject) => {
      onEarlyEnd = reject;
    });
    endedEarly.catch(() => {});
    const pipe = await sandbox.connect({
      onOutput: (output) => {
        if (isOpen) this.#hear(output);
      },
      onDiagnosis: (text) => {
        this.#diagnosis = (this.#diagnosis + text).slice(-maxDiagnosisLength);
      },
      onEnd: (error) => {
        if (!isOpen) return;
        isOpen = false;
        onEarlyEnd(error ?? new Error("the pipe was closed"));
        if (this.#pipe === pipe) void this.#lost(error);
      },
    });
    if (this.#isClosed) return pipe.close();
    if (isFresh && !isAttached) pipe.write(runner.source);
    this.#link.attach((text) => pipe.write(text));
    const answer = this.#nextHello();
    this.#link.sendBare({
      type: "hello",
      version: protocolVersion,
      session,
      received: this.#link.received,
      fresh: isFresh,
      maxFrameBytes: defaultMaxFrameBytes,
      windowBytes: defaultWindowBytes,
    } as { readonly type: string });
    try {
      const hello = await Promise.race([answer, endedEarly]);
      this.#isFirst = false;
      this.#pipe = pipe;
      pipe.keepAlive?.(this.#isKeptAlive);
      this.#hello = hello;
      if (!isOpen) void this.#lost(null);
    } catch (error) {
      isOpen = false;
      pipe.close();
      throw error;
    }
  }

  #checkHello({ version, language, runtime }: RunnerHello): void {
    if (version !== protocolVersion) {
      throw new AgentError(
        "executor",
        `the runner speaks version ${version} of the protocol; expected ${protocolVersion}`,
        {
          hint: "use the same version of smolts for the host and the sandbox",
        },
      );
    }
    if (language !== this.#parts.runner.language) {
      throw new AgentError("executor", `the sandbox runs ${runtime}; expected ${this.#parts.runner.language}`, {
        hint: `open it with { language: ${JSON.stringify(language)} }`,
      });
    }
  }

  #nextHello(): Promise<RunnerHello> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer within ${helloLimitMs / 1_000} s`)), helloLimitMs);
      this.#onHello = (hello) => {
        clearTimeout(timer);
        try {
          this.#checkHello(hello);
        } catch (error) {
          return reject(error);
        }
        // Resume immediately: the text that contained this `hello` may contain more frames.
        this.#link.resume(hello);
        resolve(hello);
      };
    });
  }

  #hear(output: Uint8Array | string): void {
    this.#lastMessageAt = performance.now();
    this.#link.take(typeof output === "string" ? output : this.#decoder.decode(output));
  }

  #take(frame: AnyFrame): void {
    const message = checkRunnerMessage(frame);
    if (message) this.#parts.onMessage(message);
    else this.#fail(garbage(`a frame of the type "${frame.type.slice(0, 40)}" with wrong fields`));
  }

  #takeBare(frame: AnyFrame): void {
    if (frame.type === "fatal") return this.#fail(fatal(frame["error"]));
    if (frame.type !== "hello") return;
    const hello = checkRunnerHello(frame);
    if (!hello) return this.#fail(garbage("a hello with wrong fields"));
    this.#onHello?.(hello);
    this.#onHello = null;
  }

  #ping(): void {
    const silentMs = performance.now() - this.#lastMessageAt;
    if (this.#pipe && silentMs > silenceLimitMs)
      return void this.#lost(new Error(`no message for ${Math.round(silentMs / 1_000)} s`));
    this.#link.sendBare({ type: "ping" });
    this.#parts.sandbox.extend?.().catch(() => {});
  }

  /** Handles the loss of the pipe. The sandbox may still be running. */
  async #lost(cause: unknown): Promise<void> {
    const pipe = this.#pipe;
    if (this.#isClosed || !pipe) return;
    this.#pipe = null;
    pipe.close();
    this.#link.detach();
    let failure: unknown = cause;
    for (const delayMs of reconnectDelaysMs) {
      try {
        await this.#connect();
        return;
      } catch (error) {
        failure = error;
        if (AgentError.is(error)) break;
      }
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      if (this.#isClosed) return;
    }
    this.#fail(await this.#explained(failure));
  }

  async #explained(error: unknown): Promise<AgentError> {
    const known = AgentError.is(error) ? error : ((await this.#parts.sandbox.explain?.().catch(() => null)) ?? null);
    const why = error instanceof Error ? error.message : String(error ?? "its pipe was closed");
    const said = this.#diagnosis.trim();
    if (known && said === "") return known;
    const what = known?.message ?? `the sandbox cannot be reached: ${why}`;
    return new AgentError(known?.code ?? "executor", said === "" ? what : `${what}; it said: ${said}`, {
      cause: error,
      hint: known?.hint ?? "check that the sandbox is alive and has the language; its variables are gone",
    });
  }

  #fail(error: AgentError): void {
    if (this.#isClosed) return;
    this.close();
    this.#parts.onFailure(error);
  }
}

const garbage = (why: string): AgentError =>
  new AgentError("executor", `the sandbox broke the protocol and was closed: ${why}`, {
    hint: "the code in it may have tampered with its runner; start again with a new sandbox",
  });

function fatal(error: unknown): AgentError {
  const { message } = (typeof error === "object" && error !== null ? error : {}) as { readonly message?: JsonValue };
  const text = typeof message === "string" ? message.slice(0, 500) : "it gave no reason";
  return new AgentError("executor", `the runner in the sandbox gave up: ${text}`, {
    hint: "start again with a new sandbox",
  });
}
