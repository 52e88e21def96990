import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** A program and its arguments. */
export type Command = readonly [string, ...string[]];

/** Software of others that a model of ours is driven against. */
export interface Peer {
  readonly name: string;
  /** What puts it into a folder. */
  install(folder: string): readonly Command[];
  /** Drives it, when it is in the folder. Throws when it does not do what it must. */
  drive(folder: string): Promise<PeerReport>;
}

/** The command that installs packages of npm into a folder, without running their scripts. */
export const npmInstall = (folder: string, packages: readonly string[]): Command => [
  ...(["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"] as const),
  ...packages,
];

/** Its outcome. */
export type PeerReport =
  | { readonly type: "driven"; readonly version: string; readonly seen: readonly string[] }
  | { readonly type: "absent"; readonly reason: string };

/** A report of something that is not there. */
export const absent = (reason: string): PeerReport => ({ type: "absent", reason });

/** The version of a package of npm in the folder; null when it is not there. */
export function npmVersion(folder: string, name: string): string | null {
  const manifest = join(folder, "node_modules", name, "package.json");
  if (!existsSync(manifest)) return null;
  const { version } = createRequire(manifest)(manifest) as { readonly version: string }; // as each manifest has it
  return version;
}

/** An imported package of the folder. Its types are not installed here. */
export async function importFrom(folder: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  const { resolve } = await import("node:path");
  const { pathToFileURL } = await import("node:url");
  const manifest = join(folder, "node_modules", name, "package.json");
  const { exports, main } = createRequire(manifest)(manifest) as { readonly exports?: unknown; readonly main?: string };
  const entry = entryOf(exports) ?? main ?? "index.js";
  return await import(pathToFileURL(resolve(folder, "node_modules", name, entry)).href);
}

/** The file that `import` means, out of the conditions of a manifest. */
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
