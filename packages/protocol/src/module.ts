// The types of modules that code in a sandbox may import: the modules that users pass, and the
// declarations that sandboxes get.

import type { ToolEffects } from "./tool.ts";

/** A module that runs in the sandbox, like the program that imports it. */
export interface GuestModule {
  readonly type: "guest-module";
  /**
   * The sources of ECMAScript modules by path, such as `add.js` or `add.ts`. The modules import
   * each other by relative paths.
   */
  readonly files: { readonly [path: string]: string };
  /** The path of the file that is loaded by an import of the module's bare name. */
  readonly entry: string;
  /**
   * Maps import subpaths to the paths of files. Needed only for a subpath that differs from the
   * path of its file. A subpath `#name` can be imported only by the module's own files.
   */
  readonly subpaths?: { readonly [subpath: string]: string };
}

/**
 * A module whose functions run on the host. Calling such a function makes a host call with copies
 * of the arguments.
 */
export interface HostModule {
  readonly type: "host-module";
  readonly functions: { readonly [name: string]: HostFunction };
  /** The effects that a call of any of these functions may have. */
  readonly effects: ToolEffects;
}

/** A function of a {@link HostModule}; it takes and returns plain values. */
export type HostFunction = (...args: never[]) => unknown;

/** Modules by the name that programs import. */
export interface Modules {
  readonly [name: string]: GuestModule | HostModule;
}

/**
 * A module in the form that sandboxes get, which is plain data. The function `f` of a host module
 * calls the host under the name `module.f`.
 */
export type ModuleDeclaration =
  | ({ readonly name: string } & GuestModule)
  | { readonly name: string; readonly type: "host-module"; readonly functions: readonly string[] };

/** The modules of a sandbox, and the names of those that programs may import. */
export interface ImportableModules {
  readonly modules: readonly ModuleDeclaration[];
  /**
   * The permitted imports: `name`, `name/path`, `name.*` with everything below it, or `*` for all.
   * If absent, all modules are permitted.
   */
  readonly authorizedImports?: readonly string[];
}
