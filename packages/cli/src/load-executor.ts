// Executors of packages that the user installs: imported from the user's project at first use.

import { AgentError, type ExecutorFactory } from "@smolts/protocol";
import { importPackage } from "./import-package.ts";

/** The languages that agents write code in. */
export type CodeLanguageName = ExecutorFactory["language"];

/** A package with an executor. */
interface ExecutorPackage {
  readonly package: string;
  /** The entry to import, unless it is the package's main entry. */
  readonly entry?: string;
  /** The function that makes the executor. */
  readonly factory: string;
  readonly languages: readonly CodeLanguageName[];
}

/** The executors that `--executor` names, besides the interpreter. */
export const executorPackages: { readonly [name: string]: ExecutorPackage } = {
  worker: { package: "@smolts/executor-worker", factory: "worker", languages: ["javascript"] },
  process: {
    package: "@smolts/executor-worker",
    entry: "@smolts/executor-worker/process",
    factory: "process",
    languages: ["javascript"],
  },
  quickjs: { package: "@smolts/executor-quickjs", factory: "quickjs", languages: ["javascript"] },
  pyodide: { package: "@smolts/executor-pyodide", factory: "pyodide", languages: ["python"] },
  docker: { package: "@smolts/executor-docker", factory: "docker", languages: ["javascript", "python"] },
  e2b: { package: "@smolts/executor-e2b", factory: "e2b", languages: ["javascript", "python"] },
};

/** An executor, to be disposed when the run is over. */
export interface LoadedExecutor {
  readonly executor: ExecutorFactory;
  dispose(): Promise<void>;
}

/**
 * Loads the executor that `--executor` and `--language` name.
 *
 * @param directory - the folder whose installed packages are searched
 * @throws AgentError `invalid-option` with the command that installs a missing package
 */
export async function loadExecutor(
  name: string,
  language: CodeLanguageName | undefined,
  directory: string,
): Promise<LoadedExecutor> {
  const found = executorPackages[name];
  if (!found) throw unknownExecutor(name);
  const chosen = language ?? (found.languages[0] as CodeLanguageName); // each has one
  if (!found.languages.includes(chosen)) throw wrongLanguage(name, chosen, found.languages);
  const module = await importPackage(found.entry ?? found.package, directory, `npm install ${found.package}`);
  const create = module[found.factory];
  if (typeof create !== "function") {
    throw new AgentError("invalid-option", `${found.package} has no executor "${found.factory}"`, {
      hint: `update it: npm install ${found.package}@latest`,
    });
  }
  const options = found.languages.length > 1 ? { language: chosen } : {};
  const executor = create(options) as ExecutorFactory & Partial<Disposable & AsyncDisposable>; // what the package exports
  return {
    executor,
    dispose: async () => {
      await executor[Symbol.asyncDispose]?.();
      executor[Symbol.dispose]?.();
    },
  };
}

const unknownExecutor = (name: string): AgentError =>
  new AgentError(
    "invalid-option",
    `--executor: expected ${["interpreter", ...Object.keys(executorPackages)].join(", ")}, got "${name}"`,
    {
      hint: "leave it out for the interpreter",
    },
  );

const wrongLanguage = (name: string, language: string, languages: readonly string[]): AgentError =>
  new AgentError("invalid-option", `--executor ${name} runs ${languages.join(" and ")}, not ${language}`, {
    hint: language === "python" ? "use --executor docker, e2b or pyodide" : "leave --language out",
  });
