// Writes the copies of the hot operators and the hot closures (src/compile/hot-closures.ts says why there are copies), and the list of them,
// src/compile/generated/hot-copies.gen.ts. Copy 0 is the original itself. Run by `pnpm generate`, after generate-operators.ts; the results are committed and
// never edited by hand.

import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "src/compile/generated");

interface Original {
  /** The name of one copy's type, and of the list in the plural. */
  readonly type: string;
  readonly list: string;
  /** What is copied, from the folder of what is generated. */
  readonly file: string;
  readonly copies: number;
}

const originals: readonly Original[] = [
  { type: "HotOperators", list: "hotOperators", file: "./hot-operators.gen.ts", copies: 4 },
  { type: "HotClosures", list: "hotClosures", file: "../hot-closures.ts", copies: 8 },
];

const indices = (length: number): readonly number[] => Array.from({ length }, (_copy, index) => index);

const fileOf = ({ file }: Original, copy: number): string =>
  copy === 0 ? file : `./${basename(file).replace(/(\.gen)?\.ts$/, `-${copy}.gen.ts`)}`;

function writeCopies(original: Original): void {
  const { file, copies } = original;
  const text = readFileSync(join(folder, file), "utf8").replace(/^(\/\/.*\n)+/, "");
  const isAbove = file.startsWith("../");
  for (const copy of indices(copies).slice(1)) {
    const opening = `// A copy of ${basename(file)}, written by scripts/generate-copies.ts; do not edit.\n`;
    writeFileSync(join(folder, fileOf(original, copy)), opening + (isAbove ? oneFolderDown(text) : text));
  }
}

/** With imports that lead to the same files from the folder below. */
const oneFolderDown = (text: string): string =>
  text.replace(/(?<=^(?:import|\}) .*from ")\.\.?\//gm, (start) => (start === "./" ? "../" : "../../"));

const importsOf = (original: Original): string =>
  indices(original.copies)
    .map((copy) => `import * as ${original.list}${copy} from "${fileOf(original, copy)}";`)
    .join("\n");

const listOf = ({ type, list, file, copies }: Original): string => `/** One copy of ${basename(file)}. */
export type ${type} = typeof ${list}0;

/** All copies, the original first. */
export const ${list}: readonly ${type}[] = [
${indices(copies)
  .map((copy) => `  ${list}${copy},`)
  .join("\n")}
];
`;

for (const original of originals) writeCopies(original);
writeFileSync(
  join(folder, "hot-copies.gen.ts"),
  `// Written by scripts/generate-copies.ts; do not edit.

${originals.map(importsOf).join("\n")}

${originals.map(listOf).join("\n")}`,
);
