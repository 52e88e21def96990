// Makes the page: one script and one style sheet, from `client/`. From the sources it is made in memory at the first request; `pnpm build` puts the
// same two texts into the package.

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The page's files, as texts. */
export interface BuiltClient {
  readonly script: string;
  readonly style: string;
}

const folder = dirname(dirname(fileURLToPath(import.meta.url)));

/** Builds the page. */
export async function buildClient(): Promise<BuiltClient> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [{ in: "client/main.ts", out: "agent-ui" }],
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
  });
  const textOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  return { script: textOf(".js"), style: textOf(".css") };
}
