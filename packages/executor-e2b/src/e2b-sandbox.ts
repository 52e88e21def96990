// Uses one sandbox of E2B. The runner is a command in it, and the command's standard input and
// output are the pipe.

import type { PipeEvents, RemoteSandbox, Runner, RunnerPipe } from "@smolts/executor-remote";
import { AgentError, type JsonValue } from "@smolts/protocol";
import type { CommandHandle, Sandbox } from "e2b";
import { failureOf } from "./failure.ts";

/** The parts of an {@link E2bSandbox}. */
export interface E2bSandboxParts {
  readonly sandbox: Sandbox;
  readonly runner: Runner;
  readonly timeoutMs: number;
  readonly apiKey: string | undefined;
  /** Whether this process created the sandbox. If so, it also ends the sandbox. */
  readonly isOwn: boolean;
  /** The process id of the runner, if it is already running. */
  readonly pid: number | null;
}

/**
 * The maximum length of the input in one request, in characters. Longer inputs are sent in pieces,
 * because the SDK builds a request character by character. A megabyte in one request takes twice as
 * long as in pieces.
 */
const maxInputLength = 256 * 1024;
/**
 * The maximum output of one connection, in characters. The SDK keeps all output of a command in
 * memory, so a new connection is opened after this much output. Frames that are lost meanwhile are
 * sent again by the guest protocol.
 */
const maxOutputLength = 64 * 1024 * 1024;
const requestTimeoutMs = 30_000;
const killTimeoutMs = 10_000;

/** A sandbox of E2B. */
export class E2bSandbox implements RemoteSandbox {
  readonly #parts: E2bSandboxParts;
  #pid: number | null;
  #exitCode: number | null = null;
  #isKilled = false;
  #extendAt: number;
  /** The write in progress. Writes to a new pipe must wait for it. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(parts: E2bSandboxParts) {
    this.#parts = parts;
    this.#pid = parts.pid;
    this.#extendAt = performance.now() + parts.timeoutMs / 2;
  }

  get attachment(): JsonValue {
    const { sandbox, isOwn } = this.#parts;
    return { sandboxId: sandbox.sandboxId, pid: this.#pid, isOwn };
  }

  async connect(events: PipeEvents): Promise<RunnerPipe> {
    if (this.#isKilled || this.#exitCode !== null) throw (await this.explain()) ?? gone();
    await this.#writing;
    const pipe = new CommandPipe(events);
    const options = {
      timeoutMs: 0, // no limit: the command lives as long as the sandbox
      requestTimeoutMs,
      onStdout: (text: string) => pipe.take(text),
      onStderr: (text: string) => events.onDiagnosis?.(text),
    };
    const { sandbox, runner } = this.#parts;
    try {
      const handle =
        this.#pid === null
          ? await sandbox.commands.run(shellText(runner.command), { ...options, background: true, stdin: true })
          : await sandbox.commands.connect(this.#pid, options);
      this.#pid = handle.pid;
      this.#watch(handle, pipe);
      return pipe.over(handle, () => {
        this.#writing = this.#write(handle, pipe);
      });
    } catch (error) {
      throw await this.#connectFailure(error);
    }
  }

  async kill(): Promise<void> {
    if (this.#isKilled) return;
    this.#isKilled = true;
    const { sandbox, isOwn } = this.#parts;
    const end = async (): Promise<unknown> => {
      if (isOwn) return await sandbox.kill({ requestTimeoutMs: killTimeoutMs });
      return this.#pid === null ? null : await sandbox.commands.kill(this.#pid, { requestTimeoutMs: killTimeoutMs });
    };
    // Try twice, because a sandbox that stays alive costs money until E2B ends it at its timeout.
    await end()
      .catch(end)
      .catch(() => {});
  }

  async release(): Promise<void> {
    if (this.#parts.isOwn) await this.#parts.sandbox.pause({ requestTimeoutMs });
  }

  async extend(): Promise<void> {
    const { sandbox, timeoutMs, isOwn } = this.#parts;
    if (performance.now() < this.#extendAt) return;
    // A sandbox that somebody else created may have a longer timeout. `setTimeout` could shorten
    // it, but `connect` never does.
    if (isOwn) await sandbox.setTimeout(timeoutMs, { requestTimeoutMs });
    else await sandbox.connect({ timeoutMs, requestTimeoutMs });
    this.#extendAt = performance.now() + timeoutMs / 2;
  }

  async explain(): Promise<AgentError | null> {
    if (await this.#isGone()) return gone();
    return this.#exitCode === null ? null : ended(this.#exitCode, this.#parts.runner);
  }

  async #isGone(): Promise<boolean> {
    return (await this.#parts.sandbox.isRunning({ requestTimeoutMs }).catch(() => null)) === false;
  }

  #watch(handle: CommandHandle, pipe: CommandPipe): void {
    handle.wait().then(
      () => this.#ended(0, pipe),
      (error: unknown) => {
        // For an exit code other than 0, the SDK throws an error.
        const { exitCode } = error as { readonly exitCode?: unknown };
        if (typeof exitCode === "number") this.#ended(exitCode, pipe);
        else pipe.end(error);
      },
    );
  }

  #ended(exitCode: number, pipe: CommandPipe): void {
    if (!pipe.isOpen) return;
    this.#exitCode = exitCode;
    pipe.end();
  }

  /**
   * Sends inputs in order, one request at a time. Inputs that arrive during a request are sent with
   * the next request.
   */
  async #write(handle: CommandHandle, pipe: CommandPipe): Promise<void> {
    try {
      for (let text = pipe.nextInput(); text !== ""; text = pipe.nextInput()) {
        await handle.sendStdin(text, { requestTimeoutMs });
      }
    } catch (error) {
      pipe.end(error);
    }
  }

  async #connectFailure(error: unknown): Promise<unknown> {
    const name = error instanceof Error ? error.name : "";
    if (name === "SandboxNotFoundError" || (await this.#isGone())) return gone();
    if (name === "NotFoundError") return ended(null, this.#parts.runner);
    // Return any other error unchanged, because it may be a network error.
    return name === "AuthenticationError" ? failureOf(error, this.#parts.apiKey) : error;
  }
}

/** One connection to the runner. */
class CommandPipe {
  isOpen = true;
  readonly #events: PipeEvents;
  #handle: CommandHandle | null = null;
  #unsent = "";
  #isSending = false;
  #length = 0;

  constructor(events: PipeEvents) {
    this.#events = events;
  }

  /** Returns the pipe to write to. `send` sends all waiting inputs. */
  over(handle: CommandHandle, send: () => void): RunnerPipe {
    this.#handle = handle;
    return {
      write: (text) => {
        if (!this.isOpen) return;
        this.#unsent += text;
        if (this.#isSending) return;
        this.#isSending = true;
        // All writes of one turn of the event loop are sent in one request.
        queueMicrotask(send);
      },
      close: () => this.#close(),
    };
  }

  /** The next bytes to send; empty once the pipe is closed. */
  nextInput(): string {
    const text = this.isOpen ? this.#unsent.slice(0, maxInputLength) : "";
    this.#unsent = this.#unsent.slice(text.length);
    this.#isSending = text !== "";
    return text;
  }

  take(text: string): void {
    if (!this.isOpen) return;
    this.#length += text.length;
    this.#events.onOutput(text);
    if (this.#length > maxOutputLength) this.end(new Error("the connection is renewed"));
  }

  end(error?: unknown): void {
    if (!this.isOpen) return;
    this.#close();
    this.#events.onEnd(error);
  }

  #close(): void {
    this.isOpen = false;
    void this.#handle?.disconnect();
  }
}

/** Returns a command as text for a shell. The command replaces the shell. */
const shellText = (command: readonly string[]): string =>
  `exec ${command.map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(" ")}`;

const gone = (): AgentError =>
  new AgentError("executor", "the sandbox was killed or reached its timeout; its variables are gone", {
    hint: "raise timeoutMs in e2b(), or look for who killed it; start the task again",
  });

function ended(exitCode: number | null, runner: Runner): AgentError {
  const language = runner.command[0] ?? "";
  if (exitCode === 126 || exitCode === 127) {
    return new AgentError("executor", `the template has no ${language}`, {
      hint: "use a template with node >= 18 or python3 >= 3.9, or set { language }",
    });
  }
  const code = exitCode === null ? "" : ` with exit code ${exitCode}`;
  return new AgentError("executor", `the process of this run in the sandbox ended${code}; its variables are gone`, {
    hint: "its memory may have been full; start the task again",
  });
}
