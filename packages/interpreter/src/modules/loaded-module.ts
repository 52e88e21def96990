// Modules as they are loaded in a session. A module's top-level variables are bindings, as a
// session's are, and an imported name is the very binding of the module that exports it. So
// importers always see what the variable holds now.

import type { Binding } from "../bindings.ts";
import type { GuestObject } from "../guest-value.ts";
import type { HostGenerator } from "../operations/generator.ts";

/** The binding of an exported name. */
export type Resolution = Binding | "absent" | "ambiguous";

/** A module that is loaded. */
export interface LoadedModule {
  /** As people read it: `date-fns/add.js`. */
  readonly name: string;
  resolveExport(exported: string, seen?: Set<string>): Resolution;
  /** All exported names, ambiguous ones included. */
  exportedNames(seen?: Set<LoadedModule>): Set<string>;
  /** Holds its namespace. */
  readonly namespace: Binding;
  /** Whether running it, or what it imports, waits for something. */
  mayWait(seen?: Set<LoadedModule>): boolean;
  /**
   * Runs what it imports, then itself, unless that has been done. `path`: the modules that are
   * being run for the same import.
   */
  evaluate(path?: Set<LoadedModule>): HostGenerator;
}

/** Starts the `import()` at an offset and returns its promise. */
export type ImportDynamically = (specifier: unknown, offset: number) => GuestObject;
