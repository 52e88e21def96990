import {
  type GuestModule,
  type HostFunction,
  type HostModule,
  type ImportableModules,
  invalidOption,
  type ModuleDeclaration,
  type Modules,
  type OptionTable,
  readOptions,
  type ToolEffects,
} from "@smolts/protocol";

/** Options of {@link guestModule}. */
export interface GuestModuleOptions {
  /**
   * The path of the file that is loaded by an import of the module's name alone.
   *
   * @defaultValue `index.js`
   */
  readonly entry?: string;
  /**
   * Additional names by which imports can refer to files. For the import `name/key`, the value of
   * `key` is the path of the file. Keys of the form `#name` are for imports in the module's own
   * files.
   */
  readonly subpaths?: { readonly [subpath: string]: string };
}

/**
 * Declares a module that runs in the sandbox. The limits of the importing program also apply to the
 * module. Programs can pass callbacks to the module's functions.
 *
 * @param source - the text of an ECMAScript module, or of all its files by path. The files import
 *   each other by relative paths, and programs may import `name/path` too. TypeScript types are
 *   ignored, as in programs
 * @throws AgentError `invalid-option` when a source is not a string, or when the entry or a subpath
 *   does not refer to one of the files
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
    throw invalidOption(
      `guestModule() got ${source === undefined ? "no source" : `a ${typeof source}`}`,
      'write guestModule("export const one = 1")',
    );
  }
  if (typeof source === "string" && /^[\w@./\\-]+\.[cm]?[jt]sx?$/.test(source)) {
    throw invalidOption(
      "guestModule() got a path; expected the text of a module",
      'write guestModule(await readFile(path, "utf8"))',
    );
  }
  const { entry = "index.js", subpaths = {} } = readOptions(options, "guestModule()", guestModuleOptions);
  const files = typeof source === "string" ? { [entry]: source } : { ...source };
  for (const [path, text] of Object.entries(files)) {
    if (typeof text !== "string")
      throw invalidOption(`the source of "${path}" is not a string`, "read the file, as in readFile");
  }
  if (!Object.hasOwn(files, entry)) {
    throw invalidOption(
      `the module has no file "${entry}"`,
      `name its first file: { entry: "${Object.keys(files)[0]}" }`,
    );
  }
  for (const [subpath, path] of Object.entries(subpaths)) {
    if (!Object.hasOwn(files, path))
      throw invalidOption(`"${subpath}" points to "${path}", which is not a file of the module`);
  }
  return { type: "guest-module", files, entry, ...(Object.keys(subpaths).length > 0 && { subpaths: { ...subpaths } }) };
}

const guestModuleOptions: OptionTable<GuestModuleOptions> = { entry: "text", subpaths: "object" };

/** Options of {@link hostModule}. */
export interface HostModuleOptions {
  /**
   * The effect of a call on the outside world. It decides whether a resumed run may repeat the
   * call. `none`: the functions only compute or read.
   *
   * @defaultValue `once`
   */
  readonly effects?: ToolEffects;
}

/**
 * Declares a module whose functions run on the host. Each call is a host call, like that of a tool:
 * it copies values, refuses callbacks and returns a promise.
 *
 * In an agent, the calls are handled like tool calls: they are recorded, and a resumed run takes
 * their results from the record. In a sandbox without an agent, each call goes to `onCall` with the
 * name `module.function`.
 *
 * @throws AgentError `invalid-option` when an export is not a function, or its name is not an
 *   identifier
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
    throw invalidOption(
      `hostModule() got a ${typeof functions}`,
      "write hostModule({ add: (left, right) => left + right })",
    );
  }
  const { effects = "once" } = readOptions(options, "hostModule()", hostModuleOptions);
  for (const [name, value] of Object.entries(functions)) {
    if (typeof value !== "function")
      throw invalidOption(
        `"${name}" of a host module is not a function`,
        "pass only functions: hostModule({ readFile })",
      );
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name))
      throw invalidOption(`"${name}" is not a JavaScript identifier`);
  }
  return { type: "host-module", functions: { ...functions }, effects };
}

const hostModuleOptions: OptionTable<HostModuleOptions> = { effects: ["none", "idempotent", "once"] };

/**
 * Creates the declarations of modules that are passed to a sandbox.
 *
 * @param authorizedImports - the imports that programs may use; all if absent
 */
export function declareImports(modules: Modules, authorizedImports?: readonly string[]): ImportableModules {
  return { modules: Object.entries(modules).map(declare), ...(authorizedImports && { authorizedImports }) };
}

function declare([name, module]: [name: string, module: GuestModule | HostModule]): ModuleDeclaration {
  if (module.type === "guest-module") return { name, ...module };
  return { name, type: "host-module", functions: Object.keys(module.functions) };
}
