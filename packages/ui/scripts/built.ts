// Returns the texts that `pnpm build` adds to the package.

import { buildClient, buildElement } from "./build-client.ts";

/** Returns the texts that replace modules in the package, by the path of the module. */
export async function builtModules(): Promise<Readonly<Record<string, string>>> {
  const client = await buildClient();
  return {
    "src/server/built-client.ts": `export const builtClient = async () => (${JSON.stringify(client)});`,
    "src/element.ts": (await buildElement(client.style)).module,
  };
}

/**
 * Returns the files to write into `dist`, by name: the element as a script, for pages without a
 * bundler.
 */
export async function builtFiles(): Promise<Readonly<Record<string, string>>> {
  const { style } = await buildClient();
  return { "agent-ui.js": (await buildElement(style)).script };
}
