// `smolts ui`, `smolts view` and `smolts export`. The page is a package of its own: it is taken from the user's project when it is first needed.

import { readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { AgentError } from "@smolts/protocol";
import { exitCodes } from "./exit-code.ts";
import { isFileReference } from "./file-reference.ts";
import { loadAgent, loadTools } from "./load-tools.ts";
import type { ParsedCommandLine, RunFileArguments, UIArguments } from "./run-arguments.ts";
import { type CommandSurroundings, chooseModel, createAgent, openExecutor } from "./run-command.ts";

/** What the command uses of `@smolts/ui`. */
interface PagePackage {
  launchUI(served: unknown, options: object): Promise<ServedPage & { newUrl(): string }>;
  viewRun(run: string, options: object): Promise<ServedPage>;
  exportHtml(run: string, options: object): Promise<string>;
}

interface ServedPage {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Runs a command of the page, and gives the exit code.
 *
 * @throws AgentError `invalid-option` when `@smolts/ui` is not installed where the command runs, or a file cannot be used
 */
export async function pageCommand(
  command: Exclude<ParsedCommandLine, { readonly type: "run" | "text" }>,
  surroundings: CommandSurroundings,
): Promise<number> {
  const page = await loadPagePackage(surroundings.directory);
  switch (command.type) {
    case "ui":
      return openPage(page, command.arguments, surroundings);
    case "view":
      return viewFile(page, command.arguments, surroundings);
    case "export":
      return exportFile(page, command.arguments, surroundings);
    default:
      return command satisfies never;
  }
}

async function loadPagePackage(directory: string): Promise<PagePackage> {
  let path: string;
  try {
    path = createRequire(join(directory, "noop.js")).resolve("@smolts/ui");
  } catch (error) {
    throw new AgentError("invalid-option", "the web page is a package of its own, and it is not installed here", {
      cause: error,
      hint: "install it where you are: npm install @smolts/ui",
    });
  }
  return (await import(pathToFileURL(path).href)) as PagePackage; // the package of that name
}

async function openPage(page: PagePackage, given: UIArguments, surroundings: CommandSurroundings): Promise<number> {
  const { output, input } = surroundings;
  const { target, port } = given;
  const isFile = target !== undefined && isFileReference(target);
  const served = isFile ? await loadAgent(target, surroundings.directory) : await agentOf(given, surroundings);
  const launched = await page.launchUI(served, {
    ...(port === undefined ? {} : { port }),
    ...(target === undefined || isFile ? {} : { examples: [target] }),
    print: (text: string) => output.write(`${text}\n`),
  });
  if (input.isTTY) void offerLinks(input, () => output.write(`The page is at ${launched.newUrl()}\n`));
  return untilInterrupted(launched, surroundings);
}

async function agentOf({ agent }: UIArguments, { directory, environment }: CommandSurroundings): Promise<unknown> {
  const model = chooseModel(agent, environment);
  const tools = await loadTools(agent.tools, directory);
  const loaded = agent.executor === undefined ? null : await openExecutor(agent.executor, agent, directory);
  return createAgent(agent, { model, tools, ...(loaded && { executor: loaded.executor }) }, directory);
}

/** A link works once: Enter prints another one. */
async function offerLinks(input: CommandSurroundings["input"], printLink: () => void): Promise<void> {
  try {
    for await (const _line of input) printLink();
  } catch {
    // The terminal has gone; the page is still there.
  }
}

/** A page that was ended by Ctrl-C has done what it was there for. */
async function untilInterrupted(served: ServedPage, { interruption }: CommandSurroundings): Promise<number> {
  const { signal } = interruption;
  interruption.beginRun();
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await served.close();
  return exitCodes.success;
}

async function viewFile(
  page: PagePackage,
  given: RunFileArguments,
  surroundings: CommandSurroundings,
): Promise<number> {
  const { path, port } = given;
  const { output, directory } = surroundings;
  const served = await page.viewRun(await readRunFile(path, directory), {
    title: basename(path),
    ...(port === undefined ? {} : { port }),
    print: (text: string) => output.write(`${text}\n`),
  });
  return untilInterrupted(served, surroundings);
}

async function exportFile(
  page: PagePackage,
  given: RunFileArguments,
  surroundings: CommandSurroundings,
): Promise<number> {
  const { path, output: givenOutput } = given;
  const { output, directory } = surroundings;
  const html = await page.exportHtml(await readRunFile(path, directory), { title: basename(path) });
  if (givenOutput === "-") {
    output.write(html);
    return exitCodes.success;
  }
  const target = givenOutput ?? `${path.slice(0, path.length - extname(path).length)}.html`;
  // A name that nobody gave must not cost a file.
  await writeFile(resolve(directory, target), html, { flag: givenOutput === undefined ? "wx" : "w" }).catch(
    (error: NodeJS.ErrnoException) => {
      const hint = error.code === "EEXIST" ? "name another one, or this one, with -o" : "name another file with -o";
      throw invalid(`"${target}" cannot be written (${error.code})`, hint);
    },
  );
  output.write(`The page is in ${target}\n`);
  return exitCodes.success;
}

/** In bytes: nothing larger is a run that a page can show. */
const maxFileBytes = 128 * 1024 * 1024;

async function readRunFile(path: string, directory: string): Promise<string> {
  const absolute = resolve(directory, path);
  const unreadable = (error: NodeJS.ErrnoException): never => {
    throw invalid(
      `the run file "${path}" cannot be read (${error.code})`,
      "check the path; it is relative to where you are",
    );
  };
  const { size } = await stat(absolute).catch(unreadable);
  if (size > maxFileBytes) {
    throw invalid(
      `the run file "${path}" has ${Math.ceil(size / 1024 / 1024)} MB; expected at most 64 MB`,
      "a file of this size is read line by line by a program, such as jq",
    );
  }
  return readFile(absolute, "utf8").catch(unreadable);
}

const invalid = (message: string, hint: string): AgentError => new AgentError("invalid-option", message, { hint });
