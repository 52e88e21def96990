// `pnpm check:boundaries`: checks manifests and sources against `boundaries.ts`. Each problem is
// one line that says where it is, what is wrong, and what to do.

import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { type Boundaries, boundaries as ourBoundaries, type PackageRule } from "./boundaries.ts";
import { type ImportFact, type SyntaxFact, sourceFacts } from "./source-facts.ts";
import { filesBelow, type Manifest, type WorkspacePackage, workspacePackages } from "./workspace.ts";

/** The context of all checks: the repository, the rules and the packages. */
interface Tree {
  readonly root: string;
  readonly boundaries: Boundaries;
  readonly byName: ReadonlyMap<string, WorkspacePackage>;
}

/** A file that is checked, with its package. */
interface SourceFile {
  readonly path: string;
  readonly member: WorkspacePackage;
  readonly tree: Tree;
}

/**
 * Checks a whole repository.
 *
 * @param root - the folder that holds `packages/` and `apps/`
 * @returns one line for each problem, which starts with its file (and line); an empty list if there
 *   is no problem
 */
export function checkBoundaries(root: string, boundaries: Boundaries = ourBoundaries): readonly string[] {
  const members = workspacePackages(root);
  const byName = new Map(members.map((member) => [member.manifest.name, member]));
  const tree: Tree = { root, boundaries, byName };
  return members.flatMap((member) => [...manifestProblems(member, tree), ...sourceProblems(member, tree)]);
}

function manifestProblems(member: WorkspacePackage, tree: Tree): readonly string[] {
  const { manifest, folder } = member;
  const problems = [...installScriptProblems(manifest)];
  if (manifest.private !== true) {
    problems.push(...dependencyProblems(manifest, tree), ...publishProblems(manifest));
  }
  return problems.map((problem) => `${folder}/package.json: ${problem}`);
}

function installScriptProblems(manifest: Manifest): readonly string[] {
  return ["preinstall", "install", "postinstall", "prepare"]
    .filter((name) => manifest.scripts?.[name] !== undefined)
    .map((name) => `script "${name}" would run when somebody installs; remove it`);
}

function dependencyProblems(manifest: Manifest, { boundaries, byName }: Tree): readonly string[] {
  const rule = boundaries.packages[manifest.name];
  if (!rule)
    return [`package "${manifest.name}" has no row in scripts/boundaries.ts; add one that says what it may import`];
  const declared = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
  return Object.entries(declared).flatMap(([name, range]) => {
    if (byName.has(name)) return workspaceDependencyProblems(manifest, rule, name, range, boundaries);
    if (rule.thirdParty.includes(name)) return [];
    return [
      `dependency "${name}" is not in the table of scripts/boundaries.ts; write it there with the commit that says why`,
    ];
  });
}

function workspaceDependencyProblems(
  manifest: Manifest,
  rule: PackageRule,
  name: string,
  range: string,
  { lazy }: Boundaries,
): readonly string[] {
  const problems: string[] = [];
  const isLazy = lazy.some((item) => item.from === manifest.name && item.package === name);
  if (!isLazy && !rule.workspace.includes(name)) problems.push(arrowProblem(manifest.name, name));
  if (manifest.peerDependencies?.[name] !== undefined) {
    problems.push(`"${name}" is a peer dependency, which forces major releases; make it a plain dependency`);
  }
  if (range !== "workspace:^") problems.push(`"${name}" has the range "${range}"; write "workspace:^"`);
  return problems;
}

function arrowProblem(from: string, to: string): string {
  if (to === "@smolts/testing")
    return `"${from}" may not depend on "${to}" at run time; make it a devDependency and import it in test/ only`;
  return `"${from}" may not depend on "${to}"; move what it needs to @smolts/protocol or hand it in`;
}

function publishProblems(manifest: Manifest): readonly string[] {
  const problems: string[] = [];
  if (manifest.sideEffects !== false)
    problems.push(`"sideEffects" must be false; importing a module must have no effects`);
  const published = JSON.stringify(manifest.publishConfig?.exports ?? {});
  const expected = JSON.stringify(withoutSourceCondition(manifest.exports ?? {}));
  if (published !== expected) {
    problems.push(`"publishConfig.exports" must be "exports" without the "@smolts/source" condition: ${expected}`);
  }
  return problems;
}

function withoutSourceCondition(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "@smolts/source");
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutSourceCondition(inner)]));
}

function sourceProblems(member: WorkspacePackage, tree: Tree): readonly string[] {
  return filesBelow(tree.root, `${member.folder}/src`, ".ts").flatMap((path) => {
    const file: SourceFile = { path, member, tree };
    const { imports, syntax } = sourceFacts(path, readFileSync(join(tree.root, path), "utf8"));
    return [
      ...imports.flatMap((fact) => located(path, fact.line, importProblem(fact, file))),
      ...syntax.flatMap((fact) => located(path, fact.line, syntaxProblem(fact, file))),
    ];
  });
}

function located(path: string, line: number, problem: string | undefined): readonly string[] {
  return problem === undefined ? [] : [`${path}:${line}: ${problem}`];
}

function importProblem(fact: ImportFact, file: SourceFile): string | undefined {
  const { specifier } = fact;
  if (specifier.startsWith(".")) return relativeImportProblem(fact, file);
  if (isNodeModule(specifier)) return nodeImportProblem(specifier, file);
  const name = packageName(specifier);
  const target = file.tree.byName.get(name);
  if (target) return workspaceImportProblem(fact, target, file);
  const isBuiltIn = matches(file.tree.boundaries.built, file.path);
  return undeclared(name, file.member.manifest) && !isBuiltIn
    ? `imports "${specifier}", which is not among the dependencies of "${file.member.manifest.name}"; declare it, or do without`
    : undefined;
}

function relativeImportProblem({ specifier, dynamic, typeOnly }: ImportFact, file: SourceFile): string | undefined {
  const target = posix.join(posix.dirname(file.path), specifier);
  if (!target.startsWith(`${file.member.folder}/`)) {
    return `imports "${specifier}" from another package's folder; import that package by its name`;
  }
  if (isPrivate(file) || dynamic || typeOnly) return undefined;
  const { node } = file.tree.boundaries;
  if (matches(node, target) && !matches(node, file.path)) {
    return `imports "${specifier}", which needs Node, into code that runs anywhere; use import() at first use, or give it a subpath of its own`;
  }
  return isUpwards(file, target)
    ? `imports "${specifier}", which lies above it in the layers of scripts/boundaries.ts; hand in what it needs, or move one of the two`
    : undefined;
}

/** Says whether a file imports a file from a layer above its own. */
function isUpwards({ path, member, tree }: SourceFile, target: string): boolean {
  const layers = tree.boundaries.layers[member.manifest.name];
  if (!layers) return false;
  const depthOf = (file: string) => layers.indexOf(file.slice(`${member.folder}/src/`.length).split("/")[0] ?? "");
  return depthOf(target) < depthOf(path);
}

function nodeImportProblem(specifier: string, file: SourceFile): string | undefined {
  if (isPrivate(file) || matches(file.tree.boundaries.node, file.path)) return undefined;
  return `imports "${specifier}" in code that runs anywhere; use a web API, or move it to a *.node.ts file behind a subpath of its own`;
}

/** Modules that may import their own package by its name. */
const outside: ReadonlySet<string> = new Set(["packages/smolts/src/no-such-path.ts"]);

function workspaceImportProblem(fact: ImportFact, target: WorkspacePackage, file: SourceFile): string | undefined {
  const { specifier, dynamic } = fact;
  const from = file.member.manifest;
  const to = target.manifest;
  if (to.name === from.name) {
    return outside.has(file.path) ? undefined : `imports its own package "${specifier}"; use a relative path`;
  }
  if (!isExported(specifier, to))
    return `imports "${specifier}", which the exports of "${to.name}" do not list; use what its index exports, or ask for an export`;
  if (isPrivate(file)) return undeclaredWorkspaceProblem(specifier, to.name, from);
  const lazy = file.tree.boundaries.lazy.some((rule) => rule.package === to.name && rule.file.test(file.path));
  if (lazy)
    return dynamic
      ? undeclaredWorkspaceProblem(specifier, to.name, from)
      : `imports "${specifier}" with the file; use import() at first use`;
  const rule = file.tree.boundaries.packages[from.name];
  if (rule && !rule.workspace.includes(to.name)) return arrowProblem(from.name, to.name);
  return undeclaredWorkspaceProblem(specifier, to.name, from);
}

function undeclaredWorkspaceProblem(specifier: string, name: string, manifest: Manifest): string | undefined {
  if (!undeclared(name, manifest)) return undefined;
  return `imports "${specifier}", which "${manifest.name}" does not declare; add "${name}": "workspace:^" to its dependencies`;
}

function undeclared(name: string, manifest: Manifest): boolean {
  const declared = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
  // A private package is never installed by others. So its development dependencies are always
  // available.
  const development = manifest.private === true ? manifest.devDependencies : undefined;
  return declared[name] === undefined && development?.[name] === undefined;
}

function isExported(specifier: string, manifest: Manifest): boolean {
  const subpath = `.${specifier.slice(manifest.name.length)}`;
  return Object.keys(manifest.exports ?? {}).some((key) => {
    const [start = "", end] = key.split("*");
    if (end === undefined) return key === subpath;
    return subpath.length > start.length + end.length && subpath.startsWith(start) && subpath.endsWith(end);
  });
}

function syntaxProblem({ type }: SyntaxFact, file: SourceFile): string | undefined {
  const { boundaries } = file.tree;
  const name = file.member.manifest.name;
  switch (type) {
    case "eval":
      return `uses "eval", which browsers and edge runtimes refuse; run guest code in @smolts/interpreter`;
    case "new-function":
      return `makes a function from text, which browsers and edge runtimes refuse; write the function`;
    case "top-level-await":
      if (isPrivate(file)) return undefined;
      return `awaits at the top level, so that "${name}" cannot be loaded by require(); move it into a function`;
    case "fetch":
      if (isPrivate(file) || matches(boundaries.fetch, file.path)) return undefined;
      return `uses the global "fetch", which checks no address; take a fetch from the caller`;
    case "process":
      if (isPrivate(file) || matches(boundaries.process, file.path)) return undefined;
      return `reads "process" in code that runs anywhere; take the value as an option`;
    case "console":
      if (isPrivate(file) || matches(boundaries.console, file.path)) return undefined;
      return `prints with "console"; libraries are silent: append an event, or throw`;
    default:
      return type satisfies never;
  }
}

function isPrivate(file: SourceFile): boolean {
  return file.member.manifest.private === true;
}

function matches(patterns: readonly RegExp[], path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}

function isNodeModule(specifier: string): boolean {
  return specifier.startsWith("node:") || builtinModules.includes(packageName(specifier));
}

function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}

function main(): void {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  if (!existsSync(join(root, "packages"))) throw new Error(`there is no "packages" folder in "${root}"`);
  const problems = checkBoundaries(root);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
