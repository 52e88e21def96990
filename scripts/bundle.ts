// Builds the JavaScript of a published package by joining its modules: one file for its main
// entries, one for each other entry, and one for each part that they share or load when it is first
// used.
//
// Node needs about half a millisecond for each imported module, whatever its size. So the sources
// can be many small files, but users load only a few. Only the package's own modules are joined.
// Dependencies stay imports, so that two packages never contain copies of the same third package.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { entryFile, joinedModule, sortEntries } from "./joined-entries.ts";
import { mergeImports } from "./merge-imports.ts";
import { numberedNames } from "./numbered-names.ts";
import { filesBelow, type Manifest, type WorkspacePackage } from "./workspace.ts";

/**
 * Writes `dist/*.js` of a package from its sources, with source maps. The declarations in `dist`
 * stay as they are.
 */
export async function bundle(root: string, { folder, manifest }: WorkspacePackage): Promise<void> {
  for (const ending of [".js", ".js.map"]) {
    for (const path of filesBelow(root, `${folder}/dist`, ending)) rmSync(join(root, path));
  }
  const absWorkingDir = join(root, folder);
  const exchanged = exchangedPaths(manifest);
  const entryPoints = [...exportedSources(manifest), ...exchanged.filter(isSource)];
  const built = await builtParts(absWorkingDir);
  const swap = moduleTexts(built.modules, absWorkingDir);
  const separate = await build({ ...options, absWorkingDir, entryPoints, plugins: [swap] });
  const { together, others } = sortEntries(separate.metafile, exchanged);
  const joined = together.length === 0 ? [] : [{ in: joinedName, out: joinedName }];
  const { outputFiles } = await build({
    ...options,
    absWorkingDir,
    entryPoints: [...others.map(({ source, name }) => ({ in: source, out: name })), ...joined],
    plugins: [
      swap,
      moduleByName(joinedName, joinedModule(together), absWorkingDir),
      separateExchanged(exchanged, absWorkingDir),
    ],
  });
  const exported = exportsOf(separate.metafile);
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  for (const [path, text] of texts) {
    if (!path.endsWith(".js")) continue;
    const file = { path, code: text, map: texts.get(`${path}.map`) ?? "" };
    const { code, map } = await mergeImports(file, { ...options, absWorkingDir });
    mustHaveOwnNames(relative(root, path), code, exported);
    const toDist = relative(dirname(path), join(absWorkingDir, "dist"));
    write(path, withoutBareImports(withExchangedPaths(code, toDist)));
    write(`${path}.map`, map);
  }
  for (const [name, text] of Object.entries(built.files)) write(join(absWorkingDir, "dist", name), text);
  for (const entry of together) write(join(absWorkingDir, `dist/${entry.name}.js`), entryFile(entry, joinedName));
}

/** Returns the names that the entries of a package export. */
const exportsOf = ({ outputs }: Metafile): ReadonlySet<string> =>
  new Set(Object.values(outputs).flatMap(({ entryPoint, exports }) => (entryPoint === undefined ? [] : exports)));

function mustHaveOwnNames(path: string, code: string, exported: ReadonlySet<string>): void {
  const names = numberedNames(code, exported);
  if (names.length === 0) return;
  const what = `${path} has ${names.join(", ")}, which users would see in errors`;
  throw new Error(`${what}; give one of the declarations with this name another name in the sources`);
}

/** The file in `dist` that several entries share. */
const joinedName = "joined";

const options = {
  outbase: "src",
  outdir: "dist",
  // Shared parts are in the same folder as the entries, because `import.meta.url` is used to find
  // files there.
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "neutral",
  target: "es2023",
  sourcemap: true,
  // The package contains the sources.
  sourcesContent: false,
  logLevel: "warning",
  metafile: true,
  write: false,
} satisfies BuildOptions;

/** Creates a plugin that lets esbuild find a module that is not a file. */
function moduleByName(name: string, contents: string, resolveDir: string): Plugin {
  return {
    name: "module-by-name",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ path }) => ({ path, namespace: "no-file" }));
      onLoad({ filter: /^/, namespace: "no-file" }, () => ({ contents, resolveDir }));
    },
  };
}

/**
 * Creates a plugin that keeps some modules in separate files: the modules that a user's bundler
 * replaces for browsers. The bundler finds these modules by their paths. Without the plugin,
 * esbuild would put them into a shared file with another path.
 */
function separateExchanged(exchanged: readonly string[], folder: string): Plugin {
  const sources = new Map(exchanged.filter(isSource).map((path) => [join(folder, path), path]));
  return {
    name: "separate-exchanged",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
        const source = kind === "import-statement" ? sources.get(join(resolveDir, path)) : undefined;
        if (source === undefined) return undefined;
        return { path: `exchanged:${source.replace(/^\.\/src\/|\.ts$/g, "")}.js`, external: true };
      });
    },
  };
}

/**
 * Replaces the names that {@link separateExchanged} has put into imports by real paths. `toDist` is
 * the path from the file to `dist`.
 */
const withExchangedPaths = (code: string, toDist: string): string =>
  code.replace(/"exchanged:([^"]+)"/g, (_, name: string) => `"${toDist === "" ? "." : toDist}/${name}"`);

/** The texts that a package's own `scripts/built.ts` adds to the package. */
interface BuiltParts {
  /** Texts that replace modules, by the modules' paths. */
  readonly modules: Readonly<Record<string, string>>;
  /** Files for `dist`, by name. */
  readonly files: Readonly<Record<string, string>>;
}

async function builtParts(folder: string): Promise<BuiltParts> {
  const script = join(folder, "scripts/built.ts");
  if (!existsSync(script)) return { modules: {}, files: {} };
  const { builtModules, builtFiles } = (await import(script)) as {
    readonly builtModules: () => Promise<BuiltParts["modules"]>;
    readonly builtFiles: () => Promise<BuiltParts["files"]>;
  }; // ours
  return { modules: await builtModules(), files: await builtFiles() };
}

/** Creates a plugin that replaces modules with texts. */
function moduleTexts(texts: BuiltParts["modules"], folder: string): Plugin {
  const byPath = new Map(Object.entries(texts).map(([path, text]) => [join(folder, path), text]));
  return {
    name: "module-texts",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = byPath.get(path);
        return contents === undefined ? undefined : { contents };
      });
    },
  };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * Removes imports without names, such as `import "./part.js"`. esbuild writes them to keep the
 * order of side effects, but our modules have no side effects. Bundlers would warn our users of
 * each such import. The emptied lines stay, because source maps refer to lines by number.
 */
const withoutBareImports = (code: string): string => code.replace(/^import "\.[^"]*";$/gm, "");

/**
 * Returns the sources that `exports` lists. A pattern such as `./src/adapters/*.ts` lists every
 * matching file, as in esbuild.
 */
function exportedSources({ exports = {} }: Manifest): string[] {
  const sources = Object.values(exports).map(
    (entry) => (entry as { readonly "@smolts/source"?: string })["@smolts/source"] ?? "",
  ); // a string has no such field
  return sources.filter(isSource);
}

/** Returns the files that bundlers for browsers replace, and their replacements. */
const exchangedPaths = ({ browser = {} }: Manifest): string[] => Object.entries(browser).flat();

const isSource = (path: string): boolean => path.startsWith("./src/");
