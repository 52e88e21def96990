// Runs the TypeScript compiler over files in memory: the code, its global declarations, and
// TypeScript's own declarations of the language.

import { type AgentError, invalidOption } from "@smolts/protocol";
import type ts from "typescript";

/** A compiled program that can be queried. */
export interface CheckedCode {
  readonly file: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  /**
   * The compiler's diagnostics about types. Empty for code with syntax errors, because the sandbox
   * reports those better.
   */
  readonly diagnostics: readonly ts.Diagnostic[];
}

/** The module `typescript`. */
export type TypeScript = typeof ts;

const codeFile = "/code.js";
const environmentFile = "/environment.d.ts";
const libraryFolder = "/library/";

/** The TypeScript compiler. It reads its declarations of the language only once. */
export class Compiler {
  readonly ts: TypeScript;
  readonly #options: ts.CompilerOptions;
  readonly #libraryFiles = new Map<string, ts.SourceFile>();
  #environment: ts.SourceFile | null = null;
  #program: ts.Program | undefined;

  constructor(typescript: TypeScript) {
    this.ts = typescript;
    this.#options = {
      // The code is checked as JavaScript that may contain types. So an empty object may get its
      // properties later.
      allowJs: true,
      checkJs: true,
      noEmit: true,
      strict: false,
      target: typescript.ScriptTarget.ESNext,
      module: typescript.ModuleKind.ESNext,
      lib: ["lib.esnext.d.ts"],
      types: [],
    };
  }

  /** Checks a program together with global declarations. */
  check(code: string, environment: string): CheckedCode {
    // The export makes the code a module, which allows `await` at the top level.
    const file = this.#parse(codeFile, `${code}\nexport {};`);
    if (this.#environment?.text !== environment) this.#environment = this.#parse(environmentFile, environment);
    const files = new Map([file, this.#environment].map((source) => [source.fileName, source]));
    const program = this.ts.createProgram({
      rootNames: [...files.keys()],
      options: this.#options,
      host: this.#host(files),
      ...(this.#program ? { oldProgram: this.#program } : {}),
    });
    this.#program = program;
    const isBroken = program.getSyntacticDiagnostics(file).some(({ code }) => code < firstCodeOfTypesInScripts);
    const diagnostics = isBroken ? [] : program.getSemanticDiagnostics(file);
    return { file, checker: program.getTypeChecker(), diagnostics };
  }

  #host(files: ReadonlyMap<string, ts.SourceFile>): ts.CompilerHost {
    return {
      getSourceFile: (name) => files.get(name) ?? this.#libraryFile(name),
      fileExists: (name) => files.has(name),
      readFile: () => undefined,
      writeFile: () => {},
      getDefaultLibFileName: () => `${libraryFolder}lib.esnext.d.ts`,
      getDefaultLibLocation: () => libraryFolder,
      getCurrentDirectory: () => "/",
      getCanonicalFileName: (name) => name,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => "\n",
    };
  }

  /** Returns one of the compiler's files with declarations of the language itself. */
  #libraryFile(name: string): ts.SourceFile | undefined {
    if (!name.startsWith(libraryFolder)) return undefined;
    const known = this.#libraryFiles.get(name);
    if (known) return known;
    const folder = this.ts.getDefaultLibFilePath(this.#options).replace(/[^/\\]*$/, "");
    // `sys` is absent only where the compiler runs without a file system, such as in a browser.
    const text = this.ts.sys?.readFile(folder + name.slice(libraryFolder.length));
    if (text === undefined) throw unreadable(name);
    const file = this.#parse(name, text);
    this.#libraryFiles.set(name, file);
    return file;
  }

  #parse(name: string, text: string): ts.SourceFile {
    return this.ts.createSourceFile(name, text, this.ts.ScriptTarget.ESNext, true);
  }
}

/**
 * The lowest of the diagnostic codes that report types in JavaScript. Such diagnostics are ignored,
 * because types are allowed.
 */
const firstCodeOfTypesInScripts = 8_000;

const unreadable = (name: string): AgentError =>
  invalidOption(
    `the declarations "${name}" of the package "typescript" cannot be read here`,
    "use checkCode where typescript can read its own files, such as in Node",
  );
