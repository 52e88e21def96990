// Decides which modules programs may import. `a` allows only that module, `a/b` allows `a/b` and
// `a`, `a.*` allows `a` and everything below it, and `*` allows every module.

import { invalidOption, type Modules } from "@smolts/protocol";

/**
 * Says whether a list of authorised imports allows a name.
 *
 * @example
 * ```ts
 * import { isAuthorizedImport } from "@smolts/interpreter";
 *
 * console.log(isAuthorizedImport("date-fns/add", ["date-fns"])); // false
 * console.log(isAuthorizedImport("date-fns/add", ["date-fns.*"])); // true
 * ```
 */
export function isAuthorizedImport(name: string, authorized: readonly string[]): boolean {
  return authorized.some((pattern) => {
    if (pattern === "*" || pattern === name) return true;
    const base = wildcardBase(pattern);
    return base === undefined ? isBelow(pattern, name) : name === base || isBelow(name, base);
  });
}

/**
 * Checks the modules. Also checks that each authorised import refers to one of them.
 *
 * @throws AgentError `invalid-option`, which lists the available modules
 */
export function checkModules(modules: Modules, authorized?: readonly string[]): void {
  // A key "0" suggests that the caller spread a list of modules into an object by mistake.
  if ("0" in modules) {
    throw invalidOption("modules is a list; expected an object", "write modules: { name: guestModule(source) }");
  }
  for (const [name, module] of Object.entries(modules)) {
    if (!isModuleName(name))
      throw invalidOption(`"${name}" is not a valid module name`, 'write a name such as "date-fns"');
    if (module?.type !== "guest-module" && module?.type !== "host-module")
      throw invalidOption(
        `module "${name}" is neither a guest module nor a host module`,
        typeof module === "object"
          ? "write hostModule({ ...functions }), or guestModule(source)"
          : "write guestModule(source)",
      );
  }
  if (authorized !== undefined && !Array.isArray(authorized)) {
    const found = typeof authorized === "string" ? JSON.stringify(authorized) : `a ${typeof authorized}`;
    throw invalidOption(
      `additionalAuthorizedImports is ${found}; expected a list of names`,
      `write additionalAuthorizedImports: [${typeof authorized === "string" ? found : '"date-fns"'}]`,
    );
  }
  const names = Object.keys(modules);
  const missing = (authorized ?? []).filter((pattern) => !names.some((name) => provides(name, pattern)));
  if (missing.length === 0) return;
  throw invalidOption(
    `authorised imports without a module: ${missing.map((name) => JSON.stringify(name)).join(", ")}`,
    `pass each in modules, as in modules: { ${JSON.stringify(missing[0])}: guestModule(source) }; ${givenNames(names)}`,
  );
}

const givenNames = (names: readonly string[]): string =>
  names.length === 0 ? "none was given" : `given were: ${names.map((name) => JSON.stringify(name)).join(", ")}`;

function provides(name: string, pattern: string): boolean {
  if (pattern === "*") return true;
  const wanted = wildcardBase(pattern) ?? pattern;
  return wanted === name || isBelow(wanted, name) || (wanted !== pattern && isBelow(name, wanted));
}

/** Returns `a` for the pattern `a.*`; undefined for other patterns. */
function wildcardBase(pattern: string): string | undefined {
  return /^(.+)[./]\*$/.exec(pattern)?.[1];
}

/** Says whether `name` is `base`, followed by a dot or a slash and possibly more. */
function isBelow(name: string, base: string): boolean {
  return name.startsWith(base) && /^[./]/.test(name.slice(base.length));
}

const isModuleName = (name: string): boolean => name !== "" && !/^[./]|\s|\*|\/$/.test(name);
