// Installs `smolts` with a package manager into an empty project, as a user would, and reports
// problems.

import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandResult, runCommand } from "../run-command.ts";
import { readManifest } from "../workspace.ts";
import { bundleProblems } from "./bundles.ts";
import type { Client } from "./clients.ts";
import { declarationProblems, settingsWithoutNode } from "./declarations.ts";
import { importedEntries } from "./imported-entries.ts";

/** The outcome of an installation. */
export interface Installation {
  readonly client: string;
  /** Absent if the package manager could not be fetched. */
  readonly figures?: { readonly thirdParty: readonly string[]; readonly megabytes: number; readonly seconds: number };
  readonly problems: readonly string[];
  /** The reason for not trying this package manager. */
  readonly skipped?: string;
}

type Command = readonly [string, ...string[]];

/** The limits of an installation: the maximum number of third-party packages, and of megabytes. */
const limits = { thirdParty: 12, megabytes: 15 };

/**
 * Fetches a package manager, and uses it to install `smolts` twice, the second time from the
 * lockfile. Then runs a program that uses `smolts`, and the command `smolts`.
 */
export async function tryClient(client: Client, registry: string, workFolder: string): Promise<Installation> {
  const folder = join(workFolder, client.name.replaceAll(" ", "-"));
  mkdirSync(folder);
  const fetched = await fetchClient(client, folder);
  if (typeof fetched === "string") return { client: client.name, problems: [], skipped: fetched };
  const project = emptyProject(client, registry, folder);
  const home = join(folder, "home");
  mkdirSync(home);
  const environment = { HOME: home, XDG_CACHE_HOME: home, CI: "", NO_COLOR: "1", ...client.environment?.(registry) };
  const run = (command: Command): Promise<CommandResult> => runCommand(command, { cwd: project, environment });
  const added = await run([...fetched, ...client.add]);
  if (!added.ok) return { client: client.name, problems: [`${client.name}: it does not install\n${added.output}`] };
  const figures = figuresOf(join(project, client.folder), added);
  const problems = [...warningsOf(added), ...treeProblems(join(project, client.folder), figures)];
  rmSync(join(project, client.folder), { recursive: true, force: true });
  const frozen = await run([...fetched, ...client.frozen]);
  problems.push(...failureOf(frozen, "the lockfile does not install again"), ...warningsOf(frozen));
  const program = await run(client.run(fetched, "agent.mjs"));
  problems.push(...failureOf(program, "a program fails"));
  if (program.ok && program.stdout.trim() !== "42 sql") problems.push(`a program prints "${program.stdout.trim()}"`);
  if (client.name === "npm")
    problems.push(...(await typeProblems(project, workFolder)), ...(await bundleProblems(project)));
  const help = await run(client.command?.(fetched) ?? ["node_modules/.bin/smolts", "--help"]);
  problems.push(...failureOf(help, '"smolts --help" fails'));
  return { client: client.name, figures, problems: problems.map((problem) => `${client.name}: ${problem}`) };
}

/**
 * Checks the declarations of `smolts` where nothing else is installed, not even optional packages.
 */
async function typeProblems(project: string, workFolder: string): Promise<readonly string[]> {
  const manifest = readManifest(join(project, "node_modules/smolts/package.json"));
  const packages = new Map([["smolts alone", importedEntries(manifest)]]);
  return await declarationProblems(packages, settingsWithoutNode, { project, workFolder });
}

/** Returns the command that starts the package manager, or the reason why there is none. */
async function fetchClient({ package: name, program, isScript }: Client, folder: string): Promise<Command | string> {
  if (name === undefined || program === undefined) return ["npm"];
  const command: Command = ["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", name];
  const { ok, output } = await runCommand(command, { cwd: folder });
  if (!ok) return `npm could not fetch ${name}: ${output.trim().split("\n").at(-1)}`;
  const path = join(folder, "node_modules", program);
  return isScript ? [process.execPath, path] : [path];
}

function emptyProject(client: Client, registry: string, folder: string): string {
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  writeFileSync(
    join(project, "agent.mjs"),
    `import { CodeAgent } from "smolts";
import { sql } from "smolts/tools/sql";
const agent = new CodeAgent({ model: () => "<code>finalAnswer(6 * 7)</code>", addBaseTools: true });
console.log(await agent.run("What is 6 times 7?"), sql.name);
`,
  );
  client.configure?.(project, registry);
  return project;
}

function figuresOf(folder: string, { durationMs }: CommandResult): NonNullable<Installation["figures"]> {
  const names = [...new Set(packagesBelow(folder).map(({ name }) => name))];
  const thirdParty = names.filter((name) => name !== "smolts" && !name.startsWith("@smolts/")).sort();
  return { thirdParty, megabytes: sizeOfFolder(folder, new Set()) / 1e6, seconds: durationMs / 1000 };
}

function treeProblems(folder: string, figures: NonNullable<Installation["figures"]>): readonly string[] {
  const { thirdParty, megabytes } = figures;
  const problems = packagesBelow(folder)
    .filter(({ scripts = {} }) => ["preinstall", "install", "postinstall"].some((script) => script in scripts))
    .map(({ name }) => `"${name}" runs a script when it is installed`);
  if (thirdParty.length > limits.thirdParty) {
    problems.push(
      `it brings ${thirdParty.length} third-party packages; the limit is ${limits.thirdParty}: ${thirdParty.join(", ")}`,
    );
  }
  if (megabytes > limits.megabytes)
    problems.push(`it brings ${megabytes.toFixed(1)} MB; the limit is ${limits.megabytes}`);
  return problems;
}

const failureOf = ({ ok, output }: CommandResult, what: string): readonly string[] =>
  ok ? [] : [`${what}\n${output}`];

/**
 * Returns the warnings in the output, except those about the settings of this machine and about a
 * network that is slow or fails at times.
 */
const warningsOf = ({ output }: CommandResult): readonly string[] =>
  output
    .split("\n")
    .filter((line) => /\bwarn(?:ing)?\b|deprecated|ignored build/i.test(line) && !notOurs.test(line))
    .map((line) => `it warns: ${line.trim()}`);

const notOurs = /unknown (?:env|user) config|request took|average speed|will retry/i;

interface InstalledManifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

/**
 * Returns the manifests of all packages in a `node_modules`, including those in the package
 * manager's own folder there.
 */
function packagesBelow(folder: string): readonly InstalledManifest[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return zippedPackage(entry.name);
    const parent = folder.endsWith("node_modules") || /node_modules[/\\]@[^/\\]+$/.test(folder);
    const isPackage = parent && !entry.name.startsWith("@") && !entry.name.startsWith(".");
    if (!isPackage) return packagesBelow(path);
    return [manifestAt(path), ...nestedPackages(path)];
  });
}

function nestedPackages(path: string): readonly InstalledManifest[] {
  const nested = readdirSync(path).filter((name) => name === "node_modules");
  return nested.flatMap((name) => packagesBelow(join(path, name)));
}

const manifestAt = (path: string): InstalledManifest =>
  // The cast is safe: npm has already read the file.
  JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as InstalledManifest;

/**
 * Returns the package in a zip of Yarn. It has a name such as
 * `@smolts-core-npm-0.0.0-1a2b3c4d5e-8.zip`.
 */
function zippedPackage(file: string): readonly InstalledManifest[] {
  const name = /^(.+)-npm-[\d.]+.*\.zip$/.exec(file)?.[1];
  return name === undefined ? [] : [{ name: name.replace(/^(@[^-]+)-/, "$1/") }];
}

/**
 * Returns the size of all files in a folder, in bytes. A file with several hard links is counted
 * once.
 */
function sizeOfFolder(folder: string, seen: Set<number>): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + sizeOfFolder(path, seen);
    const { ino, size } = lstatSync(path);
    if (seen.has(ino)) return sum;
    seen.add(ino);
    return sum + size;
  }, 0);
}
