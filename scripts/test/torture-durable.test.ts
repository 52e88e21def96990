// Kills real processes at twenty random places. `pnpm torture:durable` kills them at every place,
// and also tests PostgreSQL.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("runs that are killed at random lose nothing and repeat nothing", { timeout: 600_000 }, async () => {
  const program = ["--import", "tsx", "--conditions=@smolts/source", "scripts/torture-durable/main.ts"];
  const argv = [...program, "--kills", "20", "--only-kills", "--json"];
  // If a kill loses or repeats anything, the command exits with 1, and the error contains its
  // output.
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: root });
  const { kills, ...wrong } = JSON.parse(stdout) as { readonly [count: string]: number };
  expect(kills).toBeGreaterThanOrEqual(20);
  expect(wrong).toEqual({ lost: 0, repeated: 0, wrong: 0, stuck: 0, boundaries: 0, bytes: 0, wrongBytes: 0 });
});
