import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type CommandContext, Interruption, smolts } from "@smolts/cli";

/** The folder with the tool files of the tests. */
export const fixtures = fileURLToPath(new URL("./fixtures/", import.meta.url));

/** The result of a command. */
export interface Finished {
  readonly exitCode: number | null;
  readonly output: string;
  readonly errorOutput: string;
}

/** Settings of {@link command}. */
export interface CommandOptions {
  readonly environment?: CommandContext["environment"];
  /** The piped input. If absent, the input is a terminal. */
  readonly input?: string;
  /** Whether standard output is a pipe. If not, it is a terminal without colours. */
  readonly isPiped?: boolean;
  /** The width of the terminal in columns. Default: 1,000. */
  readonly columns?: number;
  /** The working directory of the command. Default: the fixtures. */
  readonly directory?: string;
  /** Returns the line that the person types after a prompt. If absent, there is no person. */
  readonly readLine?: CommandContext["readLine"];
}

const terminal = { isTTY: true, columns: 1_000 };

/** Runs the command in this process. */
export async function command(
  argv: readonly string[],
  { environment = {}, input, isPiped = false, columns = 1_000, directory = fixtures, readLine }: CommandOptions = {},
): Promise<Finished> {
  let output = "";
  let errorOutput = "";
  const exitCode = await smolts(argv, {
    input: Object.assign(piped(input ?? ""), { isTTY: input === undefined }),
    output: { write: (text) => (output += text), ...(isPiped ? {} : { ...terminal, columns }) },
    errorOutput: { write: (text) => (errorOutput += text) },
    environment: { TERM: "dumb", ...environment },
    directory,
    interruption: new Interruption(() => {}),
    ...(readLine && { readLine }),
  });
  return { exitCode, output, errorOutput };
}

/**
 * Runs a command that continues until it is interrupted. Waits until it has printed a matching
 * text, calls a function, and then interrupts the command.
 */
export async function commandUntil(
  argv: readonly string[],
  shown: RegExp,
  meanwhile: (found: RegExpExecArray) => Promise<void>,
): Promise<Finished> {
  let output = "";
  let errorOutput = "";
  const interruption = new Interruption(() => {});
  let begin = (_found: RegExpExecArray): void => {};
  const begun = new Promise<RegExpExecArray>((resolve) => {
    begin = resolve;
  });
  const write = (text: string): void => {
    output += text;
    const found = shown.exec(output);
    if (found) begin(found);
  };
  const ended = smolts(argv, {
    input: Object.assign(piped(""), { isTTY: false }),
    output: { write, ...terminal },
    errorOutput: { write: (text) => (errorOutput += text) },
    environment: { TERM: "dumb" },
    directory: fixtures,
    interruption,
  });
  const found = await Promise.race([begun, ended.then(() => null)]);
  if (!found) throw new Error(`the command ended early: ${output}${errorOutput}`);
  await meanwhile(found);
  interruption.interrupt("Ctrl-C", 130);
  return { exitCode: await ended, output, errorOutput };
}

async function* piped(text: string): AsyncGenerator<Uint8Array> {
  // Split the text in the middle of a character, as a pipe may.
  const bytes = new TextEncoder().encode(text);
  yield bytes.subarray(0, 1);
  yield bytes.subarray(1);
}

/** The command in another process. */
export interface SpawnedCommand {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves when standard output or standard error has shown this text. */
  shows(text: string): Promise<void>;
}

// Package managers set NODE_PATH to folders that users do not have.
const { FORCE_COLOR: _force, NO_COLOR: _no, NODE_PATH: _path, ...plainVariables } = process.env;

/** Starts the command in another process. */
export function spawnCommand(argv: readonly string[], directory: string = fixtures): SpawnedCommand {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    ["--conditions=@smolts/source", "--import", import.meta.resolve("tsx"), main, ...argv],
    { cwd: directory, env: plainVariables, stdio: ["ignore", "pipe", "pipe"] },
  );
  let [output, errorOutput] = ["", ""];
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (errorOutput += chunk));
  const finished = new Promise<Finished>((resolve) => {
    child.on("close", (exitCode) => resolve({ exitCode, output, errorOutput }));
  });
  const shows = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if ((output + errorOutput).includes(text)) resolve();
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      child.on("close", () =>
        reject(new Error(`the command ended without showing "${text}":\n${output}\n${errorOutput}`)),
      );
      look();
    });
  return { process: child, finished, shows };
}
