// `pnpm generate`: runs the "generate" script of every package that has one; each one writes its
// own `*.gen.ts` and `*.gen.md` files. With `--check`, all files are restored afterwards. If a file
// would change, it is named and the check fails.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "./run-command.ts";
import { filesBelow, type WorkspacePackage, workspacePackages } from "./workspace.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

async function main(): Promise<void> {
  const check = process.argv.includes("--check");
  const problems: string[] = [];
  for (const member of workspacePackages(root)) problems.push(...(await generate(member, check)));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

async function generate(member: WorkspacePackage, check: boolean): Promise<readonly string[]> {
  const before = generatedFiles(member);
  if (member.manifest.scripts?.["generate"] === undefined) {
    return [...before.keys()].map((path) => `${path}: is generated, but ${member.folder} has no "generate" script`);
  }
  const { ok, output } = await runCommand(["pnpm", "run", "generate"], { cwd: join(root, member.folder) });
  if (!ok) return [`${member.folder}: "generate" failed\n${output}`];
  if (!check) return [];
  const stale = differences(before, generatedFiles(member));
  for (const path of stale) putBack(path, before.get(path));
  return stale.map((path) => `${path}: is stale; run "pnpm generate" and commit the result`);
}

function generatedFiles(member: WorkspacePackage): ReadonlyMap<string, string> {
  const paths = [".gen.ts", ".gen.md"].flatMap((ending) => filesBelow(root, `${member.folder}/src`, ending));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

/**
 * Restores a file. A new file is kept, because committing it is easier than generating it again.
 */
function putBack(path: string, text: string | undefined): void {
  if (text !== undefined) writeFileSync(join(root, path), text);
}

await main();
