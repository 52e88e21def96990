import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** One part of `pnpm test:protocols`: tests with one piece of other software. */
export interface ProtocolPart {
  /** The key of the part's figure in the JSON. */
  readonly name: string;
  /** Returns the commands that install the software into the folder. */
  install(folder: string): readonly (readonly [string, ...string[]])[];
  run(folder: string): Promise<PartReport>;
}

/**
 * The result of a part: a figure for the JSON, and lines for people. `absent` means that the
 * software is not in the folder.
 */
export type PartReport =
  | { readonly type: "absent"; readonly reason: string }
  | {
      readonly type: "done";
      readonly figure: number;
      readonly isGood: boolean;
      readonly lines: readonly string[];
    };

const suiteVersion = "0.1.16";

/**
 * Returns the command that installs MCP's conformance suite. Also installs a newer Node if this
 * Node is too old for the suite.
 */
export const installSuite = (folder: string): readonly [string, ...string[]] => [
  "npm",
  "install",
  "--no-audit",
  "--no-fund",
  "--ignore-scripts",
  "--loglevel=error",
  "--prefix",
  folder,
  `@modelcontextprotocol/conformance@${suiteVersion}`,
  ...(isNewer ? [] : [`node-${process.platform}-${process.arch}@24`]),
];

/** Returns the path of the conformance suite's command. */
export const suiteIn = (folder: string): string =>
  join(folder, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");

const isNewer = Number(process.versions.node.split(".")[0]) >= 22;

/**
 * Returns a Node of at least version 22, which the conformance suite needs: either this Node, or
 * one in the folder.
 */
export function newerNode(folder: string): string | null {
  const fetched = join(folder, "node_modules", ".bin", "node");
  return isNewer ? process.execPath : existsSync(fetched) ? fetched : null;
}

/** A program that prints its address and serves requests. */
export interface StartedServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts a module of this repository that prints its address as its first line. */
export async function startServer(module: URL): Promise<StartedServer> {
  const child = spawn(process.execPath, [...sourceFlags, module.pathname], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await firstLine(child);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill();
    },
  };
}

/** The flags that let Node run the sources directly. */
export const sourceFlags: readonly string[] = ["--conditions=@smolts/source", "--import", import.meta.resolve("tsx")];

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")).trim());
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

/** Runs a program until it ends, and returns its output. */
export function outputOf(
  command: string,
  args: readonly string[],
  { cwd, path }: { readonly cwd?: string; readonly path?: string } = {},
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const env = path === undefined ? process.env : { ...process.env, PATH: `${path}:${process.env["PATH"]}` };
  const child = spawn(command, args, { ...(cwd === undefined ? {} : { cwd }), env, timeout: 1_200_000 });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, output }));
  });
}
