// Modules that code in a sandbox may import: in the form that users pass, and in the form that
// sandboxes get.

import type { ToolEffects } from "./tool.ts";

/** A module that runs in the sandbox, like the program that imports it. */
export interface GuestModule {
  readonly type: "guest-module";
  /**
   * Sources of ECMAScript modules by their path, such as `add.js` or `add.ts`; they import each
   * other relatively.
   */
  readonly files: { readonly [path: string]: string };
  /** Path of the file that an import of the bare name loads. */
  readonly entry: string;
  /**
   * Files by what is written after the module's name where that is not their path; `#name` for what
   * only its own files import.
   */
  readonly subpaths?: { readonly [subpath: string]: string };
}

/**
 * A module whose functions run on the host: each call is a host call, with copies of its arguments.
 */
export interface HostModule {
  readonly type: "host-module";
  readonly functions: { readonly [name: string]: HostFunction };
  /** The effects of a call of any of them. */
  readonly effects: ToolEffects;
}

/** A function of a {@link HostModule}; it takes and returns plain values. */
export type HostFunction = (...args: never[]) => unknown;

/** Modules by the names under which programs import them. */
export interface Modules {
  readonly [name: string]: GuestModule | HostModule;
}

/**
 * A module in the form that sandboxes get: plain data. A host module's function `f` calls the host
 * under the name `module.f`.
 */
export type ModuleDeclaration =
  | ({ readonly name: string } & GuestModule)
  | { readonly name: string; readonly type: "host-module"; readonly functions: readonly string[] };

/** Which modules there are, and which of them programs may import. */
export interface ImportableModules {
  readonly modules: readonly ModuleDeclaration[];
  /** `name`, `name/path`, `name.*` with all below it, or `*`; every module when absent. */
  readonly authorizedImports?: readonly string[];
}
