// Opens the store that `--store` names: a folder, or a PostgreSQL database. The packages for
// databases are imported from the user's project.

import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileStore } from "@smolts/memory/files";
import { invalidOption, type RunStore } from "@smolts/protocol";
import { importPackage } from "../import-package.ts";
import type { CommandContext } from "../run-command.ts";
import { withoutPassword } from "./store-flags.ts";

/** Names a store. */
export interface StoreAddress {
  /** A folder, or the URL of a PostgreSQL database. */
  readonly store: string;
  /**
   * The file with the store's key. If absent, the key comes from the environment variable
   * `SMOLTS_STORE_KEY`, or else from the user's configuration folder. `none` opens the store
   * without a key.
   */
  readonly keyFile: string | undefined;
}

/** An open store. Dispose it at the end of the command. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: RunStore;
}

/**
 * Opens the store that the command line names.
 *
 * @throws AgentError `invalid-option` when a package is missing, with the command that installs it,
 *   or when the key cannot be used
 */
export async function openStore(
  { store, keyFile }: StoreAddress,
  { directory, environment }: Pick<CommandContext, "directory" | "environment">,
): Promise<OpenedStore> {
  const key = await readKey(keyFile, directory, environment);
  const options = key === null ? {} : { key };
  if (isPostgres(store)) return openPostgres(store, options, directory);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(store)) {
    throw invalidOption(
      `--store is "${withoutPassword(store)}"; expected a folder or the URL of a PostgreSQL database`,
      "write --store ./runs, or --store postgres://user@host/database",
    );
  }
  const folder = resolve(directory, store);
  const found = await stat(folder).catch(() => null);
  if (found && !found.isDirectory()) throw invalidOption(`--store: "${store}" is a file`, "name a folder");
  return { store: fileStore(folder, options), [Symbol.asyncDispose]: async () => {} };
}

/** Says whether a store is a PostgreSQL database. */
const isPostgres = (store: string): boolean => /^postgres(?:ql)?:\/\//i.test(store);

/** The parts of the packages that the command uses. */
interface DatabasePackages {
  readonly "@smolts/store-sql": { postgresStore(pool: object, options: object): RunStore };
  readonly pg: { readonly default: { readonly Pool: new (options: object) => Pool } };
}

interface Pool {
  on(event: "error", listener: () => void): void;
  end(): Promise<void>;
}

async function openPostgres(url: string, options: object, directory: string): Promise<OpenedStore> {
  const load = <Name extends keyof DatabasePackages>(name: Name): Promise<DatabasePackages[Name]> =>
    // The packages export values of these types.
    importPackage(name, directory, "npm install @smolts/store-sql pg") as Promise<DatabasePackages[Name]>;
  const [{ postgresStore }, { default: pg }] = [await load("@smolts/store-sql"), await load("pg")];
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  // Ignore errors of idle connections. If the database is gone, the next statement fails.
  pool.on("error", () => {});
  return { store: postgresStore(pool, options), [Symbol.asyncDispose]: () => pool.end() };
}

async function readKey(
  given: string | undefined,
  directory: string,
  environment: CommandContext["environment"],
): Promise<string | null> {
  if (given === "none") return null;
  if (given !== undefined) return keyIn(resolve(directory, given));
  const fromEnvironment = environment["SMOLTS_STORE_KEY"];
  if (fromEnvironment) return fromEnvironment;
  const path = join(configurationFolder(environment), "store.key");
  await makeKey(path);
  return keyIn(path);
}

function configurationFolder(environment: CommandContext["environment"]): string {
  const { XDG_CONFIG_HOME: configuration, APPDATA: applicationData, HOME: home } = environment;
  return join(configuration || applicationData || join(home || homedir(), ".config"), "smolts");
}

/** Writes a new key to a file. If another command has just created the file, that key is kept. */
async function makeKey(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
    await chmod(path, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // safe cast: errors of the file system have a code
    if (code === "EEXIST") return;
    throw invalidOption(
      `the key of the store cannot be kept in "${path}" (${code})`,
      "set SMOLTS_STORE_KEY, or write --store-key <file>",
    );
  }
}

async function keyIn(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw invalidOption(
      `the key file "${path}" cannot be read (${error.code})`,
      "check the path, or write --store-key none for no key",
    );
  });
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0 && process.platform !== "win32") {
    throw invalidOption(`the key file "${path}" can be read by others`, `chmod 600 ${path}`);
  }
  return text.trim();
}
