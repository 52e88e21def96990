// Opens the sandboxes of a service, keeps some of them ready, and reconnects to earlier ones.

import {
  AgentError,
  type Executor,
  type ExecutorFactory,
  explainFactory,
  invalidOption,
  isRecord,
  type JsonValue,
  type OptionTable,
  randomHex,
} from "@smolts/protocol";
import type { GuestLimits } from "./frames.ts";
import { RemoteExecutor } from "./remote-executor.ts";
import type { RemoteSandbox } from "./remote-sandbox.ts";
import { type GuestLanguage, type Runner, runnerOf } from "./runner.ts";

/** The limits of a block of code. 0 disables a limit. */
export interface RemoteLimits {
  /**
   * How long a block may run, in ms. Time spent waiting for calls does not count. Default: 60000.
   */
  readonly guestTimeMs?: number;
  /**
   * The limit of the resident memory of the process that runs the code, in bytes. Default: 0 (no
   * limit), because the sandbox has its own limit.
   */
  readonly memoryBytes?: number;
  /** The most characters that one block may print. Default: 1000000. */
  readonly outputCharacters?: number;
  /** The most calls that may be open at the same time. Default: 1000. */
  readonly pendingCalls?: number;
}

/** Options that all remote executors share. */
export interface RemoteOptions {
  /** The language of the code. Default: `"javascript"`. */
  readonly language?: GuestLanguage;
  /** The limits of one block of code. Each limit has its own default. */
  readonly limits?: RemoteLimits;
  /** The modules that programs may import. Default: all modules. */
  readonly additionalAuthorizedImports?: readonly string[];
  /** How many sandboxes are started in advance. Default: 0. */
  readonly pool?: number;
  /**
   * How long a sandbox stays open without messages from its host, in ms. The host may have crashed,
   * or its run may be waiting for approvals. Default: 60000.
   */
  readonly keepMs?: number;
}

/** The types of the options in {@link RemoteOptions}. */
export const remoteOptions: OptionTable<RemoteOptions> = {
  language: ["javascript", "python"],
  limits: { guestTimeMs: true, memoryBytes: true, outputCharacters: true, pendingCalls: true },
  additionalAuthorizedImports: "texts",
  pool: "number",
  keepMs: "number",
};

/** Options for opening a sandbox of a service. */
export interface OpenSandboxOptions {
  /** Aborts when the sandbox is no longer needed. */
  readonly signal: AbortSignal;
  /** The program that runs code in the sandbox. */
  readonly runner: Runner;
  /**
   * The `attachment` of an earlier sandbox. Opens that sandbox, or rejects with `executor` if it is
   * gone.
   */
  readonly attach?: JsonValue;
}

/** A service that provides sandboxes. */
export interface RemoteService extends RemoteOptions {
  /** Opens a sandbox. If this rejects, no half-open sandbox may be left over. */
  open(options: OpenSandboxOptions): Promise<RemoteSandbox>;
}

/**
 * A factory of executors in remote sandboxes. Disposing it ends the sandboxes in its pool, waits
 * for sandboxes that are being closed, and ends those that are still open after some seconds.
 */
export interface RemoteExecutorFactory extends ExecutorFactory, AsyncDisposable {
  /** Starts the sandboxes of the pool. */
  warm(): void;
}

const defaultKeepMs = 60_000;
/** The time between the end of a run and the end of its sandbox, in ms. */
const closingMs = 5_000;

/**
 * Creates an executor from any service that can start a command and connect a byte pipe to it.
 *
 * @throws AgentError `invalid-option`
 * @example
 * ```ts
 * import { type RemoteSandbox, remoteExecutor } from "@smolts/executor-remote";
 *
 * declare function startCommand(command: readonly string[]): Promise<RemoteSandbox>;
 * const executor = remoteExecutor({ open: ({ runner }) => startCommand(runner.command) });
 * console.log(executor.replay); // never
 * ```
 */
export function remoteExecutor(service: RemoteService): RemoteExecutorFactory {
  return explainFactory(new Factory(service));
}

class Factory implements RemoteExecutorFactory {
  readonly language: GuestLanguage;
  readonly replay = "never";
  readonly authorizedImports?: readonly string[];
  readonly #service: RemoteService;
  readonly #limits: GuestLimits;
  readonly #poolSize: number;
  readonly #keepMs: number;
  #pool: Promise<RemoteExecutor | null>[] = [];
  /** The executors that are in use. */
  readonly #open = new Set<RemoteExecutor>();
  #isDisposed = false;

  constructor(service: RemoteService) {
    this.#service = service;
    this.language = checkLanguage(service.language ?? "javascript");
    this.#limits = resolveLimits(service.limits ?? {});
    this.#poolSize = checkCount("pool", service.pool ?? 0, 0);
    this.#keepMs = checkCount("keepMs", service.keepMs ?? defaultKeepMs, 1_000);
    const { additionalAuthorizedImports } = service;
    if (additionalAuthorizedImports) this.authorizedImports = additionalAuthorizedImports;
  }

  warm(): void {
    while (!this.#isDisposed && this.#pool.length < this.#poolSize) {
      // If this fails, the `open()` that needs the sandbox tries again and reports the error.
      this.#pool.push(this.#connected(new AbortController().signal).catch(() => null));
    }
  }

  async open({ signal, attach }: { readonly signal: AbortSignal; readonly attach?: JsonValue }): Promise<Executor> {
    signal.throwIfAborted();
    const executor = attach === undefined ? await this.#fromPool(signal) : await this.#connected(signal, attach);
    executor.use(signal);
    this.#open.add(executor);
    void executor.ended.then(() => this.#open.delete(executor));
    this.warm();
    return executor;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    const pool = await Promise.all(this.#pool.splice(0));
    await Promise.all(pool.map((executor) => executor?.[Symbol.asyncDispose]()));
    await Promise.all([...this.#open].map(closed));
  }

  async #fromPool(signal: AbortSignal): Promise<RemoteExecutor> {
    for (let waiting = this.#pool.shift(); waiting; waiting = this.#pool.shift()) {
      const executor = await waiting;
      if (executor?.isAlive) return executor;
      void executor?.[Symbol.asyncDispose]();
    }
    return await this.#connected(signal);
  }

  async #connected(signal: AbortSignal, attach?: JsonValue): Promise<RemoteExecutor> {
    const runner = runnerOf(this.language);
    const attachment = attach === undefined ? null : checkAttachment(attach);
    const session = attachment?.session ?? randomHex();
    const sandbox = await this.#service.open({ signal, runner, ...(attachment && { attach: attachment.sandbox }) });
    const executor = new RemoteExecutor({
      sandbox,
      runner,
      session,
      isAttached: attachment !== null,
      limits: this.#limits,
      imports: this.authorizedImports ?? null,
      keepMs: this.#keepMs,
    });
    await executor.connect();
    if (!signal.aborted) return executor;
    await executor[Symbol.asyncDispose]();
    throw signal.reason;
  }
}

/**
 * Disposes of an executor. Waits a moment first, because its user may already be closing it or
 * releasing it for a resumed run.
 */
async function closed(executor: RemoteExecutor): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closingMs);
  });
  await Promise.race([executor.ended, late]);
  clearTimeout(timer);
  await executor[Symbol.asyncDispose]();
}

function checkAttachment(attach: JsonValue): { readonly session: string; readonly sandbox: JsonValue } {
  if (isRecord(attach)) {
    const { session, sandbox } = attach as { readonly [name: string]: JsonValue };
    if (typeof session === "string" && sandbox !== undefined) return { session, sandbox };
  }
  throw new AgentError("executor", `this is not an attachment of a sandbox: ${JSON.stringify(attach).slice(0, 100)}`, {
    hint: "pass what executor.attachment() returned",
  });
}

function checkLanguage(language: GuestLanguage): GuestLanguage {
  if (language === "javascript" || language === "python") return language;
  throw invalidOption(
    `language is ${JSON.stringify(language)}; expected "javascript" or "python"`,
    'write language: "python"',
  );
}

function checkCount(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalidOption(
    `${name} is ${String(value)}; expected a whole number >= ${least}`,
    `for example, write ${name}: ${Math.max(least, 1)}`,
  );
}

const defaultLimits: Required<RemoteLimits> = {
  guestTimeMs: 60_000,
  memoryBytes: 0,
  outputCharacters: 1_000_000,
  pendingCalls: 1_000,
};

function resolveLimits(limits: RemoteLimits): GuestLimits {
  for (const [name, value] of Object.entries(limits) as [string, number | undefined][]) {
    if (!(name in defaultLimits)) {
      throw invalidOption(
        `limits.${name} is not a limit of this executor`,
        `the limits are ${Object.keys(defaultLimits).join(", ")}`,
      );
    }
    if (value !== undefined && value !== Number.POSITIVE_INFINITY) checkCount(`limits.${name}`, value, 0);
  }
  const { guestTimeMs, memoryBytes, outputCharacters, pendingCalls } = { ...defaultLimits, ...limits };
  const finite = (value: number): number => (value === Number.POSITIVE_INFINITY ? 0 : value);
  return {
    timeMs: finite(guestTimeMs),
    memoryBytes: finite(memoryBytes),
    outputChars: finite(outputCharacters),
    pendingCalls: finite(pendingCalls),
  };
}
