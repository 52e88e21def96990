// `pnpm build`: every package's own build in the order of their arrows, by turbo, with its telemetry off.

import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { status, error } = spawnSync(`${root}/node_modules/.bin/turbo`, ["run", "build", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
});
if (error) throw error;
process.exitCode = status ?? 1;
