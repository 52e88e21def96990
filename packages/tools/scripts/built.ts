// Builds the HTML parser that `pnpm build` puts into this package, and collects the licences of its
// libraries.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildResult, build, type Plugin } from "esbuild";
import { readEntityNames, writeEntityNames } from "./entity-names.ts";

const folder = dirname(dirname(fileURLToPath(import.meta.url)));

/** Returns the modules that the built package replaces: each path, with the new code. */
export async function builtModules(): Promise<Readonly<Record<string, string>>> {
  const { outputFiles = [] } = await buildParser();
  return { "src/toolbox/html-parser.ts": outputFiles[0]?.text ?? "" };
}

/**
 * Returns one more file for the folder `dist`: its name, with its text. The text is the licences of
 * the bundled libraries.
 */
export async function builtFiles(): Promise<Readonly<Record<string, string>>> {
  const { metafile } = await buildParser();
  const inputs = Object.keys(metafile?.inputs ?? {}).map((path) => join(folder, path));
  const libraries = new Set(inputs.filter((path) => path.includes("/node_modules/")).map(libraryOf));
  return { "html-parser.licences.txt": [...libraries].sort().map(licenceOf).join("\n\n") };
}

/** Returns the folder of the library that a file belongs to. */
const libraryOf = (path: string): string => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? "";

const buildParser = (): Promise<BuildResult> =>
  build({
    absWorkingDir: folder,
    entryPoints: ["src/toolbox/html-parser.ts"],
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    // Imports the parser alone. The library's index would load another version of the entity
    // tables, for functions that are not used here.
    alias: {
      htmlparser2: join(libraryOf(createRequire(import.meta.url).resolve("htmlparser2")), "dist/esm/Parser.js"),
    },
    plugins: [entityNamesAsText],
    metafile: true,
    write: false,
    logLevel: "warning",
  });

/**
 * Replaces the tree of HTML's named characters in the library `entities` with a list of their
 * names, which is shorter. The parser builds the tree from these names when it is loaded.
 */
const entityNamesAsText: Plugin = {
  name: "entity-names-as-text",
  setup({ onLoad }) {
    onLoad({ filter: /entities\/dist\/esm\/generated\/decode-data-html\.js$/ }, async ({ path }) => {
      const { htmlDecodeTree } = (await import(pathToFileURL(path).href)) as { readonly htmlDecodeTree: Uint16Array };
      const text = JSON.stringify(writeEntityNames(readEntityNames(htmlDecodeTree)));
      const contents = `import { entityTree } from "./entity-names.ts"; export const htmlDecodeTree = entityTree(${text});`;
      return { contents, resolveDir: join(folder, "scripts") };
    });
  },
};

function licenceOf(library: string): string {
  const { name, version } = JSON.parse(readFileSync(join(library, "package.json"), "utf8"));
  const file = readdirSync(library).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`"${name}" has no licence file`);
  return `${name} ${version}\n\n${readFileSync(join(library, file), "utf8").trim()}\n`;
}
