// Every import path that a package exports, or that our errors or comments mention, must lead to a
// module.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const packagesFolder = fileURLToPath(new URL("../../", import.meta.url));
const manifests = readdirSync(packagesFolder).map(manifestOf);
const door = manifestOf("smolts");
const doorPaths = pathsOf(door);

test.each(doorPaths)("%s exports something", async (path) => {
  expect(Object.keys(await import(path))).not.toEqual([]);
});

test("every path of a dependency has a path of smolts", () => {
  const inherited = Object.keys(door.dependencies ?? {}).flatMap((name) => pathsOf(manifestOf(folderOf(name))));
  const missing = inherited.filter((path) => !doorPaths.includes(pathInDoor(path)));
  expect(missing).toEqual(["@smolts/cli"]); // the command
});

test("every import path that a source names resolves", () => {
  const known = new Set(manifests.flatMap(pathsOf));
  const unknown = manifests.flatMap(({ name }) => pathsNamedIn(folderOf(name)).filter(({ path }) => !known.has(path)));
  expect(unknown).toEqual([]);
});

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(`${packagesFolder}${folder}/package.json`, "utf8")) as Manifest; // ours
}

const folderOf = (name: string): string => name.replace("@smolts/", "");

/**
 * Returns the import paths of a package. In place of the wildcard `./*` of `@smolts/models`, it
 * returns the paths of the adapters. It leaves out the wildcard of `smolts`, which only catches
 * wrong paths.
 */
function pathsOf({ name, exports }: Manifest): readonly string[] {
  return Object.keys(exports)
    .filter((key) => key !== "./package.json" && !(name === "smolts" && key === "./*"))
    .flatMap((key) => (key === "./*" ? adapters.map((adapter) => `./${adapter}`) : [key]))
    .map((key) => `${name}${key.slice(1)}`);
}

const adapters = readdirSync(`${packagesFolder}models/src/adapters`).map((name) => name.replace(/\.ts$/, ""));

/**
 * Returns the path in `smolts` for a path of another package. The paths for media and saved agents
 * leave out the package's name, because nearly every agent uses them.
 */
const pathInDoor = (path: string): string =>
  path.replace(/^@smolts\/(?:core\/(?=media$|save$)|cli\/(?=terminal$))?/, "smolts/");

/** Returns the import paths that are mentioned in a package's errors, hints and comments. */
function pathsNamedIn(folder: string): readonly { readonly file: string; readonly path: string }[] {
  const files = readdirSync(`${packagesFolder}${folder}/src`, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".gen.ts"))
    .flatMap((file) => {
      const text = readFileSync(`${packagesFolder}${folder}/src/${file}`, "utf8");
      const named = text.matchAll(/(?<![\w@./:-])(?:@smolts\/[\w-]+|smolts)(?:\/[\w-]+)+(?![\w./-]*[#*])/g);
      const imports = [...named].filter(({ index }) => !isRecordedName(text.slice(0, index)));
      return imports.map(([path]) => ({ file: `${folder}/src/${file}`, path }));
    });
}

/**
 * Says whether a string is the name of a note in the log, such as "smolts/command", and not an
 * import path. `before` is the text before the string. For a note, it ends with a quotation mark,
 * but not with `from "` or `import("`.
 */
const isRecordedName = (before: string): boolean => before.endsWith('"') && !/(?:from |import\()"$/.test(before);
