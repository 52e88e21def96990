// The runner for Node: one file that contains both supervisor and guest. `pnpm generate` bundles
// it.

import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { supervise } from "./supervisor.ts";

export { serveGuest } from "./guest.ts";

/** Returns whether this file was started directly, and not imported by a guest. */
function isStarted(): boolean {
  const [, started] = process.argv;
  return started !== undefined && pathToFileURL(realpathSync(started)).href === import.meta.url;
}

if (isStarted()) supervise(import.meta.url);
