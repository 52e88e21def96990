// Loads executors from packages that the user installs. They are imported from the user's project
// at first use.

import { type AgentError, type ExecutorFactory, invalidOption } from "@smolts/protocol";
import { importPackage } from "./import-package.ts";

/** A language that agents can write code in. */
export type CodeLanguageName = ExecutorFactory["language"];

/** A package with an executor. */
interface ExecutorPackage {
  readonly package: string;
  /** The entry point to import; the package's main entry if absent. */
  readonly entry?: string;
  /** The name of the function that creates the executor. */
  readonly factory: string;
  readonly languages: readonly CodeLanguageName[];
}

/** The executors that `--executor` can name, besides the interpreter. */
const executorPackages: { readonly [name: string]: ExecutorPackage } = {
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

/** An executor. Dispose it after the run. */
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
  // The cast is safe: each executor has at least one language.
  const chosen = language ?? (found.languages[0] as CodeLanguageName);
  if (!found.languages.includes(chosen)) throw wrongLanguage(name, chosen, found.languages);
  const module = await importPackage(found.entry ?? found.package, directory, `npm install ${found.package}`);
  const create = module[found.factory];
  if (typeof create !== "function") {
    throw invalidOption(
      `${found.package} has no executor "${found.factory}"`,
      `update it: npm install ${found.package}@latest`,
    );
  }
  const options = found.languages.length > 1 ? { language: chosen } : {};
  // The cast is safe: the packages return values of this type.
  const executor = create(options) as ExecutorFactory & Partial<Disposable & AsyncDisposable>;
  return {
    executor,
    dispose: async () => {
      await executor[Symbol.asyncDispose]?.();
      executor[Symbol.dispose]?.();
    },
  };
}

const unknownExecutor = (name: string): AgentError =>
  invalidOption(
    `--executor is "${name}"; expected ${["interpreter", ...Object.keys(executorPackages)].join(", ")}`,
    "leave it out for the interpreter",
  );

const wrongLanguage = (name: string, language: string, languages: readonly string[]): AgentError =>
  invalidOption(
    `--executor ${name} runs ${languages.join(" and ")}, not ${language}`,
    language === "python" ? "use --executor docker, e2b or pyodide" : "leave --language out",
  );
