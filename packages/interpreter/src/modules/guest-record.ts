// Guest modules in a session. A module is linked with its imports and runs once.

import type { Program } from "acorn";
import { type Analysis, analyse } from "../analyse/analyse.ts";
import { Binding, SessionBindings, uninitialized } from "../bindings.ts";
import { type Context, suspends } from "../compile/context.ts";
import { compileHoisted } from "../compile/hoist.ts";
import { compileStatements } from "../compile/statement.ts";
import { suspendStatements } from "../compile/suspend/list.ts";
import { type Frame, newFrame } from "../frame.ts";
import { GuestThrow, type SourceText, toGuestThrow } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import type { HostGenerator } from "../operations/generator.ts";
import { createPromise, fulfillPromise, type PromiseSlots } from "../operations/promise.ts";
import type { Realm } from "../realm/realm.ts";
import { exportedBinding, linkImports } from "./link-imports.ts";
import type { ImportDynamically, LoadedModule, Resolution } from "./loaded-module.ts";
import { createNamespace } from "./module-namespace.ts";
import { type ModuleSyntax, moduleSyntax } from "./module-syntax.ts";
import type { ParsedModule } from "./parse-module.ts";

/** A loaded module whose source runs in the sandbox. */
export class GuestRecord implements LoadedModule {
  readonly source: SourceText;
  readonly syntax: ModuleSyntax;
  /** The imported modules by specifier. The loader fills it. */
  readonly imports: Map<string, LoadedModule> = new Map();
  state: "linked" | "running" | "done" | "failed" = "linked";
  readonly #realm: Realm;
  readonly #program: Program;
  readonly #analysis: Analysis;
  readonly #bindings = new Map<string, Binding>();
  #namespace: Binding | null = null;
  #frame: Frame = [];
  #run: ((frame: Frame) => HostGenerator) | null = null;
  #thrown: GuestThrow | null = null;
  /**
   * Settles when the module's code ends. An import that happens before then awaits this promise.
   */
  #end: PromiseSlots | null = null;

  /** @throws ProgramSyntaxError when the module uses syntax that is refused */
  constructor(realm: Realm, { source, program }: ParsedModule) {
    this.#realm = realm;
    this.source = source;
    this.syntax = moduleSyntax(program);
    this.#program = { ...program, body: [...this.syntax.body] };
    const imported = this.syntax.imports.map(({ local }) => local);
    this.#analysis = analyse(this.#program, source, imported);
    for (const variable of this.#analysis.programScope.variables.values()) {
      if (variable.kind === "import") continue;
      const { name, kind } = variable;
      variable.binding = new Binding(name, "let", kind === "var" || kind === "function" ? undefined : uninitialized);
      this.#bindings.set(name, variable.binding);
    }
  }

  get name(): string {
    return this.source.name;
  }

  get namespace(): Binding {
    this.#namespace ??= new Binding(this.name, "const", createNamespace(this.#realm, this.#exports()));
    return this.#namespace;
  }

  resolveExport(exported: string, seen: Set<string> = new Set()): Resolution {
    const place = `${exported} of ${this.name}`;
    if (seen.has(place)) return "absent";
    seen.add(place);
    for (const entry of this.syntax.exports) {
      if (entry.type === "all" || entry.exported !== exported) continue;
      if (entry.type === "local") return this.#bindings.get(entry.local) ?? "absent";
      const module = this.#imported(entry.specifier);
      return entry.imported === null ? module.namespace : module.resolveExport(entry.imported, seen);
    }
    return exported === "default" ? "absent" : this.#resolveInStars(exported, seen);
  }

  exportedNames(seen: Set<LoadedModule> = new Set()): Set<string> {
    const names = new Set<string>();
    if (seen.has(this)) return names;
    seen.add(this);
    for (const entry of this.syntax.exports) {
      if (entry.type !== "all") names.add(entry.exported);
      else
        for (const name of this.#imported(entry.specifier).exportedNames(seen)) if (name !== "default") names.add(name);
    }
    return names;
  }

  /**
   * Connects each imported name with the variable of the module that exports it.
   *
   * @throws ProgramSyntaxError for a name that the imported module does not export
   */
  link(): void {
    const { variables } = this.#analysis.programScope;
    for (const [local, binding] of linkImports(this.syntax, this.imports, this.source)) {
      const variable = variables.get(local);
      if (variable) variable.binding = binding;
    }
    for (const entry of this.syntax.exports) {
      if (entry.type !== "indirect" || entry.imported === null) continue;
      exportedBinding(this.#imported(entry.specifier), entry.imported, this.source, entry.offset);
    }
  }

  /**
   * Creates the functions that the module declares, because other modules may call them before the
   * module has run.
   */
  instantiate(importDynamically: ImportDynamically): void {
    const context: Context = {
      realm: this.#realm,
      meter: this.#realm.meter,
      source: this.source,
      bindings: SessionBindings.closed,
      analysis: this.#analysis,
      scope: this.#analysis.programScope,
      functionKind: "async",
      evaluated: new Map(),
      onValue: null,
      importDynamically,
    };
    const { body } = this.syntax;
    const hoist = compileHoisted(context, body);
    this.#run = suspends(context, this.#program)
      ? suspendStatements(context, body)
      : withoutWaiting(compileStatements(context, body));
    this.#frame = newFrame(null, this.#analysis.programScope.size);
    hoist?.(this.#frame);
  }

  mayWait(seen: Set<LoadedModule> = new Set()): boolean {
    if (this.state === "done" || seen.has(this)) return false;
    seen.add(this);
    if (this.state === "running" || this.#analysis.suspending.has(this.#program)) return true;
    return [...this.imports.values()].some((module) => module.mayWait(seen));
  }

  *evaluate(path: Set<LoadedModule> = new Set()): HostGenerator {
    if (path.has(this) || this.state === "done") return undefined;
    path.add(this);
    if (this.state === "running") yield this.#whenEnded();
    if (this.state === "failed") throw this.#thrown;
    if (this.state === "linked") yield* this.#evaluateNow(path);
    return undefined;
  }

  *#evaluateNow(path: Set<LoadedModule>): HostGenerator {
    this.state = "running";
    try {
      for (const module of this.imports.values()) yield* module.evaluate(path);
      yield* this.#run?.(this.#frame) ?? [];
      this.state = "done";
    } catch (caught) {
      const thrown = toGuestThrow(this.#realm, caught);
      this.#thrown = new GuestThrow(thrown.valueIn(this.#realm));
      this.#thrown.position = thrown.position;
      this.state = "failed";
      throw thrown;
    } finally {
      if (this.#end && this.state !== "running") fulfillPromise(this.#realm, this.#end, undefined);
    }
    return undefined;
  }

  #whenEnded(): GuestObject {
    this.#end ??= createPromise(this.#realm);
    return this.#end.self;
  }

  #exports(): Map<string, Binding> {
    const exports = new Map<string, Binding>();
    for (const name of this.exportedNames()) {
      const resolution = this.resolveExport(name);
      if (resolution instanceof Binding) exports.set(name, resolution);
    }
    return exports;
  }

  #resolveInStars(exported: string, seen: Set<string>): Resolution {
    let found: Resolution = "absent";
    for (const entry of this.syntax.exports) {
      if (entry.type !== "all") continue;
      const resolution = this.#imported(entry.specifier).resolveExport(exported, seen);
      if (resolution === "ambiguous") return "ambiguous";
      if (resolution === "absent") continue;
      if (found !== "absent" && found !== resolution) return "ambiguous";
      found = resolution;
    }
    return found;
  }

  #imported(specifier: string): LoadedModule {
    return this.imports.get(specifier) as LoadedModule; // all imported modules were loaded before
  }
}

const withoutWaiting = (execute: (frame: Frame) => unknown) =>
  // biome-ignore lint/correctness/useYield: other module bodies can await here
  function* (frame: Frame): HostGenerator {
    execute(frame);
    return undefined;
  };
