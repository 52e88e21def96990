import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** A program and its arguments. */
export type Command = readonly [string, ...string[]];

/** Software by others that our models are tested with. */
export interface Peer {
  readonly name: string;
  /** Returns the commands that install the software into a folder. */
  install(folder: string): readonly Command[];
  /** Tests the software if it is in the folder. Throws if it does not work as expected. */
  drive(folder: string): Promise<PeerReport>;
}

/** Returns the command that installs npm packages into a folder, without running their scripts. */
export const npmInstall = (folder: string, packages: readonly string[]): Command => [
  ...(["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"] as const),
  ...packages,
];

/** The outcome of a test. */
export type PeerReport =
  | { readonly type: "driven"; readonly version: string; readonly seen: readonly string[] }
  | { readonly type: "absent"; readonly reason: string };

/** Creates the report for software that is not installed. */
export const absent = (reason: string): PeerReport => ({ type: "absent", reason });

/** Returns the version of an npm package in the folder, or null if it is not installed. */
export function npmVersion(folder: string, name: string): string | null {
  const manifest = join(folder, "node_modules", name, "package.json");
  if (!existsSync(manifest)) return null;
  // The cast is safe: every manifest has a version.
  const { version } = createRequire(manifest)(manifest) as { readonly version: string };
  return version;
}

/** Imports a package from the folder. Its types are not installed here. */
export async function importFrom(folder: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  const { resolve } = await import("node:path");
  const { pathToFileURL } = await import("node:url");
  const manifest = join(folder, "node_modules", name, "package.json");
  const { exports, main } = createRequire(manifest)(manifest) as { readonly exports?: unknown; readonly main?: string };
  const entry = entryOf(exports) ?? main ?? "index.js";
  return await import(pathToFileURL(resolve(folder, "node_modules", name, entry)).href);
}

/** Returns the file for `import` from the conditions in a manifest's `exports`. */
function entryOf(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  const conditions = exports as Readonly<Record<string, unknown>>;
  for (const name of [".", "node", "import", "default"]) {
    const entry = name in conditions ? entryOf(conditions[name]) : undefined;
    if (entry !== undefined) return entry;
  }
  return undefined;
}
