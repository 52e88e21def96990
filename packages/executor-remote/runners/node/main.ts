// The runner for Node: one file that is supervisor and guest. Bundled by `pnpm generate`.

import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { supervise } from "./supervisor.ts";

export { serveGuest } from "./guest.ts";

/** Whether this file was started, and not imported by a guest. */
function isStarted(): boolean {
  const [, started] = process.argv;
  return started !== undefined && pathToFileURL(realpathSync(started)).href === import.meta.url;
}

if (isStarted()) supervise(import.meta.url);
