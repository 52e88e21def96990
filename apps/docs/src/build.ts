// Builds the site: a reference page for every export of every package, and the guides of docs/. Fails when an export has
// no comment or a link leads nowhere, so that the reference cannot fall behind the code.

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Application,
  type DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
  type TypeDocOptions,
} from "typedoc";

const appFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(appFolder));
const site = join(appFolder, "site");

async function main(): Promise<void> {
  rmSync(site, { recursive: true, force: true });
  const application = await Application.bootstrapWithPlugins(options());
  const project = await application.convert();
  if (!project) throw new Error("the sources do not compile; run pnpm check --only types");
  application.validate(project);
  for (const problem of entryPointProblems()) application.logger.error(problem);
  for (const name of undocumentedFunctions(project)) application.logger.error(`${name} has no comment`);
  await application.generateOutputs(project);
  const exported = project.getReflectionsByKind(ReflectionKind.SomeExport).length;
  console.log(
    `docs: ${pagesBelow(site)} pages for ${exported} exports of ${documentedPackages().length} packages in apps/docs/site`,
  );
  process.exitCode = application.logger.hasErrors() || application.logger.hasWarnings() ? 1 : 0;
}

function options(): TypeDocOptions {
  return {
    name: "smolts",
    out: site,
    readme: join(root, "README.md"),
    entryPointStrategy: "packages",
    entryPoints: documentedPackages(),
    projectDocuments: [join(root, "docs/**/*.md"), join(root, "ARCHITECTURE.md"), join(root, "CONTRIBUTING.md")],
    disableSources: true,
    disableGit: true,
    githubPages: false,
    logLevel: "Warn",
    // The documents bring headings of their own.
    headings: { readme: false, document: false },
    hideGenerator: true,
    navigation: { includeCategories: false, includeGroups: false },
    validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: true },
    requiredToBeDocumented: requiredKinds,
    treatValidationWarningsAsErrors: true,
    packageOptions: {
      // The packages refer to each other by name and get each other's sources: nothing has to be built first.
      compilerOptions: { customConditions: ["@smolts/source"], rootDir: root, noEmit: true },
      tsconfig: "tsconfig.build.json",
      // Types are checked in a stage of their own; errors here would only repeat it.
      skipErrorChecking: true,
      disableSources: true,
      disableGit: true,
      excludeInternal: true,
      excludePrivate: true,
      excludeExternals: true,
      validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: true },
      requiredToBeDocumented: requiredKinds,
    },
  };
}

/** The files that a package exports and the files that its typedoc.json documents must be the same. */
function entryPointProblems(): readonly string[] {
  return documentedPackages().flatMap((folder) => {
    const { exports } = readJson(join(folder, "package.json")) as { exports: Record<string, unknown> };
    const { entryPoints } = readJson(join(folder, "typedoc.json")) as { entryPoints: readonly string[] };
    const sources = Object.values(exports).flatMap((target) => sourceOf(target));
    const missing = sources.filter((source) => !entryPoints.includes(source));
    return missing.map((source) => `${folder}/typedoc.json does not list "${source}", which the package exports`);
  });
}

function sourceOf(target: unknown): readonly string[] {
  if (typeof target !== "object" || target === null || !("@smolts/source" in target)) return [];
  const source = String(target["@smolts/source"]).replace("./", "");
  // A generated path of `smolts` passes on what another package documents.
  return source.startsWith("src/paths/") ? [] : [source];
}

/** Every export; not each field of each record, whose name often says it all. Functions: see below. */
const requiredKinds: ReflectionKind.KindString[] = ["Enum", "Variable", "Class", "Interface", "TypeAlias"];

// TypeDoc asks for comments on all signatures or none. The methods of an interface are told together in its Contract
// block, so only functions and the methods of classes are asked for theirs.
function undocumentedFunctions(project: ProjectReflection): readonly string[] {
  const functions = project.getReflectionsByKind(ReflectionKind.FunctionOrMethod) as DeclarationReflection[]; // by kind
  return functions
    .filter((item) => !item.parent?.kindOf(ReflectionKind.Interface | ReflectionKind.TypeLiteral))
    .filter((item) => !item.inheritedFrom && !item.flags.isPrivate)
    .filter((item) => !item.signatures?.some((signature) => signature.hasComment()))
    .map((item) => item.getFriendlyFullName());
}

/** Packages with sources; a folder that holds only a manifest has nothing to say yet. */
function documentedPackages(): string[] {
  const folders = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  return folders.filter((folder) => existsSync(join(folder, "src/index.ts")) && !isPrivate(folder)).sort();
}

function isPrivate(folder: string): boolean {
  return (readJson(join(folder, "package.json")) as { private?: boolean }).private === true;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function pagesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html")).length;
}

await main();
