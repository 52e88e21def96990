// Writes src/compile/generated/fresh-closures.gen.ts: the same two closures many times.
// src/compile/hot-spot.ts says why. `pnpm generate` runs this script. The result is committed and
// never edited by hand.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// The number of copies of each closure. With this many, a process that runs 10,000 programs is as
// fast as with 1,000 copies.
const copies = 128;

const repeated = (closure: string): string => `[\n${`  ${closure},\n`.repeat(copies)}]`;

const text = `// Written by scripts/generate-fresh-closures.ts; do not edit.

import type { Body, Round } from "../hot-spot.ts";

/** Makes closures that run a body. */
export const freshBodies: readonly ((run: Body) => Body)[] = /* @__PURE__ */ ${repeated(
  "(run) => (frame, value) => run(frame, value)",
)};

/** Makes closures that repeat a round until it returns the reason to stop. */
export const freshLoops: readonly ((round: Round) => Round)[] = /* @__PURE__ */ ${repeated(
  "(round) => (frame) => { for (;;) { const end = round(frame); if (end !== undefined) return end; } }",
)};
`;

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
writeFileSync(join(folder, "src/compile/generated/fresh-closures.gen.ts"), text);
