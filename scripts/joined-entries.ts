// Finds the entries of a package that share one file with its index: those that need no other
// packages than it does.
//
// Adapters of models share almost all their code, in ever other sets, and esbuild makes a file of
// each set: who imported one adapter loaded ten files. In one file with the others it reads more
// text, which is cheap, and finds fewer files, which is not. What needs further packages, now or at
// first use, stays by itself: nobody is to load them, or to have them in a bundle, for another
// entry's sake.

import { dirname, relative } from "node:path";
import type { Metafile } from "esbuild";

/** A module that is imported by name. */
export interface Entry {
  /** Such as `src/adapters/groq.ts`. */
  readonly source: string;
  /** Of its file in `dist`, without the ending: `adapters/groq`. */
  readonly name: string;
  readonly exports: readonly string[];
}

/**
 * Sorts entries into those that stand together, if any, and the others, by what esbuild says of a
 * build in which each is by itself.
 *
 * @param kept - sources that need a file of their own
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
    // What exports nothing is loaded for what it does, such as the program of a thread.
    return needsTheSame && exports.length > 0 && !kept.includes(`./${source}`);
  });
  const others = entries.filter((entry) => !together.includes(entry));
  // Many others would share parts with the joined file, and each is a file again.
  const isWorthIt = together.length > 1 && together.length > others.length;
  return isWorthIt ? { together, others } : { together: [], others: entries };
}

/** A module that exports all that some entries do, each under a name of its own. */
export function joinedModule(entries: readonly Entry[]): string {
  const lines = entries.map((entry) => {
    const names = entry.exports.map((exported) => `${exported} as ${aliasOf(entry, exported)}`);
    return `export { ${names.join(", ")} } from "./${entry.source}";`;
  });
  return lines.join("\n");
}

/** The file at an entry's path, which exports the entry's names from the joined file. */
export function entryFile(entry: Entry, joinedName: string): string {
  const names = entry.exports.map((exported) => `  ${aliasOf(entry, exported)} as ${exported}`);
  const path = relative(dirname(entry.name), `${joinedName}.js`);
  return `export {\n${names.join(",\n")}\n} from "${path.startsWith(".") ? path : `./${path}`}";\n`;
}

/** Entries may export different things under one name. */
const aliasOf = ({ name }: Entry, exported: string): string => `${exported}_of_${name.replaceAll(/\W/g, "_")}`;

type Outputs = Metafile["outputs"];

/**
 * A module that is only loaded dynamically is an entry for esbuild, too, but has no name that
 * others know.
 */
function entriesOf(outputs: Outputs): readonly Entry[] {
  return Object.entries(outputs).flatMap(([output, { entryPoint: source = "", exports }]) => {
    const name = source.replace(/^src\/|\.ts$/g, "");
    return output === `dist/${name}.js` ? [{ source, name, exports }] : [];
  });
}

/** Other packages. */
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
