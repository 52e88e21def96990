// What `pnpm build` puts into the package besides its own modules joined.

import { buildClient, buildElement } from "./build-client.ts";

/** Texts that replace these modules in the package, by path. */
export async function builtModules(): Promise<Readonly<Record<string, string>>> {
  const client = await buildClient();
  return {
    "src/server/built-client.ts": `export const builtClient = async () => (${JSON.stringify(client)});`,
    "src/element.ts": (await buildElement(client.style)).module,
  };
}

/**
 * Files that are written into `dist`, by name: the element as a script that defines it, for pages
 * without a bundler.
 */
export async function builtFiles(): Promise<Readonly<Record<string, string>>> {
  const { style } = await buildClient();
  return { "agent-ui.js": (await buildElement(style)).script };
}
