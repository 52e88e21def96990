// The guest: the process that runs the model's code.

import { Console } from "node:console";
import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { join } from "node:path";
import { Writable } from "node:stream";
import { formatWithOptions } from "node:util";
import vm from "node:vm";
import { Worker } from "node:worker_threads";
import { type ConsoleLine, decodeValue, type EncodedValue, encodeValue, type SerializedError } from "@smolts/protocol";
import { frameLine } from "../../src/frames.ts";
import { blockOutput } from "./block-output.ts";
import { describeSyntaxError, describeThrow, describeUnhandled } from "./describe-error.ts";
import { brokenExitCode, type FromGuest, type ToGuest } from "./messages.ts";
import { readProgram, rewriteProgram } from "./rewrite-program.ts";
import { variableSummary } from "./variable-summary.ts";

/** Imports a module. The specifier resolves as in a file of the working directory. */
export type Importer = (specifier: string) => Promise<unknown>;

// Kept here because programs may overwrite these globals.
const { process, setImmediate } = globalThis;

/**
 * The longest line that is printed, in characters. Longer lines are printed in pieces, so that each
 * piece fits into a message.
 */
const maxLineLength = 1_000_000;
const guestFd = 3;
const interruptFd = 4;

/**
 * Runs blocks for the supervisor, which is connected to file descriptor 3. Exits when the
 * supervisor exits.
 */
export function serveGuest(importer: Importer): void {
  const socket = new Socket({ fd: guestFd });
  const guest = new Guest(importer, (message) => writeLine(frameLine(message)));
  let partial: string[] = [];
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    const lines = text.split("\n");
    partial.push(lines.shift() ?? "");
    for (const line of lines) {
      const message = partial.join("");
      partial = [line];
      guest.take(JSON.parse(message));
    }
  });
  socket.on("close", () => process.exit(0));
  socket.on("error", () => process.exit(0));
  writeLine(frameLine({ type: "ready" }));
  startInterrupter();
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes a complete line to the supervisor synchronously. So the message arrives even if the
 * program never returns to the event loop. If the supervisor does not read, the program waits.
 */
function writeLine(line: string): void {
  let bytes: Uint8Array = Buffer.from(line, "latin1");
  let waitMs = 0.05;
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(guestFd, bytes));
      waitMs = 0.05;
    } catch (error) {
      if ((error as { readonly code?: string }).code !== "EAGAIN") process.exit(0);
      Atomics.wait(pause, 0, 0, waitMs);
      waitMs = Math.min(waitMs * 2, 1);
    }
  }
}

/**
 * Starts a thread that stops the code in the main thread when a byte arrives on file descriptor 4.
 * The code's variables survive.
 *
 * These interrupts would corrupt the state of async hooks. So this process cannot use
 * AsyncLocalStorage to find out to which block running code belongs. If an earlier block left
 * something running, its calls and its output count as those of the current block.
 */
function startInterrupter(): void {
  const source = `
    const { Session } = require("node:inspector");
    const socket = new (require("node:net").Socket)({ fd: ${interruptFd} });
    socket.on("data", () => {
      const session = new Session();
      session.connectToMainThread();
      session.post("Runtime.terminateExecution", () => session.disconnect());
    });
    socket.on("error", () => {});
    // The supervisor has exited. The main thread may be in a loop and not notice that.
    socket.on("close", () => process.kill(process.pid, "SIGKILL"));
  `;
  const worker = new Worker(source, { eval: true, stdin: false, execArgv: [] });
  worker.on("error", () => {});
  worker.unref();
}

/** One execution of a block. It is current until the next one begins. */
interface Execution {
  readonly number: number;
  readonly sourceName: string;
  readonly calls: Map<number, OpenCall>;
  callCount: number;
  isOver: boolean;
  /** An uncaught error that did not come from the block's own promise. */
  stray: { readonly error: unknown } | null;
  /** Called when the result of a call arrives after the program has ended. */
  onDelivered: (() => void) | null;
}

type Variables = { readonly [name: string]: EncodedValue };

interface OpenCall {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Thrown by `finalAnswer` to end the program. */
class ProgramAnswered extends Error {
  override readonly name = "FinalAnswer";
}

class Guest {
  readonly #send: (message: FromGuest) => void;
  readonly #importer: Importer;
  readonly #getters = new Map<string, () => unknown>();
  readonly #setters: { [name: string]: (value: unknown) => void } = Object.create(null);
  readonly #sources = new Map<
    string,
    { text: string; originalOffset: (offset: number) => number; generated: string }
  >();
  /** The modules whose functions run on the host. */
  readonly #hostModules = new Map<string, object>();
  #tools = new Set<string>();
  #finalAnswer: string | null = null;
  #imports: readonly string[] | null = null;
  #maxValueChars = 0;
  #outputChars = 0;
  #execution: Execution | null = null;

  constructor(importer: Importer, send: (message: FromGuest) => void) {
    this.#importer = importer;
    this.#send = send;
    process.on("unhandledRejection", (error) => this.#stray(error));
    process.on("uncaughtException", (error) => this.#stray(error));
    this.#captureOutput();
    const require = createRequire(join(process.cwd(), "block.js"));
    Object.defineProperty(globalThis, "require", { value: require, configurable: true, writable: true });
  }

  take(message: ToGuest): void {
    switch (message.type) {
      case "start":
        return this.#start(message);
      case "execute":
        return this.#execute(message);
      case "deliver":
        return this.#deliver(message);
      case "drop":
        if (this.#execution?.number === message.execution) this.#end(this.#execution);
        return this.#send({ type: "dropped", execution: message.execution });
      case "variables":
        return this.#describeVariables(message);
      case "is-program":
        return this.#send({ type: "is-program", request: message.request, isProgram: isProgram(message.code) });
      default:
        message satisfies never;
    }
  }

  #start(message: Extract<ToGuest, { type: "start" }>): void {
    const { tools, finalAnswer, imports, hostModules, maxValueChars, outputChars } = message;
    this.#tools = new Set(tools);
    this.#finalAnswer = finalAnswer;
    this.#imports = imports;
    this.#maxValueChars = maxValueChars;
    this.#outputChars = outputChars;
    for (const name of tools) if (!name.includes(".")) this.#defineTool(name);
    for (const [module, functions] of Object.entries(hostModules)) {
      const entries = functions.map((name) => [name, this.#function(`${module}.${name}`)]);
      this.#hostModules.set(module, Object.fromEntries(entries));
    }
  }

  #defineTool(name: string): void {
    const call = name === this.#finalAnswer ? this.#answer.bind(this) : this.#function(name);
    Object.defineProperty(globalThis, name, { value: call, configurable: true, writable: false, enumerable: false });
  }

  #function(name: string): (...args: unknown[]) => Promise<unknown> {
    const call = (...args: unknown[]): Promise<unknown> => this.#call(name, args);
    return Object.defineProperty(call, "name", { value: name.split(".").at(-1) ?? name });
  }

  #execute({ execution: number, code, variables }: Extract<ToGuest, { type: "execute" }>): void {
    if (this.#execution) this.#end(this.#execution);
    const sourceName = `block ${number}`;
    const execution: Execution = {
      number,
      sourceName,
      calls: new Map(),
      callCount: 0,
      isOver: false,
      stray: null,
      onDelivered: null,
    };
    this.#execution = execution;
    void this.#run(execution, code, variables);
  }

  async #run(execution: Execution, code: string, variables: Variables): Promise<void> {
    try {
      await this.#runToEnd(execution, code, variables);
    } catch {
      // The program has replaced functions that this code needs. The supervisor would wait for the
      // result forever, so the process exits.
      process.exit(brokenExitCode);
    }
  }

  async #runToEnd(execution: Execution, code: string, variables: Variables): Promise<void> {
    let shown: { readonly value: unknown } | null = null;
    let error: SerializedError | null = null;
    // Continue in a separate job, so that an interrupt stops only this job and not the code that
    // reads the pipe.
    await null;
    try {
      this.#declare(Object.keys(variables));
      for (const [name, value] of Object.entries(variables)) this.#setters[name]?.(decodeValue(value));
      const program = this.#compile(execution.sourceName, code);
      await program({
        show: (value: unknown) => {
          shown = { value };
        },
        set: this.#setters,
        import: (specifier: unknown) => this.#import(String(specifier)),
        pick: pickImport,
        meta: { url: `file://${process.cwd()}/block.js`, dirname: process.cwd() },
      });
    } catch (thrown) {
      error = this.#describe(thrown, code, execution.sourceName);
    }
    const unawaited = [...execution.calls.keys()];
    // Wait for one turn of the event loop, because Node reports unhandled rejections after the
    // promise callbacks of this turn.
    await turn();
    await this.#delivered(execution);
    if (execution.isOver) return;
    if (!error && execution.stray)
      error = describeUnhandled(this.#describe(execution.stray.error, code, execution.sourceName));
    this.#end(execution);
    this.#flushOutput();
    const value = shown as { readonly value: unknown } | null; // the program has assigned it
    const output = error || value?.value === undefined ? null : await this.#output(value.value);
    this.#send({ type: "ended", execution: execution.number, output, error, unawaited });
  }

  async #output(value: unknown): Promise<Extract<FromGuest, { type: "ended" }>["output"]> {
    return blockOutput(value, { maxChars: this.#outputChars, encode: (plain) => this.#encode(plain, "the value") });
  }

  /**
   * Waits until the outcomes of calls that the program did not await are delivered, and until the
   * callbacks for these outcomes have run.
   */
  async #delivered(execution: Execution): Promise<void> {
    while (execution.calls.size > 0 && !execution.isOver) {
      await new Promise<void>((resolve) => {
        execution.onDelivered = resolve;
      });
      await turn();
    }
  }

  #compile(sourceName: string, code: string): (helper: object) => Promise<void> {
    const refused = new Set(this.#tools);
    const source = { name: sourceName, text: code };
    const program = rewriteProgram(source, refused);
    this.#declare(program.names);
    this.#sources.set(sourceName, { text: code, originalOffset: program.originalOffset, generated: program.text });
    return new vm.Script(program.text, { filename: sourceName }).runInThisContext();
  }

  /** Declares variables for all blocks. A variable that exists keeps its value. */
  #declare(names: readonly string[]): void {
    for (const name of names) {
      if (this.#getters.has(name)) {
        // Deleted and added again, so that the variable that was declared last is listed last.
        const getter = this.#getters.get(name);
        this.#getters.delete(name);
        if (getter) this.#getters.set(name, getter);
        continue;
      }
      vm.runInThisContext(`let ${name};`);
      this.#getters.set(name, vm.runInThisContext(`(() => ${name})`));
      this.#setters[name] = vm.runInThisContext(`((value) => { ${name} = value; })`);
    }
  }

  async #import(specifier: string): Promise<unknown> {
    const allowed = this.#imports;
    if (allowed && !allowed.some((pattern) => isAllowed(pattern, specifier)))
      throw new ImportRefused(specifier, allowed);
    return this.#hostModules.get(specifier) ?? (await this.#importer(specifier));
  }

  #call(name: string, args: readonly unknown[]): Promise<unknown> {
    const execution = this.#execution;
    // Calls from an execution that has ended get no result.
    if (!execution || execution.isOver) return new Promise(() => {});
    const encoded = args.map((arg, index) => this.#encode(arg, `argument ${index + 1} of ${name}`));
    const call = ++execution.callCount;
    return new Promise((resolve, reject) => {
      execution.calls.set(call, { resolve, reject });
      this.#send({ type: "call", execution: execution.number, call, name, args: encoded });
    });
  }

  #answer(...args: unknown[]): never {
    const execution = this.#execution;
    if (execution && !execution.isOver) {
      const encoded = args.map((arg) => this.#encode(arg, "the final answer"));
      this.#flushOutput();
      this.#end(execution);
      this.#send({ type: "final-answer", execution: execution.number, args: encoded });
    }
    throw new ProgramAnswered("the block is over: it has called finalAnswer");
  }

  #encode(value: unknown, what: string): EncodedValue {
    let left = this.#maxValueChars;
    return encodeValue(value, {
      charge: (bytes) => {
        left -= bytes;
        if (left < 0)
          throw new RangeError(
            `${what} is too large: at most ${this.#maxValueChars} characters can leave the sandbox at once`,
          );
      },
    });
  }

  #deliver({ execution: number, call, outcome, request }: Extract<ToGuest, { type: "deliver" }>): void {
    const execution = this.#execution;
    const open = execution?.number === number ? execution.calls.get(call) : undefined;
    if (execution && open) {
      execution.calls.delete(call);
      if (outcome.type === "ok") open.resolve(decodeValue(outcome.value));
      else open.reject(toolError(outcome.error));
      execution.onDelivered?.();
    }
    // Send `rested` two turns later. By then all promise callbacks have run.
    setImmediate(() => setImmediate(() => this.#send({ type: "rested", request })));
  }

  #end(execution: Execution): void {
    execution.isOver = true;
    execution.calls.clear();
    execution.onDelivered?.();
  }

  #stray(error: unknown): void {
    if (error instanceof ProgramAnswered) return;
    const execution = this.#execution;
    if (execution) execution.stray ??= { error };
  }

  #describe(thrown: unknown, code: string, sourceName: string): SerializedError {
    try {
      if (thrown instanceof ImportRefused) return thrown.serialized;
      const source = { name: sourceName, text: code };
      return describeSyntaxError(thrown, source) ?? describeThrow(thrown, sourceName, this.#sources);
    } catch {
      return { code: "code-execution", message: "the code threw a value that cannot be described" };
    }
  }

  #describeVariables({ request, newest, previews }: Extract<ToGuest, { type: "variables" }>): void {
    const names = [...this.#getters.keys()];
    const chosen = newest === undefined ? names : names.slice(-newest || names.length);
    const variables = chosen.map((name) => variableSummary(name, this.#getters.get(name)?.(), previews));
    this.#send({ type: "variables", request, variables });
  }

  #print(level: ConsoleLine["level"], text: string): void {
    const execution = this.#execution;
    if (!execution || execution.isOver) return;
    for (let start = 0; start === 0 || start < text.length; start += maxLineLength) {
      this.#send({
        type: "console",
        execution: execution.number,
        level,
        text: text.slice(start, start + maxLineLength),
      });
    }
  }

  /**
   * Captures all text that this process itself prints. If the program starts child processes, the
   * supervisor reads their output.
   */
  #captureOutput(): void {
    const [out, error] = [this.#lineWriter("log"), this.#lineWriter("error")];
    this.#flushOutput = () => {
      out.flush();
      error.flush();
    };
    const console = new Console({ stdout: out.stream, stderr: error.stream });
    for (const level of ["log", "info", "warn", "error", "debug"] as const) {
      console[level] = (...values: unknown[]) => {
        this.#flushOutput();
        this.#print(level, formatWithOptions({ depth: 4, breakLength: 120 }, ...values));
      };
    }
    const { log } = console;
    const print = (...values: unknown[]): void => log(...values);
    for (const [name, value] of Object.entries({ console, print })) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
    const write = (stream: Writable): typeof process.stdout.write =>
      ((chunk: string | Uint8Array, ...rest: never[]) => stream.write(chunk, ...rest)) as typeof process.stdout.write;
    process.stdout.write = write(out.stream);
    process.stderr.write = write(error.stream);
  }

  #flushOutput: () => void = () => {};

  #lineWriter(level: ConsoleLine["level"]): { readonly stream: Writable; readonly flush: () => void } {
    let rest = "";
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk: string | Uint8Array, _encoding, done) => {
        rest += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
        const end = rest.lastIndexOf("\n");
        if (end >= 0) this.#print(level, rest.slice(0, end));
        rest = rest.slice(end + 1);
        if (rest.length > maxLineLength) flush();
        done();
      },
    });
    const flush = (): void => {
      if (rest !== "") this.#print(level, rest);
      rest = "";
    };
    return { stream, flush };
  }
}

class ImportRefused extends Error {
  readonly serialized: SerializedError;

  constructor(specifier: string, allowed: readonly string[]) {
    super(`the import of "${specifier}" was refused`);
    const names = allowed.length === 0 ? "nothing" : allowed.map((name) => `"${name}"`).join(", ");
    this.serialized = {
      code: "import-refused",
      message: `the import of "${specifier}" was refused: code here may import ${names}`,
      hint: "use what is allowed, or do without",
    };
  }
}

function isAllowed(pattern: string, specifier: string): boolean {
  const name = specifier.replace(/^node:/, "");
  if (pattern === "*" || pattern === name || pattern === specifier) return true;
  return pattern.endsWith(".*") && (name === pattern.slice(0, -2) || name.startsWith(`${pattern.slice(0, -2)}/`));
}

function pickImport(module: object, name: string, source: string): unknown {
  if (name in module) return Reflect.get(module, name);
  // The exports of a CommonJS module are properties of its default export.
  const whole: unknown = Reflect.get(module, "default");
  if (typeof whole === "object" && whole !== null && name in whole) return Reflect.get(whole, name);
  throw new SyntaxError(`the module "${source}" has no export named "${name}"`);
}

function toolError({ message, name, hint, code }: SerializedError): Error {
  const error = new Error(message);
  if (name !== undefined) Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  return Object.assign(error, { code, ...(hint !== undefined && { hint }) });
}

function isProgram(code: string): boolean {
  try {
    readProgram({ name: "block", text: code });
    return true;
  } catch {
    return false;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
