// A session: one realm with its top-level bindings and its clock. Executions (execution.ts) run in
// it one after the other.

import type {
  CallOutcome,
  ExecuteOptions,
  ExecutionEnvironment,
  ExecutionResult,
  VariableSummary,
  VariablesOptions,
} from "@smolts/protocol";
import { answerNames, SessionBindings } from "../bindings.ts";
import type { Native } from "../function-object.ts";
import type { InterpreterLimits } from "../interpreter-limits.ts";
import { Meter } from "../limits.ts";
import { SessionModules } from "../modules/session-modules.ts";
import { ProgramReader } from "../program/program-reader.ts";
import { createRealm, type Realm } from "../realm/realm.ts";
import { registeredKeys } from "../realm/symbol.ts";
import { Execution } from "./execution.ts";
import { GuestClock } from "./guest-clock.ts";
import { HeapGrowth } from "./heap-growth.ts";
import type { MemoryBounds } from "./memory-room.ts";
import { retainedSize } from "./retained-size.ts";
import { summarizeVariable } from "./variable-summary.ts";

// Even if the variables of a session use up the whole memory limit, a program may still allocate
// the limit divided by this number. It needs this room to free some of the variables.
const freeingRoomPart = 8;
// The variables are measured again each time programs have allocated a 16th of the memory limit.
const walksPerLimit = 16;

/** Facts about the host that a session needs; see `InterpreterOptions`. */
export interface HostFacts {
  readonly heldBytes: (collects?: boolean) => number;
  readonly callMs: number;
}

/** The state that the executions of one session share. */
export class ProgramSession {
  readonly realm: Realm;
  readonly bindings: SessionBindings = new SessionBindings();
  readonly programs: ProgramReader = new ProgramReader();
  readonly modules: SessionModules;
  readonly clock: GuestClock = new GuestClock();
  readonly limits: Required<InterpreterLimits>;
  readonly #heldBytes: (collects?: boolean) => number;
  readonly #growth: HeapGrowth;
  /** How long the host takes to transfer a small call to its tool, in ms. */
  readonly callMs: number;
  /** The start of the first execution, in epoch ms. */
  timeOrigin: number | null = null;
  #execution: Execution | null = null;
  #executionCount = 0;
  /**
   * The bytes that earlier executions left behind: those that were reachable when the variables
   * were last measured, and all that were allocated since then.
   */
  #retainedBytes = 0;
  /**
   * An upper bound for the part of `#retainedBytes` that can be in objects of the host, outside its
   * heap.
   */
  #hostBytes = 0;
  /** The bytes that the last walk through the variables found. */
  #foundBytes = 0;

  constructor(limits: Required<InterpreterLimits>, { heldBytes, callMs }: HostFacts) {
    this.limits = limits;
    this.#heldBytes = heldBytes;
    this.callMs = callMs;
    this.#growth = new HeapGrowth(heldBytes()); // Reads the heap before guest code adds to it.
    const meter = new Meter();
    meter.start();
    this.realm = createRealm(meter);
    this.modules = new SessionModules(this.realm, (name, args) => this.#running.call(name, args));
  }

  /**
   * Defines the tools. A call of a tool becomes a host call, but a call of `finalAnswer` or
   * `final_answer` ends the execution.
   */
  defineTools({ tools, imports }: ExecutionEnvironment): void {
    if (imports || tools.some((name) => !answerNames.has(name))) this.realm.watchPromises();
    const answers = tools.some((name) => answerNames.has(name)) ? answerNames : [];
    for (const name of answers) this.#defineTool(name, (_thisValue, ...args) => this.#running.answer(args));
    for (const name of tools) {
      if (!answerNames.has(name)) this.#defineTool(name, (_thisValue, ...args) => this.#running.call(name, args));
    }
  }

  /** How many executions have begun. This is also the number of the current execution. */
  get executionCount(): number {
    return this.#executionCount;
  }

  /** Whether an execution is running. */
  get isBusy(): boolean {
    return this.#execution !== null;
  }

  /** Runs a program. The caller must not let executions overlap. */
  execute(code: string, options: ExecuteOptions): Promise<ExecutionResult> {
    this.timeOrigin ??= options.time;
    const source = { name: `block ${++this.#executionCount}`, text: code };
    const execution = new Execution(this, source, options);
    this.#execution = execution;
    return execution.start();
  }

  /**
   * How much the next execution may allocate. The variables of the session count too, but a program
   * always gets some room to free them.
   */
  get memory(): MemoryBounds {
    const { memoryBytes } = this.limits;
    const room = memoryBytes / freeingRoomPart;
    const kept = Math.min(Math.max(this.#retainedBytes, this.#growth.bytes), memoryBytes);
    const heldBytes = Math.max(memoryBytes, kept + room);
    return {
      ownBytes: heldBytes - this.#retainedBytes,
      heldBytes,
      growth: this.#growth,
      readHeldBytes: (collects) => this.#readHeldBytes(collects),
    };
  }

  /** Records that an execution has ended, and how many bytes it allocated. */
  executionEnded({ bytes, hostBytes }: Meter): void {
    this.#execution = null;
    this.#growth.executionEnded(bytes);
    this.modules.dropUnfinished();
    this.#updateRetainedBytes(bytes, hostBytes);
  }

  /**
   * Settles a call of the current execution. `execution` is the number of the execution that made
   * the call. A call of another execution is ignored.
   */
  deliver(
    callIndex: number,
    outcome: CallOutcome,
    time: number,
    execution: number = this.#executionCount,
  ): Promise<void> {
    if (this.#execution === null || execution !== this.#executionCount) return Promise.resolve();
    return this.#execution.deliver(callIndex, outcome, time);
  }

  /** Ends the current execution, if there is one. */
  abort(): void {
    this.#execution?.abort();
  }

  /** Returns the variables, in the order of their declaration. */
  summarize({ newest = Number.POSITIVE_INFINITY, previews = true }: VariablesOptions = {}): VariableSummary[] {
    const listed = [...this.bindings.variables()].slice(-newest);
    return listed.map(({ name, value }) => summarizeVariable(this.realm, name, value, previews));
  }

  #updateRetainedBytes(allocatedBytes: number, hostBytes: number): void {
    const { memoryBytes } = this.limits;
    this.#retainedBytes += allocatedBytes;
    this.#hostBytes += hostBytes;
    if (this.#retainedBytes < memoryBytes / 2) return;
    const hasGrown = this.#retainedBytes - this.#foundBytes > memoryBytes / walksPerLimit;
    if (!hasGrown && this.#retainedBytes < 0.75 * memoryBytes) return;
    const retained = retainedSize(this.#roots());
    if (retained) this.#hostBytes = retained.hostBytes;
    const heldBytes = this.#readHeldBytes();
    // The walk leaves garbage. If it did not count, it would hide what the session adds later.
    this.#growth.note(heldBytes, 0);
    const found = Math.min(retained?.bytes ?? memoryBytes, heldBytes);
    this.#retainedBytes = Math.min(this.#retainedBytes, found);
    this.#foundBytes = this.#retainedBytes;
  }

  /** Returns an upper bound for the bytes that the variables hold, also outside the host's heap. */
  #readHeldBytes(collects?: boolean): number {
    return this.#heldBytes(collects) + this.#hostBytes;
  }

  *#roots(): Iterable<unknown> {
    for (const { value } of this.bindings.variables()) yield value;
    yield* this.modules.roots();
    yield this.realm.usedGlobals;
    yield* registeredKeys(this.realm);
  }

  get #running(): Execution {
    if (this.#execution) return this.#execution;
    throw new Error("guest code ran outside an execution");
  }

  #defineTool(name: string, native: Native): void {
    this.bindings.defineTool(name, this.realm.newNativeFunction(name, 1, native));
  }
}
