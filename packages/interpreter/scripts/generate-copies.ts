// Writes the copies of the hot closures (src/compile/hot-closures.ts says why there are copies) and of the hot operators, and the list of them,
// src/compile/generated/hot-copies.gen.ts. Copy 0 is the original itself. Run by `pnpm generate`, after generate-operators.ts; the results are committed and
// never edited by hand.

import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const copies = 8;
const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "src/compile/generated");

/** What is copied, by the name that the compiler knows it by; from the folder of what is generated. */
const originals = { closures: "../hot-closures.ts", operators: "./hot-operators.gen.ts" } as const;
const entries = Object.entries(originals);

const fileOf = (original: string, copy: number): string =>
  copy === 0 ? original : `./${basename(original).replace(/(\.gen)?\.ts$/, `-${copy}.gen.ts`)}`;

function writeCopies(original: string): void {
  const text = readFileSync(join(folder, original), "utf8").replace(/^(\/\/.*\n)+/, "");
  const isAbove = original.startsWith("../");
  for (let copy = 1; copy < copies; copy++) {
    const opening = `// A copy of ${basename(original)}, written by scripts/generate-copies.ts; do not edit.\n`;
    writeFileSync(join(folder, fileOf(original, copy)), opening + (isAbove ? oneFolderDown(text) : text));
  }
}

/** With imports that lead to the same files from the folder below. */
const oneFolderDown = (text: string): string =>
  text.replace(/(?<=^(?:import|\}) .*from ")\.\.?\//gm, (start) => (start === "./" ? "../" : "../../"));

function list(): string {
  const indices = Array.from({ length: copies }, (_copy, index) => index);
  const imports = entries.flatMap(([name, original]) =>
    indices.map((copy) => `import * as ${name}${copy} from "${fileOf(original, copy)}";`),
  );
  return `// Written by scripts/generate-copies.ts; do not edit.

${imports.join("\n")}

/** One copy of everything that there are copies of. */
export interface HotCopy {
${entries.map(([name]) => `  readonly ${name}: typeof ${name}0;`).join("\n")}
}

/** All copies, the original first. */
export const hotCopies: readonly HotCopy[] = [
${indices.map((copy) => `  { ${entries.map(([name]) => `${name}: ${name}${copy}`).join(", ")} },`).join("\n")}
];
`;
}

for (const [, original] of entries) writeCopies(original);
writeFileSync(join(folder, "hot-copies.gen.ts"), list());
