// Modules that code in a sandbox may import: as their user gives them, and as a sandbox is told of them.

import type { ToolEffects } from "./tool.ts";

/** A module that runs in the sandbox, like the program that imports it. */
export interface GuestModule {
  readonly type: "guest-module";
  /** Sources of ECMAScript modules by their path, such as `add.js` or `add.ts`; they import each other relatively. */
  readonly files: { readonly [path: string]: string };
  /** Path of the file that the module's bare name stands for. */
  readonly entry: string;
  /** Files by what is written after the module's name where that is not their path; `#name` for what only its own files import. */
  readonly subpaths?: { readonly [subpath: string]: string };
}

/** A module whose functions run on the host: each call is a host call, with copies of its arguments. */
export interface HostModule {
  readonly type: "host-module";
  readonly functions: { readonly [name: string]: HostFunction };
  /** What a call of any of them does to the world. */
  readonly effects: ToolEffects;
}

/** A function of a {@link HostModule}; it gets and gives plain values. */
export type HostFunction = (...args: never[]) => unknown;

/** Modules by the names under which programs import them. */
export interface Modules {
  readonly [name: string]: GuestModule | HostModule;
}

/** A module as a sandbox is told of it: plain data. A host module's function `f` calls the host under the name `module.f`. */
export type ModuleDeclaration =
  | ({ readonly name: string } & GuestModule)
  | { readonly name: string; readonly type: "host-module"; readonly functions: readonly string[] };

/** Which modules there are, and which of them programs may import. */
export interface ImportableModules {
  readonly modules: readonly ModuleDeclaration[];
  /** `name`, `name/path`, `name.*` with all below it, or `*`; every module when absent. */
  readonly authorizedImports?: readonly string[];
}
