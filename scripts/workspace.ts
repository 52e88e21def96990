// Describes the workspace for the scripts: its folders with a manifest, and their paths.

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
  /** The replacements of files in bundles for browsers, by the path of the replaced file. */
  readonly browser?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> };
}

/** One package of the workspace. */
export interface WorkspacePackage {
  /** The path relative to the root, with forward slashes, such as `packages/core`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * Returns the packages under `packages/` and `apps/`, by folder name. A folder without a manifest
 * is not a package.
 */
export function workspacePackages(root: string): readonly WorkspacePackage[] {
  return ["packages", "apps"].flatMap((parent) =>
    foldersIn(join(root, parent))
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(root, folder, "package.json")))
      .map((folder) => ({ folder, manifest: readManifest(join(root, folder, "package.json")) })),
  );
}

/** Returns the packages that are published. */
export function publishedPackages(root: string): readonly WorkspacePackage[] {
  return workspacePackages(root).filter((member) => member.manifest.private !== true);
}

/** Reads a package.json. */
export function readManifest(path: string): Manifest {
  // The cast is safe: the file is ours, and pnpm has already refused a malformed one.
  return JSON.parse(readFileSync(path, "utf8")) as Manifest;
}

/**
 * Returns all files below a folder that have a given file extension, as sorted paths relative to
 * `root` with forward slashes.
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
