// The other engines, from apps/benchmarks. That folder has its own lock file, and its packages are
// installed when they are first needed. Nothing else needs their types, so this file declares only
// what it uses.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Engine, hostAsync } from "./engine.ts";

const folder = fileURLToPath(new URL("../../../../apps/benchmarks/", import.meta.url));

/** Installs the other engines if they are not installed yet. */
export function installPeers(): void {
  if (existsSync(`${folder}node_modules/quickjs-emscripten`)) return;
  const parameters = ["install", "--ignore-workspace", "--ignore-scripts", "--frozen-lockfile"];
  execFileSync("pnpm", parameters, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

/** The engines to compare ours with. */
export const peers: readonly Engine[] = [
  { name: "quickjs", codeOf: ({ code }) => code, open: openQuickJs },
  { name: "sval", codeOf: ({ code }) => code, open: openSval },
  { name: "sandboxjs", codeOf: ({ code }) => code, open: openSandboxJs },
  { name: "jsInterpreter", codeOf: ({ es5 }) => es5, open: openJsInterpreter },
];

const resolve = createRequire(`${folder}package.json`).resolve;

async function importPeer(name: string): Promise<unknown> {
  return await import(pathToFileURL(resolve(name)).href);
}

/** The part of quickjs-emscripten that this file uses. */
interface QuickJs {
  newContext(): QuickJsContext;
}

interface QuickJsContext {
  readonly global: QuickJsHandle;
  readonly runtime: { executePendingJobs(): { readonly error?: QuickJsHandle } };
  readonly undefined: QuickJsHandle;
  evalCode(code: string): unknown;
  callFunction(callee: QuickJsHandle, thisValue: QuickJsHandle): unknown;
  unwrapResult(result: unknown): QuickJsHandle;
  getProp(object: QuickJsHandle, key: string): QuickJsHandle;
  setProp(object: QuickJsHandle, key: string, value: QuickJsHandle): void;
  getNumber(handle: QuickJsHandle): number;
  newNumber(number: number): QuickJsHandle;
  newFunction(name: string, native: (argument: QuickJsHandle) => QuickJsHandle): QuickJsHandle;
  newPromise(): { readonly handle: QuickJsHandle; resolve(value: QuickJsHandle): void };
  typeof(handle: QuickJsHandle): string;
  resolvePromise(handle: QuickJsHandle): Promise<unknown>;
}

interface QuickJsHandle {
  dispose(): void;
}

async function openQuickJs(): ReturnType<Engine["open"]> {
  const { getQuickJS } = (await importPeer("quickjs-emscripten")) as { getQuickJS(): Promise<QuickJs> }; // its documentation describes this function
  const context = (await getQuickJS()).newContext();
  const host = context.newFunction("hostAsync", (argument) => {
    const promise = context.newPromise();
    void hostAsync(context.getNumber(argument)).then((value) => {
      promise.resolve(context.newNumber(value));
      context.runtime.executePendingJobs();
    });
    return promise.handle;
  });
  context.setProp(context.global, "hostAsync", host);
  return {
    load(code) {
      context.unwrapResult(context.evalCode(code)).dispose();
      const main = context.getProp(context.global, "main");
      return { call: () => callInQuickJs(context, main) };
    },
  };
}

function callInQuickJs(context: QuickJsContext, main: QuickJsHandle): unknown {
  const result = context.unwrapResult(context.callFunction(main, context.undefined));
  if (context.typeof(result) === "number") return context.getNumber(result);
  const settled = context.resolvePromise(result);
  context.runtime.executePendingJobs();
  return settled.then((value) => context.getNumber(context.unwrapResult(value)));
}

interface Sval {
  readonly exports: { main(): unknown };
  import(globals: object): void;
  run(code: string): void;
}

async function openSval(): ReturnType<Engine["open"]> {
  const module = (await importPeer("sval")) as Module<Default<new (options: object) => Sval>>;
  const sandbox = new (defaultOf(module))({ ecmaVer: "latest", sourceType: "script", sandBox: true });
  sandbox.import({ hostAsync });
  return {
    load(code) {
      sandbox.run(`${code}\nexports.main = main;`);
      return { call: () => sandbox.exports.main() };
    },
  };
}

interface SandboxJs {
  compile(code: string): (scope: object) => { run(): unknown };
  compileAsync(code: string): (scope: object) => { run(): unknown };
}

async function openSandboxJs(): ReturnType<Engine["open"]> {
  const module = (await importPeer("@nyariv/sandboxjs")) as Module<Default<new (options?: object) => SandboxJs>>;
  const sandbox = new (defaultOf(module))();
  return {
    load(code) {
      const text = `${code}\nreturn main();`;
      const program = code.includes("await") ? sandbox.compileAsync(text) : sandbox.compile(text);
      return { call: () => program({ hostAsync }).run() };
    },
  };
}

interface JsInterpreter {
  readonly value: unknown;
  appendCode(code: string): void;
  run(): boolean;
}

async function openJsInterpreter(): ReturnType<Engine["open"]> {
  const module = (await importPeer("js-interpreter")) as Module<Default<new (code: string) => JsInterpreter>>;
  const Interpreter = defaultOf(module);
  return {
    load(code) {
      const sandbox = new Interpreter(code);
      sandbox.run();
      return {
        call() {
          sandbox.appendCode("main();");
          sandbox.run();
          return sandbox.value;
        },
      };
    },
  };
}

/**
 * A CommonJS module, perhaps converted by a bundler. The class is the default export, or a property
 * `default` of it.
 */
type Default<Class> = Class | { readonly default: Class };
type Module<Exported> = { readonly default: Exported };

function defaultOf<Class extends object>({ default: exported }: Module<Default<Class>>): Class {
  return "default" in exported ? exported.default : exported;
}
