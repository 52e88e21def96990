// The modules of a session. Keeps lists of the available modules, of those that programs may
// import, and of those that have been loaded. Each module runs at most once in a session.

import { type ImportableModules, type ModuleDeclaration, nearestName } from "@smolts/protocol";
import type { Binding } from "../bindings.ts";
import { type Position, type SourceText, thrownValue } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { toStringValue } from "../operations/conversion.ts";
import { driveAsync } from "../operations/drive-async.ts";
import type { HostGenerator } from "../operations/generator.ts";
import { createPromise, rejectPromise, resolvePromise } from "../operations/promise.ts";
import { ProgramSyntaxError, readingCost } from "../parse.ts";
import { defineHidden } from "../realm/define.ts";
import type { Realm } from "../realm/realm.ts";
import { requireAmpleStack } from "../stack-room.ts";
import { isAuthorizedImport } from "./authorized-imports.ts";
import { GuestRecord } from "./guest-record.ts";
import { HostRecord } from "./host-record.ts";
import { missingModule, refuseImport, shortened } from "./import-refusal.ts";
import { linkImports } from "./link-imports.ts";
import type { ImportDynamically, LoadedModule } from "./loaded-module.ts";
import type { ModuleSyntax } from "./module-syntax.ts";
import { ModuleTable, type Target } from "./module-table.ts";
import { type EraseTypes, parseModule } from "./parse-module.ts";

/** The imports of a program. They must run before the program. */
export interface ProgramImports {
  /** The bindings of imported variables, by local name. */
  readonly bindings: ReadonlyMap<string, Binding>;
  /**
   * Whether one of the modules has an `await` at its top level, so that running the imports may
   * take time.
   */
  readonly mayWait: boolean;
  evaluate(): HostGenerator;
}

/** A module that is being loaded, and where its source came from. */
interface FreshRecord {
  readonly record: GuestRecord;
  readonly target: Target;
}

/** The modules of one session. */
export class SessionModules {
  readonly #realm: Realm;
  readonly #callHost: (name: string, args: readonly unknown[]) => unknown;
  readonly #given = new ModuleTable();
  #authorized: readonly string[] | undefined;
  #eraseTypes: EraseTypes | null = null;
  readonly #loaded = new Map<string, LoadedModule>();

  constructor(realm: Realm, callHost: (name: string, args: readonly unknown[]) => unknown) {
    this.#realm = realm;
    this.#callHost = callHost;
  }

  /**
   * Sets the modules of the session, and the function that removes types from TypeScript modules.
   */
  set({ modules, authorizedImports }: ImportableModules, eraseTypes: EraseTypes | null): void {
    this.#given.add(modules);
    this.#authorized = authorizedImports;
    this.#eraseTypes = eraseTypes;
  }

  /** The imports that programs may use. For messages only. */
  get importable(): readonly string[] {
    const isAll = this.#authorized === undefined || this.#authorized.includes("*");
    return (isAll ? this.#given.names : (this.#authorized ?? [])).toSorted();
  }

  /**
   * Loads the imports of a program.
   *
   * @throws ImportRefusal for a module that the program may not import; ProgramSyntaxError for a
   *   module whose source is not valid, or that does not export an imported name
   */
  importsOf(syntax: ModuleSyntax, source: SourceText): ProgramImports | null {
    if (syntax.requests.length === 0) return null;
    const modules = new Map<string, LoadedModule>();
    for (const { specifier, offset } of syntax.requests) {
      modules.set(specifier, this.#load(this.#targetForProgram(specifier, { source, offset })));
    }
    const all = [...modules.values()];
    return {
      bindings: linkImports(syntax, modules, source),
      mayWait: all.some((module) => module.mayWait()),
      *evaluate() {
        for (const module of all) yield* module.evaluate();
        return undefined;
      },
    };
  }

  /** Returns the function that handles `import()` in a program. */
  importerOf(source: SourceText): ImportDynamically {
    return (specifier, offset) =>
      this.#import(() => this.#targetForProgram(toStringValue(specifier), { source, offset }));
  }

  /**
   * Drops the modules that an execution started but did not finish, so that the next execution
   * starts them again.
   */
  dropUnfinished(): void {
    for (const [key, module] of this.#loaded) {
      if (module instanceof GuestRecord && (module.state === "linked" || module.state === "running"))
        this.#loaded.delete(key);
    }
  }

  /** Yields the values that modules keep in memory, for measuring memory. */
  *roots(): Iterable<unknown> {
    for (const { namespace } of this.#loaded.values()) yield namespace.value;
  }

  #import(find: () => Target): GuestObject {
    requireAmpleStack(this.#realm.meter.depth);
    const promise = createPromise(this.#realm);
    const onThrow = (caught: unknown): void => rejectPromise(this.#realm, promise, this.#reasonOf(caught));
    try {
      const module = this.#load(find());
      driveAsync(this.#realm, module.evaluate(), {
        onReturn: () => resolvePromise(this.#realm, promise, module.namespace.value),
        onThrow,
      });
    } catch (caught) {
      onThrow(caught);
    }
    return promise.self;
  }

  /**
   * Returns the reason with which an `import()` rejects after this exception. If the module is not
   * valid, the reason is a guest error. The program can catch it, because it is already running.
   */
  #reasonOf(caught: unknown): unknown {
    if (!(caught instanceof ProgramSyntaxError)) return thrownValue(this.#realm, caught);
    const { message, source, offset, hint } = caught;
    const error = this.#realm.newError("SyntaxError", message, { source, offset });
    if (hint !== undefined) defineHidden(error, "hint", hint);
    return error;
  }

  #load(target: Target): LoadedModule {
    const fresh: FreshRecord[] = [];
    try {
      const module = this.#recordOf(target, fresh);
      for (const { record } of fresh) record.link();
      for (const { record, target: from } of fresh) record.instantiate(this.#importerOfModule(from, record.source));
      return module;
    } catch (error) {
      for (const { target: failed } of fresh) this.#loaded.delete(keyOf(failed));
      throw error;
    }
  }

  /**
   * Returns the record of the file that `target` names. Loads the file and all its imports if they
   * are not loaded yet. Adds new records to `fresh`.
   */
  #recordOf(target: Target, fresh: FreshRecord[]): LoadedModule {
    const { module, path } = target;
    const key = keyOf(target);
    const known = this.#loaded.get(key);
    if (known) return known;
    if (module.type === "host-module") return this.#loadHostModule(module);
    const file = path ?? module.entry;
    const text = module.files[file] ?? "";
    const source = { name: displayName(module, path), text, isModule: true };
    this.#realm.meter.charge(readingCost(source));
    this.#realm.meter.allocate(2 * text.length);
    const record = new GuestRecord(this.#realm, parseModule(source, file, this.#eraseTypes));
    this.#loaded.set(key, record);
    fresh.push({ record, target });
    for (const { specifier, offset } of record.syntax.requests) {
      const wanted = this.#targetForModule(specifier, target, { source: record.source, offset });
      record.imports.set(specifier, this.#recordOf(wanted, fresh));
    }
    return record;
  }

  #loadHostModule({ name, functions }: Extract<ModuleDeclaration, { type: "host-module" }>): LoadedModule {
    const made = functions.map((key) => {
      const callName = `${name}.${key}`;
      const call = (_thisValue: unknown, ...args: unknown[]): unknown => this.#callHost(callName, args);
      return [key, this.#realm.newNativeFunction(key, 0, call)] as const;
    });
    const record = new HostRecord(this.#realm, name, new Map(made));
    this.#loaded.set(name, record);
    return record;
  }

  #importerOfModule(from: Target, source: SourceText): ImportDynamically {
    return (specifier, offset) =>
      this.#import(() => this.#targetForModule(toStringValue(specifier), from, { source, offset }));
  }

  /**
   * Resolves an import of a program. Programs may import only authorised modules, and cannot use
   * relative paths.
   */
  #targetForProgram(specifier: string, position: Position): Target {
    if (this.#authorized && !isAuthorizedImport(specifier, this.#authorized)) return this.#refuse(specifier, position);
    const target = this.#given.targetOf(specifier);
    if (target) return target;
    const module = this.#given.moduleAbove(specifier);
    if (!module) return this.#refuse(specifier, position);
    const rest = specifier.slice(module.name.length + 1);
    return this.#realm.meter.end(
      missingModule(`"${module.name}" has no file "${shortened(rest)}"`, position, hintForFile(module, rest)),
    );
  }

  #refuse(specifier: string, position: Position): never {
    return this.#realm.meter.end(refuseImport(specifier, this.importable, position));
  }

  /**
   * Resolves an import of a module. Modules may import every module of the session, because
   * authorisation limits only programs.
   */
  #targetForModule(specifier: string, from: Target, position: Position): Target {
    const target = this.#given.targetFrom(from, specifier);
    if (target) return target;
    return this.#realm.meter.end(
      missingModule(`"${shortened(specifier)}" is imported, and no such module was given`, position),
    );
  }
}

const keyOf = ({ module: { name }, path }: Target): string => (path === null ? name : `${name}\n${path}`);

function displayName(module: Extract<ModuleDeclaration, { type: "guest-module" }>, path: string | null): string {
  return Object.keys(module.files).length === 1 ? module.name : `${module.name}/${path ?? module.entry}`;
}

/** Returns a hint with the name of the file that the program probably meant. */
function hintForFile(module: ModuleDeclaration, wanted: string): string | undefined {
  if (module.type === "host-module") return `write import { name } from "${module.name}"`;
  const names = [...Object.keys(module.subpaths ?? {}), ...Object.keys(module.files)];
  const near = nearestName(
    wanted,
    names.filter((name) => !name.startsWith("#")),
  );
  return near === undefined ? `write import { name } from "${module.name}"` : `did you mean "${module.name}/${near}"?`;
}
