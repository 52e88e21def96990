// `pnpm pack:check`: tests the packages in the form in which users get them. It packs every
// published package, checks each tarball, and installs all of them with npm into an empty project.
// There it runs every command, and loads every entry with import and with require. Then it installs
// `smolts` alone with other package managers, and measures the size of bundles. It also checks all
// declarations with several versions of TypeScript. It needs a build.
//
//   pnpm pack:check                      npm and pnpm 12
//   pnpm pack:check --clients all        pnpm 10, Yarn, Bun and Deno, too
//   pnpm pack:check --clients "bun,yarn 4"

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { type Client, clients, defaultClients } from "./pack-check/clients.ts";
import { allSettings, declarationProblems } from "./pack-check/declarations.ts";
import { importedEntries } from "./pack-check/imported-entries.ts";
import { type Installation, tryClient } from "./pack-check/install.ts";
import { startRegistry } from "./pack-check/registry.ts";
import { type CommandResult, runCommand } from "./run-command.ts";
import { type Manifest, publishedPackages, readManifest, type WorkspacePackage } from "./workspace.ts";

/** A package after packing: its tarball, and the folder with its unpacked files. */
interface PackedPackage {
  readonly name: string;
  readonly tarball: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));

async function main(): Promise<void> {
  const chosen = chosenClients();
  const workFolder = mkdtempSync(join(tmpdir(), "smolts-pack-"));
  try {
    const packed: PackedPackage[] = [];
    for (const member of publishedPackages(root)) packed.push(await pack(member, workFolder));
    const problems: string[] = [];
    for (const item of packed) problems.push(...tarballProblems(item), ...(await publintProblems(item)));
    const project = join(workFolder, "project");
    problems.push(...(await installedProblems(packed, project)));
    const entries = new Map(packed.map(({ name, manifest }) => [name, importedEntries(manifest)]));
    problems.push(...(await declarationProblems(entries, allSettings, { project, workFolder })));
    const installations = await install(chosen, packed, workFolder);
    problems.push(...installations.flatMap((installation) => installation.problems));
    report(packed, problems);
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

function chosenClients(): readonly Client[] {
  const { values } = parseArgs({ options: { clients: { type: "string", default: defaultClients.join(",") } } });
  if (values.clients === "all") return clients;
  return values.clients.split(",").map((name) => {
    const client = clients.find((one) => one.name === name.trim());
    if (client) return client;
    throw new Error(`there is no client "${name}"; the clients are all, ${clients.map((one) => one.name).join(", ")}`);
  });
}

/** Installs `smolts` with each package manager, one after the other, and prints a line for each. */
async function install(
  chosen: readonly Client[],
  packed: readonly PackedPackage[],
  workFolder: string,
): Promise<readonly Installation[]> {
  const { stdout } = await runCommand(["npm", "config", "get", "registry"], { cwd: workFolder });
  await using registry = await startRegistry(packed, `${stdout.trim().replace(/\/$/, "")}/`);
  const installations: Installation[] = [];
  for (const client of chosen) {
    const installation = await tryClient(client, registry.url, workFolder);
    console.log(lineFor(installation));
    installations.push(installation);
  }
  return installations;
}

function lineFor({ client, figures, problems, skipped }: Installation): string {
  const name = client.padEnd(12);
  if (skipped !== undefined) return `skipped  ${name}${skipped}`;
  const state = problems.length === 0 ? "ok      " : "FAILED  ";
  if (!figures) return `${state} ${name}`;
  const { thirdParty, megabytes, seconds } = figures;
  const count = `${thirdParty.length} third-party packages`;
  return `${state} ${name}${count}, ${megabytes.toFixed(1)} MB, ${seconds.toFixed(1)} s`;
}

async function pack({ folder, manifest }: WorkspacePackage, workFolder: string): Promise<PackedPackage> {
  if (!existsSync(join(root, folder, "dist")))
    throw new Error(`"${folder}" has no dist folder; run "pnpm build" first`);
  const target = join(workFolder, manifest.name.replace("/", "-"));
  mkdirSync(target);
  await must(runCommand(["pnpm", "pack", "--pack-destination", target], { cwd: join(root, folder) }));
  const tarball = join(target, only(readdirSync(target)));
  await must(runCommand(["tar", "-xzf", tarball, "-C", target], { cwd: root }));
  const unpacked = join(target, "package");
  return { name: manifest.name, tarball, folder: unpacked, manifest: readManifest(join(unpacked, "package.json")) };
}

function tarballProblems({ name, folder, manifest }: PackedPackage): readonly string[] {
  // The manifest's scripts are used only in this repository, so they are not checked.
  const text = JSON.stringify({ ...manifest, scripts: {} });
  const problems: string[] = [];
  if (text.includes("@smolts/source")) problems.push("its manifest still names the @smolts/source condition");
  if (text.includes("workspace:")) problems.push("its manifest still has a workspace: range");
  if (!existsSync(join(folder, "LICENSE"))) problems.push("it has no LICENSE");
  if (!existsSync(join(folder, "README.md"))) problems.push("it has no README.md");
  for (const script of ["preinstall", "install", "postinstall"]) {
    if (manifest.scripts?.[script] !== undefined) problems.push(`it would run its "${script}" script when installed`);
  }
  return problems.map((problem) => `${name}: ${problem}`);
}

async function publintProblems({ name, folder, manifest }: PackedPackage): Promise<readonly string[]> {
  const { messages } = await publint({ pkgDir: folder, pack: false, strict: true });
  // Ignore suggestions, which are a matter of taste. Warnings and errors mean that a package does
  // not work somewhere.
  const faults = messages.filter(({ type }) => type !== "suggestion");
  return faults.map((message) => `${name}: ${formatMessage(message, manifest, { color: false })}`);
}

async function installedProblems(packed: readonly PackedPackage[], project: string): Promise<readonly string[]> {
  mkdirSync(project);
  // Optional peer dependencies are installed, too, because users of the entries that need them have
  // installed them.
  const peers = Object.assign({}, ...packed.map(({ manifest }) => manifest.peerDependencies));
  const types = { "@types/node": "^20.19.0", "@types/react": "^19.0.0" };
  const dependencies = {
    ...peers,
    ...types,
    ...Object.fromEntries(packed.map((item) => [item.name, `file:${item.tarball}`])),
  };
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "empty", private: true, type: "module", dependencies }),
  );
  await must(runCommand(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: project }));
  const problems: string[] = [];
  for (const item of packed) {
    for (const entry of importedEntries(item.manifest)) problems.push(...(await entryProblems(entry, project)));
    for (const command of Object.keys(item.manifest.bin ?? {})) problems.push(...(await binProblems(command, project)));
  }
  return problems;
}

async function entryProblems(entry: string, project: string): Promise<readonly string[]> {
  const loads = {
    import: [
      "node",
      "--input-type=module",
      "-e",
      `import * as all from "${entry}"; if (!Object.keys(all).length) throw new Error("exports nothing");`,
    ],
    require: [
      "node",
      "--input-type=commonjs",
      "-e",
      `if (!Object.keys(require("${entry}")).length) throw new Error("exports nothing");`,
    ],
  } as const;
  const problems: string[] = [];
  for (const [how, command] of Object.entries(loads)) {
    const { ok, output, stdout } = await runCommand(command, { cwd: project });
    if (!ok) problems.push(`${how} "${entry}" fails\n${output.trimEnd()}`);
    else if (stdout !== "") problems.push(`${how} "${entry}" prints "${stdout.trimEnd()}"`);
  }
  return problems;
}

async function binProblems(command: string, project: string): Promise<readonly string[]> {
  const { ok, output } = await runCommand([join(project, "node_modules/.bin", command), "--help"], { cwd: project });
  return ok ? [] : [`the command "${command} --help" fails\n${output.trimEnd()}`];
}

function report(packed: readonly PackedPackage[], problems: readonly string[]): void {
  for (const problem of problems) console.error(problem);
  const count = packed.reduce((sum, item) => sum + importedEntries(item.manifest).length, 0);
  const result = problems.length === 0 ? "all good" : `${problems.length} problems`;
  console.log(`pack:check: ${packed.length} packages, ${count} entries by import and require, ${result}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

async function must(running: Promise<CommandResult>): Promise<void> {
  const { ok, output } = await running;
  if (!ok) throw new Error(output);
}

function only(names: readonly string[]): string {
  const [name] = names;
  if (name === undefined || names.length !== 1) throw new Error(`expected one tarball, found ${names.length}`);
  return name;
}

await main();
