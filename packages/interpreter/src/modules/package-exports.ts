// Finds the files for the names in a `package.json`, like a bundler that does not build for Node.

/**
 * The content of a `package.json`. Each part is checked before use, because the file may contain
 * anything.
 */
export type PackageDescription = { readonly [field: string]: unknown };

/**
 * Returns the file that an import of the package's name alone loads. Takes it from `exports`, else
 * from `module` or `main`.
 */
export function entryPath({ exports, module, main }: PackageDescription): string {
  const entry = targetOf(tableOf(exports)["."]) ?? module ?? main;
  return typeof entry === "string" ? withoutDot(entry) : "index.js";
}

/**
 * Returns the file for each name that can be imported from a package, such as `name/feature`. Names
 * of the form `#name` are for the package's own files.
 *
 * @param paths - the files of the package
 */
export function subpathFiles(
  { exports, imports }: PackageDescription,
  paths: readonly string[],
): { readonly [subpath: string]: string } {
  const files = new Map<string, string>();
  const table = { ...tableOf(exports), ...tableOf(imports) };
  for (const key of Object.keys(table).sort(fromGeneralToSpecial)) {
    const target = targetOf(table[key]);
    if (key === "." || target === undefined) continue;
    if (target === null) forget(files, withoutDot(key));
    else for (const [subpath, path] of expand(withoutDot(key), withoutDot(target), paths)) files.set(subpath, path);
  }
  return Object.fromEntries(files);
}

const conditions: ReadonlySet<string> = /* @__PURE__ */ new Set(["import", "module", "worker", "browser", "default"]);

/**
 * Returns `exports` as an object with subpaths as keys. If `exports` is not such an object, it
 * describes the import of the package's name alone.
 */
function tableOf(value: unknown): PackageDescription {
  if (value === undefined) return {};
  const isTable = isObject(value) && Object.keys(value).every((key) => /^[.#]/.test(key));
  return isTable ? value : { ".": value };
}

/**
 * Returns the first file whose conditions (such as `import` or `browser`) are met; null if the name
 * must not be imported.
 */
function targetOf(value: unknown): string | null | undefined {
  if (typeof value === "string" || value === null) return value;
  if (Array.isArray(value)) return value.map(targetOf).find((target) => typeof target === "string");
  if (!isObject(value)) return undefined;
  for (const [condition, inner] of Object.entries(value)) {
    const target = conditions.has(condition) ? targetOf(inner) : undefined;
    if (target !== undefined) return target;
  }
  return undefined;
}

/**
 * Sorts entries so that a more specific one comes later and replaces a more general one: `./*`,
 * then `./a*`, then `./a`.
 */
function fromGeneralToSpecial(left: string, right: string): number {
  const lengthOf = (key: string): number => (key.includes("*") ? key.indexOf("*") : Number.POSITIVE_INFINITY);
  return lengthOf(left) < lengthOf(right) ? -1 : 1;
}

/**
 * Returns each file that matches a target pattern, together with the subpath by which it is
 * imported. For example, the subpath `features/*` with the target `dist/*.js` makes `dist/add.js`
 * importable as `features/add`. A target without `*` matches one file.
 */
function expand(
  subpath: string,
  target: string,
  paths: readonly string[],
): (readonly [subpath: string, path: string])[] {
  const fits = matcherOf(target);
  return paths.flatMap((path) => {
    const part = fits(path);
    return part === undefined ? [] : [[subpath.replace("*", () => part), path] as const];
  });
}

function forget(files: Map<string, string>, barred: string): void {
  const fits = matcherOf(barred);
  for (const subpath of files.keys()) if (fits(subpath) !== undefined) files.delete(subpath);
}

/**
 * Returns a function that finds the part of a text that `*` matches. That function returns
 * undefined for a text that does not match.
 */
function matcherOf(pattern: string): (text: string) => string | undefined {
  const [before = "", after] = pattern.split("*");
  if (after === undefined) return (text) => (text === pattern ? "" : undefined);
  return (text) =>
    text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after)
      ? text.slice(before.length, text.length - after.length)
      : undefined;
}

const withoutDot = (path: string): string => path.replace(/^\.\//, "");

const isObject = (value: unknown): value is PackageDescription =>
  typeof value === "object" && value !== null && !Array.isArray(value);
