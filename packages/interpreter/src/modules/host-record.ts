import { Binding } from "../bindings.ts";
import type { GuestObject } from "../guest-value.ts";
import type { HostGenerator } from "../operations/generator.ts";
import type { Realm } from "../realm/realm.ts";
import type { LoadedModule, Resolution } from "./loaded-module.ts";
import { createNamespace } from "./module-namespace.ts";

/** A loaded module whose exports are functions of the host. */
export class HostRecord implements LoadedModule {
  readonly name: string;
  readonly namespace: Binding;
  readonly #exports: ReadonlyMap<string, Binding>;

  constructor(realm: Realm, name: string, functions: ReadonlyMap<string, GuestObject>) {
    this.name = name;
    const exports = new Map<string, Binding>();
    for (const [key, value] of functions) exports.set(key, new Binding(key, "const", value));
    this.namespace = new Binding(name, "const", createNamespace(realm, new Map(exports)));
    // Programs write `import stats from "stats"` as often as `import * as stats`, so support both.
    if (!exports.has("default")) exports.set("default", this.namespace);
    this.#exports = exports;
  }

  resolveExport(exported: string): Resolution {
    return this.#exports.get(exported) ?? "absent";
  }

  exportedNames(): Set<string> {
    return new Set(this.#exports.keys());
  }

  mayWait(): boolean {
    return false;
  }

  // biome-ignore lint/correctness/useYield: other modules can await here
  *evaluate(): HostGenerator {
    return undefined;
  }
}
