// Bundles the code of the two realms to text that QuickJS evaluates.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

async function bundleRealm(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, `realm/${name}.ts`)],
    bundle: true,
    minify: true,
    charset: "ascii",
    format: "iife",
    globalName: "realm",
    platform: "neutral",
    target: "es2022",
    legalComments: "inline",
    conditions: ["@smolts/source"],
    alias: { "node:util": join(root, "realm/inspect.ts") },
    write: false,
  });
  return `(function () {${outputFiles[0]?.text ?? ""}return realm.openRealm; })()`;
}

function embed(file: string, name: string, what: string, text: string): void {
  const source = [
    "// Made by `pnpm generate`; do not edit.",
    "",
    `/** ${what} */`,
    `export const ${name}: string = ${JSON.stringify(text)};`,
    "",
  ].join("\n");
  writeFileSync(join(root, "src", file), source);
}

embed(
  "guest-realm.gen.ts",
  "guestRealmSource",
  "Our part of the realm that runs blocks, as text.",
  await bundleRealm("guest-realm"),
);
embed(
  "reader-realm.gen.ts",
  "readerRealmSource",
  "The realm that reads blocks, as text. It contains acorn and @sveltejs/acorn-typescript (MIT).",
  await bundleRealm("reader-realm"),
);
