// Runs `smolts ui` and `smolts view`. The package with the web page is imported from the user's
// project when it is first needed.

import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { invalidOption } from "@smolts/protocol";
import { exitCodes } from "./exit-code.ts";
import { isFileReference } from "./file-reference.ts";
import { importPackage } from "./import-package.ts";
import { loadServed } from "./load-tools.ts";
import type { ParsedCommandLine, UIArguments, ViewArguments } from "./run-arguments.ts";
import { type CommandContext, makeAgent } from "./run-command.ts";

/** The part of `@smolts/ui` that the command uses. */
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
 * Runs `smolts ui` or `smolts view`, and returns the exit code.
 *
 * @throws AgentError `invalid-option` when `@smolts/ui` is not installed in the current folder, or
 *   a file cannot be used
 */
export async function pageCommand(
  command: Extract<ParsedCommandLine, { readonly type: "ui" | "view" }>,
  context: CommandContext,
): Promise<number> {
  const page = await loadPagePackage(context.directory);
  switch (command.type) {
    case "ui":
      return openPage(page, command.arguments, context);
    case "view":
      return viewFile(page, command.arguments, context);
    default:
      return command satisfies never;
  }
}

/**
 * Loads `@smolts/ui` from the user's project.
 *
 * @throws AgentError `invalid-option` with the command that installs it
 */
export async function loadPagePackage(directory: string): Promise<PagePackage> {
  // The cast is safe: the package exports these functions.
  return (await importPackage("@smolts/ui", directory)) as unknown as PagePackage;
}

async function openPage(page: PagePackage, given: UIArguments, context: CommandContext): Promise<number> {
  const { target } = given;
  const isFile = target !== undefined && isFileReference(target);
  if (isFile) return await servePage(page, await loadServed(target, context.directory), given, context);
  await using made = await makeAgent(given.agent, context);
  return await servePage(page, made.agent, given, context);
}

async function servePage(
  page: PagePackage,
  served: unknown,
  { target, port }: UIArguments,
  context: CommandContext,
): Promise<number> {
  const { output, input } = context;
  const isFile = target !== undefined && isFileReference(target);
  const launched = await page.launchUI(served, {
    ...(port === undefined ? {} : { port }),
    ...(target === undefined || isFile ? {} : { examples: [target] }),
    print: (text: string) => output.write(`${text}\n`),
  });
  if (input.isTTY) void offerLinks(input, () => output.write(`The page is at ${launched.newUrl()}\n`));
  return untilInterrupted(launched, context);
}

/** Prints a new link whenever the person presses Enter, because each link works only once. */
async function offerLinks(input: CommandContext["input"], printLink: () => void): Promise<void> {
  try {
    for await (const _line of input) printLink();
  } catch {
    // The terminal has been closed. Ignore that, because the page is still served.
  }
}

/** Serves the page until Ctrl-C. Returns success, because Ctrl-C is the normal end. */
async function untilInterrupted(served: ServedPage, { interruption }: CommandContext): Promise<number> {
  const { signal } = interruption;
  interruption.beginRun();
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await served.close();
  return exitCodes.success;
}

async function viewFile(page: PagePackage, given: ViewArguments, context: CommandContext): Promise<number> {
  const { path, port } = given;
  const { output, directory } = context;
  const served = await page.viewRun(await readRunFile(path, directory), {
    title: basename(path),
    ...(port === undefined ? {} : { port }),
    print: (text: string) => output.write(`${text}\n`),
  });
  return untilInterrupted(served, context);
}

/**
 * The largest run file that is read, in bytes. The page shows at most 64 million characters, and a
 * character may have several bytes.
 */
const maxFileBytes = 128 * 1024 * 1024;

/** Reads a run file. @throws AgentError `invalid-option` when it cannot be read, or is too large */
export async function readRunFile(path: string, directory: string): Promise<string> {
  const absolute = resolve(directory, path);
  const unreadable = (error: NodeJS.ErrnoException): never => {
    throw invalidOption(
      `the run file "${path}" cannot be read (${error.code})`,
      "check the path; it is relative to the current folder",
    );
  };
  const { size } = await stat(absolute).catch(unreadable);
  if (size > maxFileBytes) {
    throw invalidOption(
      `the run file "${path}" has ${Math.ceil(size / 1024 / 1024)} MB; expected at most 64 MB`,
      "read a file of this size line by line with a program such as jq",
    );
  }
  return readFile(absolute, "utf8").catch(unreadable);
}
