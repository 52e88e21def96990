import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CommandResult, runCommand } from "../run-command.ts";
import type { Benchmark } from "./benchmark.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Measures how long a new user waits for the first answer of an agent. */
export const benchmark: Benchmark = {
  name: "fresh-clone",
  method:
    "git clone of the last commit, with an empty HOME and no caches; then the README's commands one after the other, including their downloads",
  goals: { demoSeconds: 60 },
  onlyByName: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "smolts-clone-"));
    try {
      const clone = join(folder, "smolts");
      const home = join(folder, "home");
      mkdirSync(home);
      await must(runCommand(["git", "clone", "-q", root, clone], { cwd: folder }));
      const environment = {
        HOME: home,
        XDG_CACHE_HOME: join(home, ".cache"),
        XDG_DATA_HOME: join(home, ".local/share"),
        PNPM_HOME: join(home, ".local/share/pnpm"),
        npm_config_cache: join(home, ".npm"),
      };
      const run = (name: string) => must(runCommand(["npx", "-y", "pnpm@12.21.0", name], { cwd: clone, environment }));
      return { demoSeconds: await run("demo"), testSeconds: await run("test") };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function must(running: Promise<CommandResult>): Promise<number> {
  const { ok, output, durationMs } = await running;
  if (!ok) throw new Error(output);
  return durationMs / 1000;
}
