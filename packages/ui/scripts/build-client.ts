// Builds the page from `client/`. When the package runs from its sources, the page is built in
// memory at the first request. `pnpm build` writes the built page into the package.

import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type OutputFile } from "esbuild";
import type { BuiltClient } from "../src/server/built-client.ts";

const folder = dirname(dirname(fileURLToPath(import.meta.url)));

const options = {
  absWorkingDir: folder,
  outdir: "dist",
  bundle: true,
  write: false,
  minify: true,
  format: "esm",
  platform: "browser",
  target: ["es2022", "chrome109", "firefox115", "safari16.4"],
  conditions: ["@smolts/source"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  charset: "utf8",
  logLevel: "warning",
  define: { "process.env.NODE_ENV": '"production"' },
} satisfies BuildOptions;

const page = [{ in: "client/main.ts", out: "agent-ui" }];

/**
 * Builds the page twice: as a script that loads its rarer parts when they are needed, and as one
 * whole script for pages that must not request anything.
 */
export async function buildClient(): Promise<BuiltClient> {
  const [parted, whole] = await Promise.all([
    build({ ...options, entryPoints: page, splitting: true, chunkNames: "agent-ui-[name]-[hash]" }),
    build({ ...options, entryPoints: page }),
  ]);
  const named = new Map(parted.outputFiles.map((file) => [basename(file.path), file.text]));
  const [script = "", style = ""] = [named.get("agent-ui.js"), named.get("agent-ui.css")];
  named.delete("agent-ui.js");
  named.delete("agent-ui.css");
  return { script, style, parts: Object.fromEntries(named), wholeScript: textOf(whole.outputFiles, ".js") };
}

/** The element for other people's pages. It contains the style sheet. */
export interface BuiltElement {
  /** An ES module that exports `defineAgentUI`. */
  readonly module: string;
  /** A script that defines the element when it runs. */
  readonly script: string;
}

/** Builds the element `<agent-ui>`. */
export async function buildElement(style: string): Promise<BuiltElement> {
  const withStyle = { ...options, define: { ...options.define, agentUIStyle: JSON.stringify(style) } };
  const [module, script] = await Promise.all([
    build({ ...withStyle, entryPoints: ["client/embedded.ts"] }),
    build({
      ...withStyle,
      stdin: {
        contents: 'import { defineAgentUI } from "./client/embedded.ts"; void defineAgentUI();',
        resolveDir: folder,
      },
    }),
  ]);
  return { module: textOf(module.outputFiles, ".js"), script: textOf(script.outputFiles, ".js") };
}

const textOf = (files: readonly OutputFile[], ending: string): string =>
  files.find(({ path }) => path.endsWith(ending))?.text ?? "";
