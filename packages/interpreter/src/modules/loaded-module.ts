// Modules that are loaded in a session. The top-level variables of a module are bindings, like
// those of a session. An imported name refers to the same binding as in the module that exports it.
// So importers always see the current value.

import type { Binding } from "../bindings.ts";
import type { GuestObject } from "../guest-value.ts";
import type { HostGenerator } from "../operations/generator.ts";

/** The result of looking up an exported name. */
export type Resolution = Binding | "absent" | "ambiguous";

/** A module that is loaded. */
export interface LoadedModule {
  /** The name to show to people, such as `date-fns/add.js`. */
  readonly name: string;
  resolveExport(exported: string, seen?: Set<string>): Resolution;
  /** Returns all exported names, including ambiguous ones. */
  exportedNames(seen?: Set<LoadedModule>): Set<string>;
  /** A binding whose value is the module's namespace object. */
  readonly namespace: Binding;
  /** Says whether the module or one of its imports has an `await` at its top level. */
  mayWait(seen?: Set<LoadedModule>): boolean;
  /**
   * Runs the modules that this one imports, and then this module. Skips modules that have already
   * run. `path` contains the modules that this evaluation has already reached, so that circular
   * imports end.
   */
  evaluate(path?: Set<LoadedModule>): HostGenerator;
}

/** Starts an `import()` and returns its promise. `offset` is its place in the source. */
export type ImportDynamically = (specifier: unknown, offset: number) => GuestObject;
