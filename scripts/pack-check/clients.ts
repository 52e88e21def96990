// The package managers that install `smolts`: how to fetch, configure and run each of them.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

type Command = readonly [string, ...string[]];

/** A package manager, or one way to use it. */
export interface Client {
  readonly name: string;
  /** The npm package that contains the package manager. Absent for the npm of this machine. */
  readonly package?: string;
  /**
   * The path of its program, below `node_modules` of the folder into which the package was
   * installed.
   */
  readonly program?: string;
  /** Whether the program is a script that must be run with Node. */
  readonly isScript?: boolean;
  readonly environment?: (registry: string) => Readonly<Record<string, string>>;
  /** Writes the settings of the package manager into an empty project. */
  configure?(project: string, registry: string): void;
  readonly add: readonly string[];
  /** The arguments that install from the lockfile, and fail if the lockfile would change. */
  readonly frozen: readonly string[];
  /** The folder that contains the packages. */
  readonly folder: string;
  /** Returns the command that runs a program of the project. */
  readonly run: (program: Command, file: string) => Command;
  /** Returns the command that runs `smolts --help`. Default: the program in `node_modules/.bin`. */
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
    // Without a lockfile in this folder, Yarn treats it as a part of a project in a parent folder.
    writeFileSync(join(project, "yarn.lock"), "");
  },
  add: ["add", "smolts"],
  frozen: ["install", "--immutable"],
  folder: linker === "pnp" ? ".yarn/cache" : "node_modules",
  run: (program, file) => [...program, "node", file],
  command: (program) => [...program, "run", "smolts", "--help"],
});

/** All package managers. Those of `--clients default` come first. */
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

/** The package managers that are used if none is named. */
export const defaultClients: readonly string[] = ["npm", "pnpm 12"];
