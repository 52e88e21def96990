// Our code in the guest's realm. It runs before any block. A block may change it later, but this
// harms only the block's own session, because the host checks every message from the realm.

import { type CallOutcome, decodeValue, type EncodedValue, encodeValue, type SerializedError } from "@smolts/protocol";
import { variableSummary } from "../../executor-remote/runners/node/variable-summary.ts";
import { defineBase64 } from "./base64-functions.ts";
import { formatWithOptions, inspect } from "./inspect.ts";

/** Functions of the thread that the realm can call. Each takes one string. */
export interface HostFunctions {
  send(text: string): void;
  startTimer(text: string): void;
  stopTimer(text: string): void;
}

type Program = (helper: object) => Promise<unknown>;

/** A message to the realm. Either the host or the thread wrote it. */
type ToRealm = { readonly type: string; readonly [field: string]: unknown };

interface Execution {
  readonly number: number;
  readonly calls: Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>;
  callCount: number;
  /**
   * The numbers of the calls that were open when the program ended. Null while the program is
   * running.
   */
  unawaited: readonly number[] | null;
  shown: { readonly value: unknown } | null;
  error: object | null;
  isOver: boolean;
}

/** Thrown by `finalAnswer` to end the program. */
class ProgramAnswered extends Error {
  override readonly name = "FinalAnswer";
}

class ImportRefused extends Error {}

const levels = ["log", "info", "warn", "error", "debug"];
const { parse, stringify } = JSON;

/** Sets up the realm, and returns the function that receives messages. */
export function openRealm(hostFunctions: HostFunctions): (text: string, program?: Program) => string {
  defineBase64();
  const guest = new Guest(hostFunctions);
  return (text, program) => guest.take(parse(text) as ToRealm, program);
}

class Guest {
  readonly #hostFunctions: HostFunctions;
  readonly #names = new Set<string>();
  readonly #timers = new Map<number, { readonly run: () => void; readonly everyMs: number | null }>();
  #timerCount = 0;
  #execution: Execution | null = null;
  #outputChars = 0;

  constructor(hostFunctions: HostFunctions) {
    this.#hostFunctions = hostFunctions;
    const console = Object.fromEntries(
      levels.map((level) => [level, (...values: unknown[]) => this.#print(level, values)]),
    );
    define("console", console);
    define("print", (...values: unknown[]) => this.#print("log", values));
    define("setTimeout", (run: () => void, delayMs = 0) => this.#setTimer(run, delayMs, false));
    define("setInterval", (run: () => void, delayMs = 0) => this.#setTimer(run, delayMs, true));
    for (const name of ["clearTimeout", "clearInterval"]) define(name, (id: number) => this.#clearTimer(id));
  }

  take(message: ToRealm, program?: Program): string {
    switch (message.type) {
      case "start":
        return this.#start(message);
      case "execute":
        return this.#execute(message, program);
      case "deliver":
        return this.#deliver(message);
      case "timer":
        return this.#fire(Number(message["id"]));
      case "variables":
        return this.#variables(message);
      case "rest":
        return this.#rest(message["hasTimers"] === true);
      case "end":
        if (this.#execution) this.#execution.isOver = true;
        this.#timers.clear();
        return "";
      default:
        return "";
    }
  }

  #start({ tools, finalAnswer, limits }: ToRealm): string {
    this.#outputChars = (limits as { readonly outputChars: number }).outputChars;
    for (const name of tools as readonly string[]) {
      define(name, name === finalAnswer ? this.#answer.bind(this) : this.#tool(name), false);
    }
    return "";
  }

  #tool(name: string): object {
    const call = (...args: unknown[]): Promise<unknown> => this.#call(name, args);
    return Object.defineProperty(call, "name", { value: name });
  }

  #execute({ execution: number, variables, names, broken }: ToRealm, program: Program | undefined): string {
    const execution: Execution = {
      number: Number(number),
      calls: new Map(),
      callCount: 0,
      unawaited: null,
      shown: null,
      error: null,
      isOver: false,
    };
    this.#execution = execution;
    for (const [name, value] of Object.entries(variables as { readonly [name: string]: EncodedValue })) {
      this.#declare(name);
      define(name, decodeValue(value));
    }
    for (const name of names as readonly string[]) this.#declare(name);
    if (broken) execution.error = broken as object;
    void this.#run(execution, program);
    return "";
  }

  async #run(execution: Execution, program: Program | undefined): Promise<void> {
    try {
      await program?.({
        show: (value: unknown) => {
          execution.shown = { value };
        },
        set: setters,
        import: async (specifier: unknown) => {
          throw new ImportRefused(`the import of "${String(specifier)}" was refused: code here may import nothing`);
        },
        pick: () => undefined,
        meta: {},
      });
    } catch (thrown) {
      if (!(thrown instanceof ProgramAnswered)) execution.error = describe(thrown);
    }
    execution.unawaited = [...execution.calls.keys()];
  }

  /**
   * Declares a variable. If the variable exists, it keeps its value and moves to the end of the
   * list of variables.
   */
  #declare(name: string): void {
    this.#names.delete(name);
    this.#names.add(name);
    if (!Object.hasOwn(globalThis, name)) define(name, undefined);
  }

  #call(name: string, args: readonly unknown[]): Promise<unknown> {
    const execution = this.#execution;
    if (!execution || execution.isOver) return new Promise(() => {});
    const encoded = args.map((arg) => encodeValue(arg));
    const call = ++execution.callCount;
    return new Promise((resolve, reject) => {
      execution.calls.set(call, { resolve, reject });
      this.#send({ type: "call", execution: execution.number, call, name, args: encoded });
    });
  }

  #answer(...args: unknown[]): never {
    const execution = this.#execution;
    if (execution && !execution.isOver) {
      const encoded = args.map((arg) => encodeValue(arg));
      execution.isOver = true;
      const result = { type: "final-answer", args: encoded, unawaited: [] };
      this.#send({ type: "result", execution: execution.number, result });
    }
    throw new ProgramAnswered("the block is over: it has called finalAnswer");
  }

  #deliver({ execution: number, call, outcome }: ToRealm): string {
    const execution = this.#execution;
    const open = execution?.number === number && !execution?.isOver ? execution?.calls.get(Number(call)) : undefined;
    if (!open) return "";
    execution?.calls.delete(Number(call));
    const given = outcome as CallOutcome;
    if (given.type === "ok") open.resolve(decodeValue(given.value));
    else open.reject(toolError(given.error));
    return "";
  }

  /**
   * Called when the engine has no more jobs to run, such as the code after an `await`. Returns
   * "over" if the block has ended, else "waits".
   */
  #rest(hasTimers: boolean): string {
    const execution = this.#execution;
    if (!execution || execution.isOver) return "over";
    if (execution.calls.size > 0) return "waits";
    if (execution.unawaited === null) {
      if (hasTimers) return "waits";
      execution.error = waitsForNothing;
      execution.unawaited = [];
    }
    execution.isOver = true;
    const result = execution.error
      ? { type: "error", error: execution.error, unawaited: execution.unawaited }
      : { type: "value", output: this.#output(execution.shown), unawaited: execution.unawaited };
    this.#send({ type: "result", execution: execution.number, result });
    return "over";
  }

  #output(given: Execution["shown"]): object | null {
    if (!given || given.value === undefined) return null;
    const { value } = given;
    const full = typeof value === "string" ? value : shownText(value);
    const text =
      this.#outputChars > 0 && full.length > this.#outputChars ? `${full.slice(0, this.#outputChars)} ...` : full;
    try {
      return { text, value: encodeValue(value) };
    } catch {
      return { text };
    }
  }

  #variables({ request, newest, previews }: ToRealm): string {
    const names = [...this.#names];
    const chosen = typeof newest === "number" && newest > 0 ? names.slice(-newest) : names;
    const variables = chosen.map((name) => variableSummary(name, Reflect.get(globalThis, name), previews === true));
    this.#send({ type: "variables", request, variables });
    return "";
  }

  #print(level: string, values: readonly unknown[]): void {
    const execution = this.#execution;
    if (!execution || execution.isOver) return;
    this.#send({
      type: "console",
      execution: execution.number,
      level,
      text: formatWithOptions({ depth: 4 }, ...values),
    });
  }

  #setTimer(run: () => void, delayMs: number, isRepeated: boolean): number {
    const id = ++this.#timerCount;
    if (this.#execution?.isOver !== false) return id;
    this.#timers.set(id, { run, everyMs: isRepeated ? Number(delayMs) : null });
    this.#hostFunctions.startTimer(stringify({ id, delayMs: Number(delayMs) }));
    return id;
  }

  #clearTimer(id: number): void {
    if (this.#timers.delete(id)) this.#hostFunctions.stopTimer(String(id));
  }

  #fire(id: number): string {
    const timer = this.#timers.get(id);
    if (!timer) return "";
    if (timer.everyMs === null) this.#timers.delete(id);
    else this.#hostFunctions.startTimer(stringify({ id, delayMs: timer.everyMs }));
    try {
      timer.run();
    } catch (thrown) {
      if (this.#execution && !(thrown instanceof ProgramAnswered)) this.#execution.error ??= describe(thrown);
    }
    return "";
  }

  #send(message: object): void {
    this.#hostFunctions.send(stringify(message));
  }
}

function shownText(value: unknown): string {
  try {
    return inspect(value, { depth: 6 });
  } catch (error) {
    return `[a value that cannot be shown: ${String(error)}]`;
  }
}

/**
 * Assigns values to variables of the program. Rewritten function declarations call these setters.
 */
const setters = new Proxy(
  {},
  {
    get: (_target, name) => (value: unknown) => Reflect.set(globalThis, name, value),
  },
);

function define(name: string, value: unknown, writable = true): void {
  Object.defineProperty(globalThis, name, { value, writable, configurable: true, enumerable: false });
}

/**
 * Describes an exception. The thread looks up the line of the error in `stack`, appends this line
 * to the message, and removes `stack`.
 */
function describe(thrown: unknown): object {
  if (thrown instanceof ImportRefused) {
    return { code: "import-refused", message: thrown.message, hint: "use what is allowed, or do without" };
  }
  if (!(thrown instanceof Error)) {
    return { code: "code-execution", message: `the code threw ${inspect(thrown, { depth: 2 })}` };
  }
  const { hint, stack } = thrown as { readonly hint?: unknown; readonly stack?: unknown };
  return {
    code: "code-execution",
    name: String(thrown.name),
    message: `${String(thrown.name)}: ${String(thrown.message)}`.slice(0, 2_000),
    ...(typeof hint === "string" && { hint }),
    stack: String(stack ?? ""),
  };
}

const waitsForNothing: SerializedError = {
  code: "code-execution",
  message: "the code waits for a promise that nothing will ever settle",
  hint: "settle the promise, or do not await it",
};

function toolError(error: SerializedError): Error {
  const made = Object.assign(new Error(error.message), error.hint === undefined ? {} : { hint: error.hint });
  if (error.name !== undefined) Object.defineProperty(made, "name", { value: error.name, configurable: true });
  return made;
}
