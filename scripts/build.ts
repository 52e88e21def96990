// `pnpm build`: first turbo runs the build of every package (declarations, with tsc), in the order
// of their dependencies and with its telemetry off. Then `bundle.ts` joins the JavaScript of each
// package.

import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.ts";
import { publishedPackages } from "./workspace.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packages = publishedPackages(root);
// Removes old output. Otherwise a file would be packed although its source was deleted. Turbo
// restores the files in its cache.
for (const { folder } of packages) rmSync(join(root, folder, "dist"), { recursive: true, force: true });

const { status, error } = spawnSync(`${root}/node_modules/.bin/turbo`, ["run", "build", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
});
if (error) throw error;
if (status === 0) for (const member of packages) await bundle(root, member);
process.exitCode = status ?? 1;
