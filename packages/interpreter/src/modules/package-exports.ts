// Resolves the names of a package by its `package.json`, as bundlers do that build for neither Node
// nor a page.

/** The content of a `package.json`. It may be anything: each part is checked before use. */
export type PackageDescription = { readonly [field: string]: unknown };

/** The file that the package's bare name stands for: in `exports`, else in `module` or `main`. */
export function entryPath({ exports, module, main }: PackageDescription): string {
  const entry = targetOf(tableOf(exports)["."]) ?? module ?? main;
  return typeof entry === "string" ? withoutDot(entry) : "index.js";
}

/**
 * What can be written after the package's name, as in `name/feature`, and the file that it stands
 * for; `#name` is for the package's own files.
 *
 * @param paths - the files that there are
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

/** `exports` may be what stands for the package itself. */
function tableOf(value: unknown): PackageDescription {
  if (value === undefined) return {};
  const isTable = isObject(value) && Object.keys(value).every((key) => /^[.#]/.test(key));
  return isTable ? value : { ".": value };
}

/** The first file whose conditions hold; null where a name is barred. */
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
 * A more specific entry overrides a more general one: `./a` comes after `./a*`, and that after
 * `./*`.
 */
function fromGeneralToSpecial(left: string, right: string): number {
  const lengthOf = (key: string): number => (key.includes("*") ? key.indexOf("*") : Number.POSITIVE_INFINITY);
  return lengthOf(left) < lengthOf(right) ? -1 : 1;
}

/**
 * Each file that matches a pattern such as `dist/*.js`, under the name that `*` produces; a pattern
 * without `*` names itself.
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

/** Gives what stands for `*` in a text, and undefined for a text that does not fit. */
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
