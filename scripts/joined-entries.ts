// Finds the entries of a package that can share one file with its index: those that need only
// packages that the index needs, too.
//
// Adapters of models share almost all of their code, in many different combinations, and esbuild
// makes a file for each combination. So importing one adapter would load ten files. With one common
// file, a program reads more text, which is cheap, but opens fewer files, which saves more. An
// entry that needs further packages keeps its own file, even if it imports them only when they are
// first used. Otherwise users of other entries would also load or bundle those packages.

import { dirname, relative } from "node:path";
import type { Metafile } from "esbuild";

/** A module that users can import by a path. */
export interface Entry {
  /** The path of the source, such as `src/adapters/groq.ts`. */
  readonly source: string;
  /** The name of its file in `dist` without the extension: `adapters/groq`. */
  readonly name: string;
  readonly exports: readonly string[];
}

/**
 * Divides entries into those that share one file, if any, and the others. The decision uses
 * esbuild's metafile of a build in which each entry has its own file.
 *
 * @param kept - sources that need their own file
 */
export function sortEntries(
  { outputs }: Metafile,
  kept: readonly string[],
): { readonly together: readonly Entry[]; readonly others: readonly Entry[] } {
  const entries = entriesOf(outputs);
  const index = needsOf("index", outputs);
  const together = entries.filter(({ source, name, exports }) => {
    const { atOnce, later } = needsOf(name, outputs);
    const needsTheSame = sameSet(atOnce, index.atOnce) && [...later].every((path) => index.later.has(path));
    // A module without exports is loaded for its effects, such as the program of a thread. So it
    // keeps its own file.
    return needsTheSame && exports.length > 0 && !kept.includes(`./${source}`);
  });
  const others = entries.filter((entry) => !together.includes(entry));
  // Join only if most entries can be joined. With many other entries, joining would not reduce the
  // number of files, because each part that they share with the joined file becomes another file.
  const isWorthIt = together.length > 1 && together.length > others.length;
  return isWorthIt ? { together, others } : { together: [], others: entries };
}

/**
 * Returns the code of a module that exports everything from some entries, each export with a unique
 * name.
 */
export function joinedModule(entries: readonly Entry[]): string {
  const lines = entries.map((entry) => {
    const names = entry.exports.map((exported) => `${exported} as ${aliasOf(entry, exported)}`);
    return `export { ${names.join(", ")} } from "./${entry.source}";`;
  });
  return lines.join("\n");
}

/**
 * Returns the code of the file at an entry's path. It exports the entry's names from the joined
 * file.
 */
export function entryFile(entry: Entry, joinedName: string): string {
  const names = entry.exports.map((exported) => `  ${aliasOf(entry, exported)} as ${exported}`);
  const path = relative(dirname(entry.name), `${joinedName}.js`);
  return `export {\n${names.join(",\n")}\n} from "${path.startsWith(".") ? path : `./${path}`}";\n`;
}

/**
 * Returns a unique name for an export, because two entries may use the same name for different
 * things.
 */
const aliasOf = ({ name }: Entry, exported: string): string => `${exported}_of_${name.replaceAll(/\W/g, "_")}`;

type Outputs = Metafile["outputs"];

/**
 * Returns the entries. For esbuild a module that is only loaded dynamically is also an entry, but
 * users cannot import it, so it is left out.
 */
function entriesOf(outputs: Outputs): readonly Entry[] {
  return Object.entries(outputs).flatMap(([output, { entryPoint: source = "", exports }]) => {
    const name = source.replace(/^src\/|\.ts$/g, "");
    return output === `dist/${name}.js` ? [{ source, name, exports }] : [];
  });
}

/** The packages that an entry imports: at once, or later by `import()`. */
interface Needs {
  readonly atOnce: ReadonlySet<string>;
  readonly later: ReadonlySet<string>;
}

function needsOf(name: string, outputs: Outputs): Needs {
  const atOnce = new Set<string>();
  const later = new Set<string>();
  const seen = new Set<string>();
  const visit = (output: string, isLater: boolean): void => {
    if (seen.has(`${isLater} ${output}`)) return;
    seen.add(`${isLater} ${output}`);
    for (const { path, kind, external } of outputs[output]?.imports ?? []) {
      const isImportedLater = isLater || kind === "dynamic-import";
      if (!external) visit(path, isImportedLater);
      else (isImportedLater ? later : atOnce).add(path);
    }
  };
  visit(`dist/${name}.js`, false);
  return { atOnce, later };
}

const sameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((item) => other.has(item));
