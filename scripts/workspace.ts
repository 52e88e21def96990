// The workspace as the scripts see it: its folders with a manifest, and their paths.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The parts of a package.json that the scripts read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly sideEffects?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  /** Files that bundlers for browsers take in place of others. */
  readonly browser?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> };
}

/** One member of the workspace. */
export interface WorkspacePackage {
  /** Relative to the root, with forward slashes: `packages/core`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * The members under `packages/` and `apps/`, by folder name. A folder without a manifest is not a
 * member.
 */
export function workspacePackages(root: string): readonly WorkspacePackage[] {
  return ["packages", "apps"].flatMap((parent) =>
    foldersIn(join(root, parent))
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(root, folder, "package.json")))
      .map((folder) => ({ folder, manifest: readManifest(join(root, folder, "package.json")) })),
  );
}

/** The members that are published. */
export function publishedPackages(root: string): readonly WorkspacePackage[] {
  return workspacePackages(root).filter((member) => member.manifest.private !== true);
}

/** Reads a package.json. */
export function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, "utf8")) as Manifest; // ours, and pnpm has already refused a malformed one
}

/**
 * Every file below a folder whose name ends so, as paths relative to `root` with forward slashes,
 * sorted.
 */
export function filesBelow(root: string, folder: string, ending: string): readonly string[] {
  const start = join(root, folder);
  if (!existsSync(start)) return [];
  return readdirSync(start, { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(root, path, ending);
      return entry.name.endsWith(ending) ? [path] : [];
    })
    .sort();
}

function foldersIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}
