import { AgentError, type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { tool } from "../tool.ts";
import type { FolderEntry } from "./folder-entry.ts";
import { createGuardedRoot, listBelow, openForReading, openForWriting } from "./guarded-root.node.ts";

export type { FolderEntry } from "./folder-entry.ts";

/** The options that the file tools share. */
export interface FileToolOptions {
  /**
   * The only folder that the tool can access. It must not contain code, configuration or the run
   * store. If it is a system folder, such as `/etc`, each use of the tool needs approval.
   */
  readonly root: string;
  /**
   * Further paths that must not be inside the folder or contain it. The folder of a file store need
   * not be listed, because the tools find and refuse it.
   */
  readonly protect?: readonly string[];
  /** The size limit of one file, in bytes. @defaultValue 1_000_000 */
  readonly maxBytes?: number;
}

/** Options of {@link listFiles}. */
export interface ListFilesOptions extends Omit<FileToolOptions, "maxBytes"> {
  /** The most entries in one listing. Default: 1,000. */
  readonly maxEntries?: number;
}

/**
 * Creates a tool that reads text files in one folder only.
 *
 * It refuses links, hidden files, and everything that is not a regular file.
 *
 * @throws AgentError `invalid-option` for a folder that contains code, configuration or a home
 *   folder
 * @example
 * ```ts
 * import { mkdtemp } from "node:fs/promises";
 * import { readFile } from "@smolts/tools/files";
 *
 * const root = await mkdtemp("/tmp/papers-");
 * console.log(readFile({ root }).effects); // none
 * ```
 */
export function readFile(options: FileToolOptions): Tool<{ readonly path: string }, string> {
  const { root, protect, maxBytes = 1_000_000 } = readOptions(options, "readFile()", fileToolOptions);
  const folder = createGuardedRoot(root, protect);
  return tool({
    name: "readFile",
    description: "Reads a text file (UTF-8) and gives its whole text.",
    input: { path: "string — relative to the folder of this task, with forward slashes" },
    output: "string",
    effects: "none",
    needsApproval: folder.isOfSystem,
    execute: async ({ path }) => {
      const file = await openForReading(folder, path);
      try {
        const { size } = await file.stat();
        if (size > maxBytes) throw tooLarge(path, size, maxBytes);
        return decodeText(path, await file.readFile());
      } finally {
        await file.close();
      }
    },
  });
}

const fileToolOptions: OptionTable<FileToolOptions> = { root: "required text", protect: "texts", maxBytes: "number" };

/**
 * Creates a tool that writes text files in one folder only. An existing file is replaced, and
 * missing folders are created.
 *
 * @throws AgentError `invalid-option` for a folder that contains code, configuration or a home
 *   folder
 * @example
 * ```ts
 * import { mkdtemp } from "node:fs/promises";
 * import { writeFile } from "@smolts/tools/files";
 *
 * const root = await mkdtemp("/tmp/papers-");
 * console.log(writeFile({ root }).effects); // idempotent
 * ```
 */
export function writeFile(options: FileToolOptions): Tool<{ readonly path: string; readonly text: string }, string> {
  const { root, protect, maxBytes = 1_000_000 } = readOptions(options, "writeFile()", fileToolOptions);
  const folder = createGuardedRoot(root, protect);
  return tool({
    name: "writeFile",
    description: "Writes a text file (UTF-8); one of that name is replaced. Gives the path and the size.",
    input: { path: "string — relative to the folder of this task, with forward slashes", text: "string — all of it" },
    output: "string",
    effects: "idempotent",
    needsApproval: folder.isOfSystem,
    execute: async ({ path, text }) => {
      const bytes = new TextEncoder().encode(text);
      if (bytes.byteLength > maxBytes) throw tooLarge(path, bytes.byteLength, maxBytes);
      const file = await openForWriting(folder, path);
      try {
        await file.truncate(0);
        await file.writeFile(bytes);
        return `wrote ${bytes.byteLength} bytes to ${path}`;
      } finally {
        await file.close();
      }
    },
  });
}

/**
 * Creates a tool that lists the files in one folder and its subfolders, without hidden files and
 * links.
 *
 * @throws AgentError `invalid-option` for a folder that contains code, configuration or a home
 *   folder
 * @example
 * ```ts
 * import { mkdtemp } from "node:fs/promises";
 * import { listFiles } from "@smolts/tools/files";
 *
 * const root = await mkdtemp("/tmp/papers-");
 * console.log(listFiles({ root }).name); // listFiles
 * ```
 */
export function listFiles(
  options: ListFilesOptions,
): Tool<{ readonly path?: string | undefined }, readonly FolderEntry[]> {
  const { root, protect, maxEntries = 1_000 } = readOptions(options, "listFiles()", listFilesOptions);
  const folder = createGuardedRoot(root, protect);
  return tool({
    name: "listFiles",
    description: `Lists files and folders, at most ${maxEntries}, with the sizes of files in bytes.`,
    input: { path: "string? — a folder below that of this task; without it all are listed" },
    output: {
      type: "array",
      items: {
        type: "object",
        properties: { path: { type: "string" }, type: { enum: ["file", "folder"] }, size: { type: "integer" } },
        required: ["path", "type"],
      },
    },
    effects: "none",
    needsApproval: folder.isOfSystem,
    execute: ({ path = "" }) => listBelow(folder, path, maxEntries),
  });
}

const listFilesOptions: OptionTable<ListFilesOptions> = {
  root: "required text",
  protect: "texts",
  maxEntries: "number",
};

function decodeText(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AgentError("tool-execution", `"${path}" is not UTF-8 text`, { cause: error });
  }
}

const tooLarge = (path: string, size: number, maxBytes: number): AgentError =>
  new AgentError("tool-execution", `"${path}" has ${size} bytes; at most ${maxBytes} are allowed`);
