// The sandbox of one session. Programs run one after the other, and top-level variables are kept
// between them.

import { inputFromArguments } from "@smolts/core";
import { openSandbox, type Sandbox, type SandboxResult } from "@smolts/interpreter";
import { AgentError, encodeValue, type Tool } from "@smolts/protocol";
import { callTool } from "../call-tool.ts";
import type { CallContext } from "../offer.ts";
import { type CodeMode, codeModeNames } from "./code-mode.ts";
import type { ToolCatalogue } from "./tool-catalogue.ts";

/** The maximum number of waiting programs in one session. */
const maxWaiting = 16;
const defaultTimeoutMs = 120_000;
const maxTimerMs = 2 ** 31 - 1;

/** The result of a program. */
export type CodeResult = SandboxResult;

/** The sandbox of one session. */
export class CodeSession implements AsyncDisposable {
  readonly outputs: OutputStore = new OutputStore();
  readonly #codeMode: CodeMode;
  readonly #catalogue: ToolCatalogue;
  readonly #disposal = new AbortController();
  #sandbox: Promise<Sandbox> | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /**
   * The call whose program is running. Tools report progress and ask for approval through this
   * call.
   */
  #current: CallContext | null = null;

  constructor(codeMode: CodeMode, catalogue: ToolCatalogue) {
    this.#codeMode = codeMode;
    this.#catalogue = catalogue;
  }

  /**
   * Runs a program after the earlier programs have ended.
   *
   * @throws AgentError `busy` if too many programs wait; `executor` if the sandbox failed and its
   *   variables are lost
   */
  async run(code: string, context: CallContext): Promise<CodeResult> {
    if (this.#waiting >= maxWaiting) {
      throw new AgentError("busy", `${maxWaiting} programs of this session are waiting already`, {
        hint: "call run_code again when one has ended",
      });
    }
    this.#waiting += 1;
    const turn = this.#turn.then(() => this.#runNow(code, context));
    this.#turn = turn.catch(() => {});
    return turn.finally(() => {
      this.#waiting -= 1;
    });
  }

  async #runNow(code: string, context: CallContext): Promise<CodeResult> {
    const { timeoutMs = defaultTimeoutMs } = this.#codeMode.options;
    const isLimited = timeoutMs > 0 && timeoutMs <= maxTimerMs;
    const signals = [context.signal, this.#disposal.signal, ...(isLimited ? [AbortSignal.timeout(timeoutMs)] : [])];
    const signal = AbortSignal.any(signals);
    signal.throwIfAborted();
    this.#current = { ...context, signal };
    try {
      this.#sandbox ??= this.#open();
      const sandbox = await this.#sandbox;
      const result = await sandbox.run(code, { signal });
      context.signal.throwIfAborted();
      return result;
    } catch (error) {
      // The state of the sandbox is unknown after this error, so the sandbox is closed.
      await this.#close();
      throw error;
    } finally {
      this.#current = null;
    }
  }

  #open(): Promise<Sandbox> {
    const { tools, options } = this.#codeMode;
    const functions = {
      ...Object.fromEntries(tools.map((tool) => [tool.name, this.#functionOf(tool)])),
      [codeModeNames.search]: (query: unknown, limit: unknown) =>
        this.#catalogue.find(`${query}`, typeof limit === "number" ? limit : undefined),
      [codeModeNames.output]: (id: unknown) => this.outputs.read(`${id}`),
    };
    return openSandbox({ functions, ...(options.executor ? { executor: options.executor } : {}) });
  }

  #functionOf(tool: Tool): (...args: unknown[]) => Promise<unknown> {
    return async (...args) => {
      const context = this.#current;
      // A program may end without awaiting a call. Such a call can arrive after the program's end.
      if (!context) throw new AgentError("tool-execution", `"${tool.name}" was called after its program had ended`);
      context.report({ message: `calls ${tool.name}` });
      const encoded = args.map((argument) => encodeValue(argument));
      return callTool(tool, inputFromArguments(tool, encoded), context);
    };
  }

  async #close(): Promise<void> {
    const sandbox = this.#sandbox;
    this.#sandbox = null;
    await sandbox?.then((opened) => opened[Symbol.asyncDispose]()).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposal.abort(new Error("the session has ended"));
    await this.#close();
  }
}

/**
 * The maximum total length of the kept outputs, in characters. Beyond it, the oldest are dropped.
 */
const maxKept = 8_000_000;

/**
 * Stores the full texts of results that were too long to show. Each text can be read by its handle.
 */
class OutputStore {
  readonly #texts = new Map<string, string>();
  #length = 0;
  #count = 0;

  /** Keeps a text and returns its handle. */
  keep(text: string): string {
    const kept = text.slice(0, maxKept);
    const id = `output${++this.#count}`;
    this.#texts.set(id, kept);
    this.#length += kept.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#length <= maxKept) break;
      this.#texts.delete(oldest);
      this.#length -= length;
    }
    return id;
  }

  /** Returns a kept text. @throws AgentError `tool-input` for an unknown handle */
  read(id: string): string {
    const text = this.#texts.get(id);
    if (text !== undefined) return text;
    const known = [...this.#texts.keys()];
    throw new AgentError("tool-input", `there is no output "${id.slice(0, 50)}"`, {
      hint: known.length === 0 ? "nothing has been cut in this session" : `there are ${known.join(", ")}`,
    });
  }
}
