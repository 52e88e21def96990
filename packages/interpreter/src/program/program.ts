// A program: one block of code in a session, from its text to its end.

import type { Program as ProgramNode, Statement } from "acorn";
import { type Analysis, analyse } from "../analyse/analyse.ts";
import { boundNames } from "../analyse/bound-names.ts";
import type { VariableKind } from "../analyse/scope.ts";
import { answerNames, type Binding, type BindingKind, type SessionBindings, uninitialized } from "../bindings.ts";
import { type Context, suspends } from "../compile/context.ts";
import { compileHoisted } from "../compile/hoist.ts";
import { compileStatements } from "../compile/statement.ts";
import { type SuspendExecute, suspendStatements } from "../compile/suspend/list.ts";
import { type Completion, Return } from "../completion.ts";
import { type Frame, newFrame } from "../frame.ts";
import { type GuestThrow, isStackOverflow, type SourceText, toGuestThrow } from "../guest-throw.ts";
import type { ProgramImports, SessionModules } from "../modules/session-modules.ts";
import { driveAsync } from "../operations/drive-async.ts";
import type { HostBody } from "../operations/generator.ts";
import { ProgramSyntaxError } from "../parse.ts";
import type { Realm } from "../realm/realm.ts";
import type { ProgramReader } from "./program-reader.ts";

export { ProgramSyntaxError } from "../parse.ts";

/** How a program ended. `hasValue` is false if its last statement has no value to show. */
export type ProgramEnd =
  | { readonly type: "value"; readonly value: unknown; readonly hasValue: boolean }
  | { readonly type: "throw"; readonly thrown: GuestThrow };

/** A program that is ready to run. It can run only once. */
export interface Program {
  /**
   * Runs the program to its first `await`, or to its end. Calls `onEnd` once: before this returns,
   * or later from a job in the realm's queue.
   *
   * @throws Breach when a limit was reached; `realm.jobs.run` can throw it too
   */
  run(onEnd: (end: ProgramEnd) => void): void;
}

/** The parts of a session that are needed to compile a program. */
export interface ProgramSurroundings {
  readonly realm: Realm;
  readonly bindings: SessionBindings;
  readonly modules: SessionModules;
  readonly programs: ProgramReader;
}

/**
 * Compiles a program of a session. Adds its top-level names to the bindings of the session, and
 * loads its imports.
 *
 * @throws ProgramSyntaxError when it is not valid, uses syntax that is refused, or redefines a
 *   tool; ImportRefusal for an import that is not allowed
 */
export function compileProgram(session: ProgramSurroundings, source: SourceText): Program {
  try {
    return compileWithinStack(session, source);
  } catch (error) {
    if (isStackOverflow(error)) throw new ProgramSyntaxError("the program nests too deep", source, 0);
    throw error;
  }
}

/** Compiles a program. Recurses as deep as its syntax nests, so it can exhaust the stack. */
function compileWithinStack(session: ProgramSurroundings, source: SourceText): Program {
  const { realm, bindings, modules } = session;
  const syntax = session.programs.read(source);
  const body = [...syntax.body];
  const node: ProgramNode = { ...syntax.program, body };
  const analysis = analyse(
    node,
    source,
    syntax.imports.map(({ local }) => local),
  );
  const imports = modules.importsOf(syntax, source);
  realm.meter.charge(1); // if the clock stopped the program before this point, a replay stops here: nothing is declared yet
  declareBindings(analysis, bindings, source, node, imports);
  const last: LastValue = { value: undefined, hasValue: false, isReturned: false };
  const context: Context = {
    realm,
    meter: realm.meter,
    source,
    bindings,
    analysis,
    scope: analysis.programScope,
    functionKind: "async",
    evaluated: new Map(),
    onValue: null,
    importDynamically: modules.importerOf(source),
  };
  const isAsync = suspends(context, node) || imports?.mayWait;
  const run = isAsync ? asyncRun(context, body, last, imports) : plainRun(context, body, last, imports);
  const declared = lastDeclared(analysis, body);
  realm.meter.charge(1); // if the clock stopped the program after that point, a replay stops here: nothing has run yet
  return { run: (onEnd) => run((thrown) => onEnd(thrown ? { type: "throw", thrown } : endOf(last, declared))) };
}

interface LastValue {
  value: unknown;
  hasValue: boolean;
  /** Whether the value comes from a `return` at the top level. */
  isReturned: boolean;
}

type Run = (onEnd: (thrown: GuestThrow | null) => void) => void;

function plainRun(context: Context, body: readonly Statement[], last: LastValue, imports: ProgramImports | null): Run {
  const hoist = compileHoisted(context, body);
  const first = compileStatements(context, body.slice(0, -1));
  const final = compileStatements(observing(context, last, body), body.slice(-1));
  return (onEnd) => {
    const frame = newFrame(null, context.analysis.programScope.size);
    let completion: Completion | undefined;
    try {
      imports?.evaluate().next(); // ends immediately, because no imported module has an `await`
      hoist?.(frame);
      completion = first(frame) ?? final(frame);
    } catch (caught) {
      return onEnd(toGuestThrow(context.realm, caught));
    }
    if (!completion) return onEnd(null);
    drive(context.realm, awaitReturned(completion, last), onEnd);
  };
}

/** Runs the steps of a generator to the end, and awaits each value that it yields. */
function drive(realm: Realm, steps: HostBody, onEnd: (thrown: GuestThrow | null) => void): void {
  driveAsync(realm, steps, {
    onReturn: () => onEnd(null),
    onThrow: (caught) => onEnd(toGuestThrow(realm, caught)),
  });
}

/** Awaits the value that a program returns at its top level, as async functions do. */
function* awaitReturned(completion: Completion | undefined, last: LastValue): HostBody {
  if (!(completion instanceof Return)) return undefined;
  last.value = yield completion.value;
  last.hasValue = last.value !== undefined;
  last.isReturned = true;
  return undefined;
}

function asyncRun(context: Context, body: readonly Statement[], last: LastValue, imports: ProgramImports | null): Run {
  const { realm } = context;
  const hoist = compileHoisted(context, body);
  const first = suspendStatements(context, body.slice(0, -1));
  const final = suspendStatements(observing(context, last, body), body.slice(-1));
  return (onEnd) => {
    const frame = newFrame(null, context.analysis.programScope.size);
    drive(realm, runAsync(frame, imports, { hoist, first, final, last }), onEnd);
  };
}

interface AsyncParts {
  readonly hoist: ((frame: Frame) => void) | null;
  readonly first: SuspendExecute;
  readonly final: SuspendExecute;
  readonly last: LastValue;
}

function* runAsync(frame: Frame, imports: ProgramImports | null, { hoist, first, final, last }: AsyncParts): HostBody {
  if (imports) yield* imports.evaluate();
  hoist?.(frame);
  return yield* awaitReturned((yield* first(frame)) ?? (yield* final(frame)), last);
}

/**
 * Creates the context for compiling a program's last statement. The program shows the value of its
 * last expression statement. A loop shows nothing, because the value of its last iteration is of no
 * interest.
 */
function observing(context: Context, last: LastValue, body: readonly Statement[]): Context {
  if (loops.has(body.at(-1)?.type ?? "")) return context;
  const onValue = (value: unknown): void => {
    last.value = value;
    last.hasValue = true;
  };
  return { ...context, onValue };
}

const loops: ReadonlySet<string> = new Set([
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
]);

function endOf(last: LastValue, declared: Binding | null): ProgramEnd {
  const { value, hasValue } = last;
  if (last.isReturned || !declared) return { type: "value", value, hasValue };
  return { type: "value", value: declared.value === uninitialized ? undefined : declared.value, hasValue: true };
}

/** Returns the last binding that the last statement declares; null if it declares none. */
function lastDeclared({ programScope }: Analysis, body: readonly Statement[]): Binding | null {
  const statement = body.filter(({ type }) => type !== "EmptyStatement").at(-1);
  const name = statement ? lastNameOf(statement) : undefined;
  return (name !== undefined && programScope.variables.get(name)?.binding) || null;
}

function lastNameOf(statement: Statement): string | undefined {
  if (statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration") return statement.id.name;
  if (statement.type !== "VariableDeclaration") return undefined;
  return statement.declarations.flatMap(({ id }) => boundNames(id)).at(-1)?.name;
}

function declareBindings(
  { programScope }: Analysis,
  bindings: SessionBindings,
  source: SourceText,
  program: ProgramNode,
  imports: ProgramImports | null,
): void {
  for (const variable of programScope.variables.values()) {
    const { name, kind } = variable;
    if (bindings.tool(name) && !answerNames.has(name)) {
      throw new ProgramSyntaxError(
        `cannot redefine the tool "${name}"; use another name`,
        source,
        offsetOf(source, name, program),
        `"${name}" is always the declared tool; choose another name for your own variable or function`,
      );
    }
    if (constantGlobals.has(name) && kind !== "var") {
      throw new ProgramSyntaxError(`"${name}" cannot be declared again`, source, offsetOf(source, name, program));
    }
    const imported = imports?.bindings.get(name);
    if (imported) bindings.import(name, imported);
    variable.binding = imported ?? bindings.declare(name, bindingKind(kind));
  }
}

/** The constant properties of `globalThis`. No variable except a `var` may have such a name. */
const constantGlobals: ReadonlySet<string> = new Set(["undefined", "NaN", "Infinity"]);

/** Returns the offset at which a name first appears. That is precise enough for a message. */
function offsetOf({ text }: SourceText, name: string, program: ProgramNode): number {
  const declared = new RegExp(`(?:\\b(?:let|const|var|class|function|import|as)|[{,])\\s*${name}\\b`).exec(text);
  return declared ? declared.index + declared[0].length - name.length : program.start;
}

function bindingKind(kind: VariableKind): BindingKind {
  switch (kind) {
    case "let":
    case "const":
    case "class":
    case "var":
    case "function":
      return kind;
    default:
      return "implicit";
  }
}
