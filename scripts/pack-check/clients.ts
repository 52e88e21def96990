// The package managers that `smolts` is installed with: how each is fetched, configured and run.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

type Command = readonly [string, ...string[]];

/** A package manager, or one way to use it. */
export interface Client {
  readonly name: string;
  /** The npm package that has it; absent for the npm of this machine. */
  readonly package?: string;
  /** Its program, below `node_modules` of the folder that the package was installed in. */
  readonly program?: string;
  /** Whether the program is a script that Node runs. */
  readonly isScript?: boolean;
  readonly environment?: (registry: string) => Readonly<Record<string, string>>;
  /** Writes its settings into an empty project. */
  configure?(project: string, registry: string): void;
  readonly add: readonly string[];
  /** Installs again what the lockfile says, and fails if the lockfile would change. */
  readonly frozen: readonly string[];
  /** Where the packages are. */
  readonly folder: string;
  /** Runs a program of the project. */
  readonly run: (program: Command, file: string) => Command;
  /** Runs `smolts --help`; when absent, the command is in `node_modules/.bin`. */
  readonly command?: (program: Command) => Command;
}

const npmSettings = (project: string, registry: string): void =>
  writeFileSync(join(project, ".npmrc"), `registry=${registry}\naudit=false\nfund=false\nupdate-notifier=false\n`);

const withNode = (_: Command, file: string): Command => [process.execPath, file];

const pnpm = (name: string, version: string): Client => ({
  name,
  package: `pnpm@${version}`,
  program: ".bin/pnpm",
  configure: npmSettings,
  add: ["add", "smolts"],
  frozen: ["install", "--frozen-lockfile"],
  folder: "node_modules",
  run: withNode,
});

const yarn = (name: string, linker: "node-modules" | "pnp"): Client => ({
  name,
  package: "@yarnpkg/cli-dist@4",
  program: "@yarnpkg/cli-dist/bin/yarn.js",
  isScript: true,
  configure(project, registry) {
    const host = new URL(registry).hostname;
    const settings = [
      `npmRegistryServer: "${registry.slice(0, -1)}"`,
      `unsafeHttpWhitelist: ["${host}"]`,
      `nodeLinker: ${linker}`,
      "enableTelemetry: false",
      "enableGlobalCache: false",
    ];
    writeFileSync(join(project, ".yarnrc.yml"), `${settings.join("\n")}\n`);
    // Without a lockfile of its own, Yarn takes the folder for a part of a project above it.
    writeFileSync(join(project, "yarn.lock"), "");
  },
  add: ["add", "smolts"],
  frozen: ["install", "--immutable"],
  folder: linker === "pnp" ? ".yarn/cache" : "node_modules",
  run: (program, file) => [...program, "node", file],
  command: (program) => [...program, "run", "smolts", "--help"],
});

/** Every client, those of `--clients default` first. */
export const clients: readonly Client[] = [
  {
    name: "npm",
    configure: npmSettings,
    add: ["install", "smolts"],
    frozen: ["ci"],
    folder: "node_modules",
    run: withNode,
  },
  pnpm("pnpm 12", "12"),
  pnpm("pnpm 10", "10"),
  yarn("yarn 4", "node-modules"),
  yarn("yarn 4 pnp", "pnp"),
  {
    name: "bun",
    package: "bun@1.4.5",
    program: ".bin/bun",
    configure: (project, registry) =>
      writeFileSync(join(project, "bunfig.toml"), `[install]\nregistry = "${registry}"\n`),
    add: ["add", "smolts"],
    frozen: ["install", "--frozen-lockfile"],
    folder: "node_modules",
    run: (program, file) => [...program, "run", file],
  },
  {
    name: "deno",
    package: "deno@2.9.6",
    program: ".bin/deno",
    environment: (registry) => ({ NPM_CONFIG_REGISTRY: registry, DENO_NO_UPDATE_CHECK: "1" }),
    configure: (project) => writeFileSync(join(project, "deno.json"), '{ "nodeModulesDir": "auto" }\n'),
    add: ["add", "npm:smolts"],
    frozen: ["install", "--frozen"],
    folder: "node_modules",
    run: (program, file) => [...program, "run", "--no-prompt", "--allow-read", "--allow-env", file],
  },
];

/** The clients that are tried when none is named. */
export const defaultClients: readonly string[] = ["npm", "pnpm 12"];
