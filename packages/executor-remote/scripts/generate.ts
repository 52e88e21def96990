// Embeds the runners as text: a bundle of `runners/node/`, and the two unchanged files of
// `runners/python/`.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

async function bundleNodeRunner(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, "runners/node/main.ts")],
    bundle: true,
    minify: true,
    charset: "ascii",
    format: "esm",
    platform: "node",
    target: "node18",
    legalComments: "inline",
    conditions: ["@smolts/source"],
    banner: { js: "// smolts: the runner for Node. It contains acorn and @sveltejs/acorn-typescript (MIT)." },
    write: false,
  });
  return outputFiles[0]?.text ?? "";
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

embed("node-runner.gen.ts", "nodeRunnerSource", "The runner for Node as text.", await bundleNodeRunner());
const [guest, supervisor] = ["guest.py", "runner.py"].map((file) =>
  readFileSync(join(root, "runners/python", file), "utf8"),
);
embed(
  "python-guest.gen.ts",
  "pythonGuestSource",
  "The part of the Python runner that runs blocks, as text.",
  guest ?? "",
);
embed(
  "python-runner.gen.ts",
  "pythonSupervisorSource",
  "The rest of the Python runner, which follows its guest in one file, as text.",
  supervisor ?? "",
);
