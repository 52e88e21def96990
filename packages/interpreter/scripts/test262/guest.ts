// The process that runs tests: one after the other, each in a new realm. The parent process sends
// the tests.

import { SessionBindings } from "../../src/bindings.ts";
import type { GuestThrow } from "../../src/guest-throw.ts";
import { isObject } from "../../src/guest-value.ts";
import { Breach, Meter } from "../../src/limits.ts";
import { SessionModules } from "../../src/modules/session-modules.ts";
import {
  compileProgram,
  type ProgramEnd,
  type ProgramSurroundings,
  ProgramSyntaxError,
} from "../../src/program/program.ts";
import { ProgramReader } from "../../src/program/program-reader.ts";
import { createRealm, type Realm } from "../../src/realm/realm.ts";

/** A message from the parent process. */
export interface TestRequest {
  readonly id: number;
  /** The programs to run in one realm, in this order. The last one is the test. */
  readonly sources: readonly string[];
}

/** A message to the parent process. */
export interface TestReply {
  readonly id: number;
  /** The exception of the test. `type` is the name of the error's constructor. */
  readonly error: { readonly type: string; readonly message: string } | null;
  /** Whether the host itself threw an exception, which is a defect of the interpreter. */
  readonly hasCrashed: boolean;
  /** The lines that an asynchronous test printed to report its result. */
  readonly printed: readonly string[];
}

function main(): void {
  process.on("message", (request: TestRequest) => process.send?.(runTest(request)));
  process.send?.("ready");
}

function runTest({ id, sources }: TestRequest): TestReply {
  const printed: string[] = [];
  try {
    const error = runInFreshRealm(sources, printed);
    return { id, error, hasCrashed: false, printed };
  } catch (caught) {
    if (caught instanceof ProgramSyntaxError) return failed({ type: "SyntaxError", message: caught.message });
    if (caught instanceof Breach) return failed({ type: "Breach", message: caught.reason });
    const message = caught instanceof Error ? (caught.stack ?? caught.message) : String(caught);
    return { ...failed({ type: "crash", message }), hasCrashed: true };
  }
  function failed(error: NonNullable<TestReply["error"]>): TestReply {
    return { id, error, hasCrashed: false, printed };
  }
}

function runInFreshRealm(sources: readonly string[], printed: string[]): TestReply["error"] {
  const meter = new Meter();
  meter.start({ operations: 1e9, memoryBytes: 4e9 });
  const realm = createRealm(meter);
  const bindings = new SessionBindings();
  const modules = new SessionModules(realm, () => undefined);
  const session: ProgramSurroundings = { realm, bindings, modules, programs: new ProgramReader() };
  const print = realm.newNativeFunction("print", 1, (_thisValue, text) => void printed.push(String(text)));
  bindings.define("print", print);
  for (const [index, text] of sources.entries()) {
    const end = runProgram(session, text, `script ${index}`);
    if (end?.type === "throw") return describe(realm, end.thrown);
    publishFunctions(realm, bindings);
  }
  return null;
}

function runProgram(session: ProgramSurroundings, text: string, name: string): ProgramEnd | null {
  let ended: ProgramEnd | null = null;
  compileProgram(session, { name, text }).run((end) => {
    ended = end;
  });
  session.realm.jobs.run();
  return ended;
}

/**
 * Puts the functions of the harness into `globalThis`. In a script, top-level functions are
 * properties of `globalThis`; here they are bindings of the session.
 */
function publishFunctions(realm: Realm, bindings: SessionBindings): void {
  const done = bindings.variable("$DONE");
  if (done) realm.globalObject["$DONE"] = done.value;
}

function describe(realm: Realm, thrown: GuestThrow): NonNullable<TestReply["error"]> {
  const value = thrown.valueIn(realm);
  if (!isObject(value)) return { type: typeof value, message: String(value) };
  const { constructor: maker, message } = value as { constructor?: unknown; message?: unknown };
  const type = isObject(maker) ? (maker as { name?: unknown }).name : undefined;
  const { hostError } = thrown;
  const cause = hostError instanceof Error ? ` (${hostError.stack})` : "";
  return { type: String(type), message: `${String(message)}${cause}` };
}

main();
