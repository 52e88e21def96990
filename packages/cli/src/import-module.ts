// Imports the user's own modules: files, including TypeScript, and packages of the user's project.
//
// Since version 22.18, Node strips types itself. For older versions, this file registers module
// hooks. Node runs hooks in a separate thread. They ask the main thread for the source of a file
// without its types.

import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { AgentError, thrownText } from "@smolts/protocol";

/** The exports of a module, by name. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/**
 * Imports a file. `.ts`, `.mts` and `.cts` files need no build. If they import `./a.js` and only
 * `./a.ts` exists, `./a.ts` is imported.
 *
 * @throws AgentError `parsing` for TypeScript that cannot run without a build, such as an enum
 */
export async function importFile(path: string): Promise<ModuleExports> {
  return importWithTypes(pathToFileURL(path).href);
}

/** Imports a package, which is searched from `directory` upwards. Throws the errors of `import`. */
export async function importFrom(specifier: string, directory: string): Promise<ModuleExports> {
  const parent = pathToFileURL(`${directory}/`).href;
  return importWithTypes(`${fromParent}${encodeURIComponent(JSON.stringify([specifier, parent]))}`);
}

/** Loaded once per process, because hooks cannot be removed. */
let typeScript: Promise<TypeScriptFiles> | undefined;

async function importWithTypes(url: string): Promise<ModuleExports> {
  typeScript ??= TypeScriptFiles.load();
  const files = await typeScript;
  try {
    return (await import(url)) as ModuleExports;
  } catch (error) {
    throw files.refusalOf(error) ?? error;
  }
}

/**
 * A prefix for import specifiers. A specifier with this prefix contains the name of a module, and
 * the URL of the file from which the hooks should resolve that name.
 */
const fromParent = "smolts-from:";

type Question =
  | { readonly id: number; readonly kind: "names"; readonly specifier: string }
  | { readonly id: number; readonly kind: "text"; readonly url: string };

type EraseTypes = (text: string, name: string) => string;

/** Resolves names and reads files for the module hooks, which run in another thread. */
class TypeScriptFiles {
  readonly #erase: EraseTypes | null;
  readonly #refusals = new Map<string, AgentError>();

  /**
   * Registers the hooks. If Node cannot strip types, first loads the package that strips them, so
   * that the hooks need not wait for it.
   */
  static async load(): Promise<TypeScriptFiles> {
    const isStripping = Boolean((process.features as { readonly typescript?: string | false }).typescript);
    const eraser = isStripping ? null : await import("@smolts/interpreter/erase-types");
    return new TypeScriptFiles(eraser?.eraseTypeScript ?? null);
  }

  private constructor(erase: EraseTypes | null) {
    this.#erase = erase;
    const { port1, port2 } = new MessageChannel();
    port1.on("message", (question: Question) => void this.#answer(port1, question));
    port1.unref();
    const data = { port: port2, fromParent, isErasing: erase !== null };
    register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data, transferList: [port2] });
  }

  /** Returns the AgentError that made an `import` fail; undefined if there is none. */
  refusalOf(error: unknown): AgentError | undefined {
    if (!(error instanceof Error)) return undefined;
    if ("code" in error && error.code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") {
      return new AgentError("parsing", error.message, {
        cause: error,
        hint: "write plain JavaScript with types: an object instead of an enum",
      });
    }
    return this.#refusals.get(error.message);
  }

  async #answer(port: MessagePort, question: Question): Promise<void> {
    const { id } = question;
    if (question.kind === "names") return port.postMessage({ id, value: otherNames(question.specifier) });
    try {
      port.postMessage({ id, value: await this.#erased(question.url) });
    } catch (error) {
      port.postMessage({ id, error: thrownText(error) });
    }
  }

  async #erased(url: string): Promise<string> {
    const path = fileURLToPath(url);
    const text = await readFile(path, "utf8");
    try {
      return this.#erase?.(text, path) ?? text;
    } catch (error) {
      if (AgentError.is(error)) this.#refusals.set(error.message, error);
      throw error;
    }
  }
}

/** Returns the TypeScript files to try when an import finds no file. */
function otherNames(specifier: string): readonly string[] {
  if (/\.[cm]?jsx?$/.test(specifier)) return [specifier.replace(/js(x?)$/, "ts$1")];
  return /\.[cm]?tsx?$/.test(specifier) ? [] : [`${specifier}.ts`, `${specifier}/index.ts`];
}

/**
 * The source of the hooks. It is plain JavaScript in a string, because the thread of the hooks
 * cannot load TypeScript yet.
 */
const hooks = `
const waiting = new Map();
let port, fromParent, isErasing, count = 0;

export function initialize(data) {
  ({ port, fromParent, isErasing } = data);
  port.on("message", ({ id, value, error }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) port.unref();
    error === undefined ? resolve(value) : reject(new SyntaxError(error));
  });
  port.unref();
}

const ask = (question) => new Promise((resolve, reject) => {
  waiting.set(++count, { resolve, reject });
  port.ref();
  port.postMessage({ ...question, id: count });
});

export async function resolve(specifier, context, next) {
  if (specifier.startsWith(fromParent)) {
    const [name, parentURL] = JSON.parse(decodeURIComponent(specifier.slice(fromParent.length)));
    return next(name, { ...context, parentURL });
  }
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!["ERR_MODULE_NOT_FOUND", "ERR_UNSUPPORTED_DIR_IMPORT"].includes(error.code)) throw error;
    if (!/^(?:[.]{0,2}[/]|file:)/.test(specifier)) throw error;
    for (const name of await ask({ kind: "names", specifier })) {
      const found = await next(name, context).catch(() => null);
      if (found) return found;
    }
    throw error;
  }
}

export async function load(url, context, next) {
  const { protocol, pathname } = new URL(url);
  if (!isErasing || protocol !== "file:" || !/[.][cm]?ts$/.test(pathname)) return next(url, context);
  try {
    const source = await ask({ kind: "text", url });
    return { format: pathname.endsWith(".cts") ? "commonjs" : "module", source, shortCircuit: true };
  } catch (error) {
    // Another loader of this process, such as tsx, may read more of TypeScript.
    return next(url, context).catch(() => Promise.reject(error));
  }
}
`;
