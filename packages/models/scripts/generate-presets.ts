// Writes two generated files: `src/presets.gen.ts`, with one line for each file in `src/adapters/`,
// and `src/presets.gen.md`, a table of presets for readers. Adding an adapter therefore takes only
// a new file. For example, the file `together-ai.ts` exports `provider` and a function
// `togetherAi`.

import { readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Provider } from "../src/provider.ts";

const source = new URL("../src/", import.meta.url);
const names = readdirSync(new URL("adapters/", source))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length))
  .sort();

async function main(): Promise<void> {
  const providers: Provider[] = [];
  for (const name of names) {
    // The cast is safe: every adapter file exports a provider.
    const adapter = (await import(`../src/adapters/${name}.ts`)) as { readonly provider: Provider };
    providers.push(adapter.provider);
  }
  writeFileSync(fileURLToPath(new URL("presets.gen.ts", source)), renderList());
  writeFileSync(fileURLToPath(new URL("presets.gen.md", source)), renderTable(providers));
}

function renderTable(providers: readonly Provider[]): string {
  return [
    '<!-- Generated from the files in "adapters/" by "pnpm generate". Do not edit. -->',
    "",
    "# Presets",
    "",
    "*Tested with*: `live` means the provider itself; `real software`, the server or proxy on our own machine; `documented`, answers that follow its reference.",
    "",
    "| Preset | Server | Key | Example | Tested with |",
    "| --- | --- | --- | --- | --- |",
    ...providers.map(row),
    "",
  ].join("\n");
}

function row({
  name,
  baseUrl,
  baseUrlVariable,
  seenAgainst = "documented",
  exampleModel = "",
  ...rest
}: Provider): string {
  const server = [baseUrl, baseUrlVariable].filter((one) => one !== undefined).map((one) => `\`${one}\``);
  const key = rest.apiKeyVariable === undefined ? "none" : `\`${rest.apiKeyVariable}\``;
  const optional = rest.apiKeyOptional === true ? " (if the server needs one)" : "";
  return `| \`${name}\` | ${server.join(" or ")} | ${key}${optional} | \`${name}:${exampleModel}\` | ${seenAgainst} |`;
}

function renderList(): string {
  return [
    '// Generated from the files in "adapters/" by "pnpm generate". Do not edit.',
    "",
    ...names.map(
      (name) => `import { ${camelCase(name)}, provider as ${camelCase(name)}Provider } from "./adapters/${name}.ts";`,
    ),
    'import type { Preset } from "./preset.ts";',
    "",
    "/** The name of a preset. */",
    `export type PresetName = ${names.map((name) => `"${name}"`).join(" | ")};`,
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

await main();
