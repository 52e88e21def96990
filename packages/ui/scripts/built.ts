// What `pnpm build` puts into the package besides its own modules joined.

import { buildClient } from "./build-client.ts";

/** Texts that stand in the package in place of these modules, by path. */
export async function builtModules(): Promise<Readonly<Record<string, string>>> {
  const client = await buildClient();
  return { "src/server/built-client.ts": `export const builtClient = async () => (${JSON.stringify(client)});` };
}

/** Files that are written into `dist`, by name. */
export async function builtFiles(): Promise<Readonly<Record<string, string>>> {
  const { script, style } = await buildClient();
  return { "agent-ui.js": script, "agent-ui.css": style };
}
