import type { Manifest } from "../workspace.ts";

/**
 * Returns the specifiers that users may import. A pattern such as `./*` is left out, because it
 * names no single file. The programs of threads (`./guest`, `./guest-web`) are left out, too,
 * because they are only passed to bundlers as paths.
 */
export function importedEntries(manifest: Manifest): readonly string[] {
  const isImported = (key: string): boolean =>
    key !== "./package.json" && !key.includes("*") && !/^\.\/guest\b/.test(key);
  const subpaths = Object.keys(manifest.exports ?? {}).filter(isImported);
  return subpaths.map((key) => `${manifest.name}${key.slice(1)}`);
}
