// Finds functions and classes that users know by name, but that have another name in the built
// code. When a file gets two declarations of one name, esbuild appends a number to the second one:
// `CodeAgent2`. Users would then read that name in errors and stack traces.

/**
 * Returns the numbered names of exported functions and classes.
 *
 * @param code - a built file
 * @param exported - the names that the package exports
 * @example
 * ```ts
 * numberedNames("function image2() {}\nexport { image2 as image };", new Set(["image"])); // [ 'image2' ]
 * ```
 */
export function numberedNames(code: string, exported: ReadonlySet<string>): readonly string[] {
  const declared = code.matchAll(/\b(?:class|function\*?) ([\w$]+)|([\w$]+) = class\b/g);
  const names = [...declared].map(([, named, assigned]) => named ?? assigned ?? "");
  return names.filter((name) => {
    const [, unnumbered = ""] = /^(.+?)\d+$/.exec(name) ?? [];
    return exported.has(unnumbered) && !exported.has(name);
  });
}
