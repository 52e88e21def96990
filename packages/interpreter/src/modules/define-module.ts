import {
  AgentError,
  type GuestModule,
  type HostFunction,
  type HostModule,
  type ImportableModules,
  type ModuleDeclaration,
  type Modules,
  type OptionTable,
  readOptions,
  type ToolEffects,
} from "@smolts/protocol";

/** Options of {@link guestModule}. */
export interface GuestModuleOptions {
  /**
   * Path of the file that the module's bare name stands for.
   *
   * @defaultValue `index.js`
   */
  readonly entry?: string;
  /**
   * Files by what is written after the module's name where that is not their path; `#name` for what
   * only its own files import.
   */
  readonly subpaths?: { readonly [subpath: string]: string };
}

/**
 * A module that runs in the sandbox, metered like the program that imports it; callbacks work as in
 * one program.
 *
 * @param source - the text of an ECMAScript module, or of all its files by path; they import each
 * other relatively, and programs may import `name/path` too. Types of TypeScript are ignored, as in
 * programs
 * @throws AgentError `invalid-option` when a source is not a text, or the entry or a subpath is
 *   none of the files
 * @example
 * ```ts
 * import { guestModule, interpreter } from "@smolts/interpreter";
 *
 * const shout = guestModule('export const shout = (text) => text.toUpperCase() + "!";');
 * const factory = interpreter({ modules: { shout } });
 * console.log(Object.keys(factory.modules ?? {})); // [ 'shout' ]
 * ```
 */
export function guestModule(
  source: string | { readonly [path: string]: string },
  options: GuestModuleOptions = {},
): GuestModule {
  if (typeof source !== "string" && (typeof source !== "object" || source === null)) {
    throw invalid(
      `guestModule() got ${source === undefined ? "no source" : `a ${typeof source}`}`,
      'write guestModule("export const one = 1")',
    );
  }
  const { entry = "index.js", subpaths = {} } = readOptions(options, "guestModule()", guestModuleOptions);
  const files = typeof source === "string" ? { [entry]: source } : { ...source };
  for (const [path, text] of Object.entries(files)) {
    if (typeof text !== "string")
      throw invalid(`the source of "${path}" is not a text`, "read the file, as in readFile");
  }
  if (!Object.hasOwn(files, entry)) {
    throw invalid(`the module has no file "${entry}"`, `name its first file: { entry: "${Object.keys(files)[0]}" }`);
  }
  for (const [subpath, path] of Object.entries(subpaths)) {
    if (!Object.hasOwn(files, path))
      throw invalid(`"${subpath}" points to "${path}", which is not a file of the module`);
  }
  return { type: "guest-module", files, entry, ...(Object.keys(subpaths).length > 0 && { subpaths: { ...subpaths } }) };
}

const guestModuleOptions: OptionTable<GuestModuleOptions> = { entry: "text", subpaths: "object" };

/** Options of {@link hostModule}. */
export interface HostModuleOptions {
  /**
   * The effect of a call on the world, which decides whether a resumed run may repeat it: `none` if
   * the functions only compute or read.
   *
   * @defaultValue `once`
   */
  readonly effects?: ToolEffects;
}

/**
 * A module whose functions run on the host. Each call is a host call like a tool's: it copies
 * values, refuses callbacks and returns a promise.
 *
 * In an agent the calls go the way of tools: recorded, and served from the record when a run is
 * resumed. Whoever opens a sandbox himself gets them in `onCall`, under the name `module.function`.
 *
 * @throws AgentError `invalid-option` when one of them is not a function, or its name no identifier
 * @example
 * ```ts
 * import { hostModule, interpreter } from "@smolts/interpreter";
 *
 * const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
 * const factory = interpreter({ modules: { stats: hostModule({ mean }, { effects: "none" }) } });
 * console.log(factory.modules?.["stats"]?.type); // host-module
 * ```
 */
export function hostModule(
  functions: { readonly [name: string]: HostFunction },
  options: HostModuleOptions = {},
): HostModule {
  if (typeof functions !== "object" || functions === null) {
    throw invalid(`hostModule() got a ${typeof functions}`, "write hostModule({ add: (left, right) => left + right })");
  }
  const { effects = "once" } = readOptions(options, "hostModule()", hostModuleOptions);
  for (const [name, value] of Object.entries(functions)) {
    if (typeof value !== "function") throw invalid(`"${name}" of a host module is not a function`);
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) throw invalid(`"${name}" is no JavaScript identifier`);
  }
  return { type: "host-module", functions: { ...functions }, effects };
}

const hostModuleOptions: OptionTable<HostModuleOptions> = { effects: ["none", "idempotent", "once"] };

/**
 * Modules as a sandbox receives them.
 *
 * @param authorizedImports - which of them programs may import; all when absent
 */
export function declareImports(modules: Modules, authorizedImports?: readonly string[]): ImportableModules {
  return { modules: Object.entries(modules).map(declare), ...(authorizedImports && { authorizedImports }) };
}

function declare([name, module]: [name: string, module: GuestModule | HostModule]): ModuleDeclaration {
  if (module.type === "guest-module") return { name, ...module };
  return { name, type: "host-module", functions: Object.keys(module.functions) };
}

const invalid = (message: string, hint?: string): AgentError => new AgentError("invalid-option", message, { hint });
