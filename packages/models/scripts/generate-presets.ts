// Writes `src/presets.gen.ts`: one line for each file in `src/adapters/`, so that a new adapter is a new file and nothing else.
// A file `together-ai.ts` exports `provider` and a function `togetherAi`.

import { readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const source = new URL("../src/", import.meta.url);
const names = readdirSync(new URL("adapters/", source))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length))
  .sort();

writeFileSync(fileURLToPath(new URL("presets.gen.ts", source)), render());

function render(): string {
  return [
    '// Generated from the files in "adapters/" by "pnpm generate". Do not edit.',
    "",
    ...names.map(
      (name) => `import { ${camelCase(name)}, provider as ${camelCase(name)}Provider } from "./adapters/${name}.ts";`,
    ),
    'import type { Preset } from "./preset.ts";',
    "",
    "/** All presets, by name. */",
    "export const presets: readonly Preset[] = [",
    ...names.map((name) => `  { provider: ${camelCase(name)}Provider, create: ${camelCase(name)} },`),
    "];",
    "",
  ].join("\n");
}

function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
