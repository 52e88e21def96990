// Embeds the Python source of the guest as text.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const text = readFileSync(join(root, "python/port.py"), "utf8");
const source = [
  "// Made by `pnpm generate`; do not edit.",
  "",
  "/** The port of a guest in WebAssembly as text of Python. */",
  `export const portSource: string = ${JSON.stringify(text)};`,
  "",
].join("\n");
writeFileSync(join(root, "src/port.gen.ts"), source);
