// The JavaScript of a published package: its modules joined, one file for its main entries, one for
// each other, and one for each part that they share or load at first use.
//
// Node pays about half a millisecond for each module it imports, whatever is in it. The sources
// stay many small files, and who imports the package loads a few. Only the package's own modules
// are joined: dependencies stay imports, so that two packages never hold a copy of a third.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { entryFile, joinedModule, sortEntries } from "./joined-entries.ts";
import { filesBelow, type Manifest, type WorkspacePackage } from "./workspace.ts";

/**
 * Writes `dist/*.js` of a package from its sources, with maps to them; the declarations there stay.
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
      exchangedApart(exchanged, absWorkingDir),
    ],
  });
  for (const { path, text } of outputFiles) {
    const code = withExchangedPaths(text, relative(dirname(path), join(absWorkingDir, "dist")));
    write(path, path.endsWith(".js") ? withoutBareImports(code) : text);
  }
  for (const [name, text] of Object.entries(built.files)) write(join(absWorkingDir, "dist", name), text);
  for (const entry of together) write(join(absWorkingDir, `dist/${entry.name}.js`), entryFile(entry, joinedName));
}

/** The file in `dist` that several entries share. */
const joinedName = "joined";

const options = {
  outbase: "src",
  outdir: "dist",
  // Shared parts are beside the entries: files that they find by `import.meta.url` are found from
  // there.
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "neutral",
  target: "es2023",
  sourcemap: true,
  // The sources are in the package.
  sourcesContent: false,
  logLevel: "warning",
  metafile: true,
  write: false,
} satisfies BuildOptions;

/** Lets esbuild find a module that is not a file. */
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
 * Leaves the imports of modules that bundlers exchange. They find such a module by its path, and
 * esbuild would put it into a part that several entries share, which has another path.
 */
function exchangedApart(exchanged: readonly string[], folder: string): Plugin {
  const sources = new Map(exchanged.filter(isSource).map((path) => [join(folder, path), path]));
  return {
    name: "exchanged-apart",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
        const source = kind === "import-statement" ? sources.get(join(resolveDir, path)) : undefined;
        if (source === undefined) return undefined;
        return { path: `exchanged:${source.replace(/^\.\/src\/|\.ts$/g, "")}.js`, external: true };
      });
    },
  };
}

/** The imports that {@link exchangedApart} left, by the path from the file to `dist`. */
const withExchangedPaths = (code: string, toDist: string): string =>
  code.replace(/"exchanged:([^"]+)"/g, (_, name: string) => `"${toDist === "" ? "." : toDist}/${name}"`);

/** The parts of a package besides its modules: its `scripts/built.ts` says so. */
interface BuiltParts {
  /** Texts in place of modules, by the modules' paths. */
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

/** Puts texts in the place of modules. */
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
 * Without the imports that import nothing: esbuild keeps the order of side effects by them. No
 * module of ours has one, and the bundlers of those who import us warn of each. The lines stay, for
 * the maps count them.
 */
const withoutBareImports = (code: string): string => code.replace(/^import "\.[^"]*";$/gm, "");

/**
 * What `exports` lists; a pattern such as `./src/adapters/*.ts` stands for every file that fits,
 * for esbuild too.
 */
function exportedSources({ exports = {} }: Manifest): string[] {
  const sources = Object.values(exports).map(
    (entry) => (entry as { readonly "@smolts/source"?: string })["@smolts/source"] ?? "",
  ); // a text has none
  return sources.filter(isSource);
}

/** What bundlers for browsers exchange, and for what: they find it by its path. */
const exchangedPaths = ({ browser = {} }: Manifest): string[] => Object.entries(browser).flat();

const isSource = (path: string): boolean => path.startsWith("./src/");
