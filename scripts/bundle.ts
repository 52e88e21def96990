// The JavaScript of a published package: its modules joined, one file for each entry and for each part that entries share or load at first use.
//
// Node pays about half a millisecond for each module it imports, whatever stands in it. The sources stay many small files, and who imports the package
// loads a few. Only the package's own modules are joined: dependencies stay imports, so that two packages never hold a copy of a third.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { filesBelow, type Manifest, type WorkspacePackage } from "./workspace.ts";

/** Writes `dist/*.js` of a package from its sources, with maps to them; the declarations that stand there stay. */
export async function bundle(root: string, { folder, manifest }: WorkspacePackage): Promise<void> {
  for (const ending of [".js", ".js.map"]) {
    for (const path of filesBelow(root, `${folder}/dist`, ending)) rmSync(join(root, path));
  }
  const { outputFiles } = await build({
    absWorkingDir: join(root, folder),
    entryPoints: namedSources(manifest),
    outbase: "src",
    outdir: "dist",
    // Shared parts stand beside the entries: what they find by `import.meta.url` is found from there.
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "neutral",
    target: "es2023",
    sourcemap: true,
    // The sources are in the package.
    sourcesContent: false,
    logLevel: "warning",
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path.endsWith(".js") ? withoutBareImports(text) : text);
  }
}

/**
 * Without the imports that import nothing: esbuild keeps the order of side effects by them. No module of ours has one, and the bundlers of those who
 * import us warn of each. The lines stay, for the maps count them.
 */
const withoutBareImports = (code: string): string => code.replace(/^import "\.[^"]*";$/gm, "");

/**
 * The modules that somebody finds by name: what `exports` lists (a pattern such as `./src/adapters/*.ts` stands for every file that fits, for esbuild too),
 * and what bundlers for browsers exchange.
 */
function namedSources({ exports = {}, browser = {} }: Manifest): string[] {
  const exported = Object.values(exports).map(
    (entry) => (entry as { readonly "@smolts/source"?: string })["@smolts/source"],
  ); // a text has none
  const exchanged = Object.entries(browser).flat();
  return [...exported, ...exchanged].filter((path) => path?.startsWith("./src/")) as string[]; // what is undefined does not start so
}
