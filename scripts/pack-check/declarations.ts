// Checks the declarations of installed packages as a careful user's compiler does, with
// `skipLibCheck: false`. Each package is checked in a separate program. In a shared program, the
// declarations of one package could fill gaps in those of another. TypeScript 7 has no API, only a
// command, so it checks all packages in one program.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { CompilerOptions, Program } from "typescript";
import { runCommand } from "../run-command.ts";

type TypeScript = typeof import("typescript");

/** The settings in a user's `tsconfig.json` that affect how our declarations are checked. */
export interface Settings {
  readonly lib: readonly string[];
  readonly types: readonly string[];
  readonly resolution: "bundler" | "nodenext";
}

/** Settings of programs that do not have Node's types. */
export const settingsWithoutNode: readonly Settings[] = [
  { lib: ["es2022"], types: [], resolution: "bundler" },
  { lib: ["es2022", "dom"], types: [], resolution: "nodenext" },
];

/** Settings of programs with and without Node's types. */
export const allSettings: readonly Settings[] = [
  ...settingsWithoutNode,
  { lib: ["es2022"], types: ["node"], resolution: "nodenext" },
  { lib: ["es2022", "dom"], types: ["node"], resolution: "bundler" },
];

/**
 * The oldest supported version of TypeScript, and the newest one with an API. Our declarations do
 * not compile with versions before 5.7, in which `Uint8Array` has no type parameter.
 */
const versions = ["5.7.3", "6.0"] as const;
const versionOfCommand = "7.0";

/**
 * Checks packages with each compiler and each of the settings.
 *
 * @param packages - the entries that users may import, by package
 * @param project - the folder in which the packages are installed
 * @param workFolder - the folder for the compilers
 */
export async function declarationProblems(
  packages: ReadonlyMap<string, readonly string[]>,
  settings: readonly Settings[],
  { project, workFolder }: { readonly project: string; readonly workFolder: string },
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const version of versions) {
    const typescript = await compiler(version, workFolder);
    for (const setting of settings) {
      const check = programChecker(typescript, setting, project);
      const what = `with TypeScript ${version}, ${setting.resolution}, lib ${setting.lib} and types [${setting.types}]`;
      for (const [name, entries] of packages) {
        const found = check(entries);
        if (found.length > 0) problems.push(`the declarations of ${name} fail ${what}\n${found.join("\n")}`);
      }
    }
  }
  const allEntries = [...packages.values()].flat();
  for (const setting of settings) problems.push(...(await commandProblems(allEntries, setting, project, workFolder)));
  return problems;
}

async function compiler(version: string, workFolder: string): Promise<TypeScript> {
  const folder = await fetchTypeScript(version, workFolder);
  return createRequire(join(folder, "_"))("typescript") as TypeScript; // safe cast: typed by that package
}

/** Checks entries in one program with the command `tsc`. */
async function commandProblems(
  entries: readonly string[],
  { lib, types, resolution }: Settings,
  project: string,
  workFolder: string,
): Promise<readonly string[]> {
  const compilerFolder = await fetchTypeScript(versionOfCommand, workFolder);
  const program = join(project, "imports.ts");
  const configuration = join(project, "tsconfig.imports.json");
  const module = resolution === "nodenext" ? "nodenext" : "preserve";
  const options = { noEmit: true, strict: true, skipLibCheck: false, target: "es2022", module, lib, types };
  writeFileSync(program, importsOf(entries));
  writeFileSync(configuration, JSON.stringify({ compilerOptions: options, files: [program] }));
  const command = [join(compilerFolder, "node_modules/.bin/tsc"), "-p", configuration] as const;
  const { ok, output } = await runCommand(command, { cwd: project });
  for (const file of [program, configuration]) rmSync(file);
  const what = `with TypeScript ${versionOfCommand}, ${resolution}, lib ${lib} and types [${types}]`;
  return ok ? [] : [`the declarations fail ${what}\n${output.trimEnd()}`];
}

/** Installs a version of TypeScript, if it is not installed yet, and returns its folder. */
async function fetchTypeScript(version: string, workFolder: string): Promise<string> {
  const folder = join(workFolder, `typescript-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  const wanted = `typescript@${version}`;
  const command = ["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", wanted] as const;
  const { ok, output } = await runCommand(command, { cwd: folder });
  if (!ok) throw new Error(`npm could not fetch ${wanted}\n${output}`);
  return folder;
}

const importsOf = (entries: readonly string[]): string =>
  entries.map((entry, index) => `export * as entry${index} from "${entry}";`).join("\n");

/**
 * Returns a function that compiles a program which imports the given entries, and returns the
 * errors. Each file is parsed only once, even if several programs use it.
 */
function programChecker(
  typescript: TypeScript,
  setting: Settings,
  project: string,
): (entries: readonly string[]) => readonly string[] {
  const options = compilerOptions(typescript, setting, project);
  const host = typescript.createCompilerHost(options);
  const parsed = new Map<string, ReturnType<typeof host.getSourceFile>>();
  const file = join(project, "imports.ts");
  return (entries) => {
    const text = importsOf(entries);
    const program = typescript.createProgram([file], options, {
      ...host,
      fileExists: (path) => path === file || host.fileExists(path),
      readFile: (path) => (path === file ? text : host.readFile(path)),
      getSourceFile(path, how, ...rest) {
        if (path === file) return typescript.createSourceFile(path, text, how);
        if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, how, ...rest));
        return parsed.get(path);
      },
    });
    return errorsOf(typescript, program, project);
  };
}

const compilerOptions = (
  { ModuleKind, ModuleResolutionKind, ScriptTarget }: TypeScript,
  { lib, types, resolution }: Settings,
  project: string,
): CompilerOptions => ({
  noEmit: true,
  strict: true,
  skipLibCheck: false,
  target: ScriptTarget.ES2022,
  lib: lib.map((name) => `lib.${name}.d.ts`),
  types: [...types],
  typeRoots: [join(project, "node_modules/@types")],
  ...(resolution === "nodenext"
    ? { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext }
    : { module: ModuleKind.Preserve, moduleResolution: ModuleResolutionKind.Bundler }),
});

const errorsOf = (typescript: TypeScript, program: Program, project: string): readonly string[] =>
  typescript
    .formatDiagnostics(typescript.getPreEmitDiagnostics(program), {
      getCurrentDirectory: () => project,
      getCanonicalFileName: (path) => path,
      getNewLine: () => "\n",
    })
    .trim()
    .split("\n")
    .filter((line) => line !== "");
