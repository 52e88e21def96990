// Merges a built file's imports of one package. Where several modules become one file, esbuild
// keeps the import of each, and numbers the names: `import { AgentError as AgentError2 }`. Users
// would read those names in the source lines that Node prints with errors.

import { basename, dirname } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

/** A built file and its source map. */
export interface BuiltFile {
  readonly path: string;
  readonly code: string;
  readonly map: string;
}

/**
 * Returns the file with one import for each package. For this, esbuild bundles the file again, and
 * each package is replaced by a small module that re-exports the imported names.
 */
export async function mergeImports(file: BuiltFile, options: BuildOptions): Promise<BuiltFile> {
  const { path, code, map } = file;
  const names = namesByPackage(code);
  if (names.size === 0) return file;
  const inlineMap = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}\n`;
  const { outputFiles = [] } = await build({
    ...options,
    splitting: false,
    // The first run of esbuild has already removed everything that is not needed.
    treeShaking: false,
    stdin: { contents: withoutMapComment(code) + inlineMap, resolveDir: dirname(path), sourcefile: path },
    outdir: dirname(path),
    entryNames: basename(path, ".js"),
    plugins: [packagesAsModules(names)],
  });
  const textAt = (wanted: string): string => outputFiles.find((output) => output.path === wanted)?.text ?? "";
  return { path, code: textAt(path), map: textAt(`${path}.map`) };
}

/** Returns the imported names of each package that is imported more than once. */
function namesByPackage(code: string): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  const repeated = new Set<string>();
  for (const [, list = "", from = ""] of code.matchAll(/^(?:import|export) \{([^}]*)\} from "([^"]+)";/gm)) {
    const known = names.get(from);
    if (known) repeated.add(from);
    names.set(from, new Set([...(known ?? []), ...importedNames(list)]));
  }
  const whole = new Set([...code.matchAll(/^(?:import|export) [^{}]*from "([^"]+)";/gm)].map(([, from]) => from));
  return new Map([...names].filter(([from]) => repeated.has(from) && !whole.has(from)));
}

/** Returns the names in a list such as `tool, AgentError as AgentError2`. */
const importedNames = (list: string): readonly string[] =>
  list.split(",").flatMap((item) => /^\s*([\w$]+)/.exec(item)?.[1] ?? []);

function packagesAsModules(names: ReadonlyMap<string, ReadonlySet<string>>): Plugin {
  return {
    name: "packages-as-modules",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^/ }, ({ path, namespace, kind }) => {
        if (kind === "entry-point") return undefined;
        const isModule = kind === "import-statement" && namespace === "file" && names.has(path);
        return isModule ? { path, namespace: notAFile } : { path, external: true };
      });
      onLoad({ filter: /^/, namespace: notAFile }, ({ path }) => ({
        contents: `export { ${[...(names.get(path) ?? [])].join(", ")} } from "${path}";`,
      }));
    },
  };
}

/**
 * The namespace of modules that are not files. Source maps name them `virtual:...`, and Vite warns
 * of every other source that is not in the package.
 */
const notAFile = "virtual";

const withoutMapComment = (code: string): string => code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "");
