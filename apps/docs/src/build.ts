// Builds the site: a landing page, the guides of docs/ in their order, and a reference page for
// every export of every package. The build fails if an export has no comment or if a link is
// broken, so that the reference stays complete.

import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Application,
  Converter,
  type DeclarationReflection,
  type DocumentReflection,
  OptionDefaults,
  type ProjectReflection,
  ReflectionKind,
  type TypeDocOptions,
} from "typedoc";

const appFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(appFolder));
const site = join(appFolder, "site");
const docsFolder = join(root, "docs");
const tokens = join(root, "packages/ui/client/style/tokens.css");
const styleSheet = join(appFolder, ".site.css");

async function main(): Promise<void> {
  rmSync(site, { recursive: true, force: true });
  writeFileSync(
    styleSheet,
    [tokens, join(appFolder, "src/docs.css")].map((path) => readFileSync(path, "utf8")).join("\n"),
  );
  const application = await Application.bootstrapWithPlugins(options());
  const guides = guideIndex();
  application.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => placeGuide(document, guides));
  const project = await application.convert();
  if (!project) throw new Error("the sources do not compile; run pnpm check --only types");
  application.validate(project);
  for (const problem of entryPointProblems()) application.logger.error(problem);
  for (const name of undocumentedFunctions(project)) application.logger.error(`${name} has no comment`);
  await application.generateOutputs(project);
  rmSync(styleSheet);
  writeLandingPage();
  const exported = project.getReflectionsByKind(ReflectionKind.SomeExport).length;
  console.log(
    `docs: ${pagesBelow(site)} pages for ${exported} exports of ${documentedPackages().length} packages in apps/docs/site`,
  );
  process.exitCode = application.logger.hasErrors() || application.logger.hasWarnings() ? 1 : 0;
}

/**
 * The weight of a word in a guide, relative to a word in the reference. The search multiplies the
 * score of an entry by ten if the entry's name equals the query. Without the weight, the exports
 * with that name would come before the guide about it. The weight puts the guide first. Guides that
 * only mention the word stay below the exports.
 */
const guideBoost = 100;

function options(): TypeDocOptions {
  return {
    name: "smolts",
    out: site,
    readme: "none",
    highlightLanguages: [...OptionDefaults.highlightLanguages, "dockerfile", "python"],
    customCss: styleSheet,
    favicon: join(appFolder, "src/mark.svg"),
    groupOrder: [...guideIndex().map(({ title }) => title), "For contributors", "*"],
    sort: ["documents-first", "alphabetical-ignoring-documents"],
    searchInComments: true,
    searchInDocuments: true,
    searchGroupBoosts: Object.fromEntries(guideIndex().map(({ title }) => [title, guideBoost])),
    entryPointStrategy: "packages",
    entryPoints: documentedPackages(),
    projectDocuments: documents(),
    disableSources: true,
    disableGit: true,
    githubPages: false,
    logLevel: "Warn",
    // The documents have their own headings, so TypeDoc adds none.
    headings: { readme: false, document: false },
    hideGenerator: true,
    navigation: { includeCategories: false, includeGroups: true },
    validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: true },
    requiredToBeDocumented: requiredKinds,
    treatValidationWarningsAsErrors: true,
    packageOptions: {
      // Packages import each other by name. This condition resolves the names to source files, so
      // the packages need not be built first.
      compilerOptions: { customConditions: ["@smolts/source"], rootDir: root, noEmit: true },
      tsconfig: "tsconfig.build.json",
      // The type check is a separate step, which reports the same errors.
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

/** A group of guides in the index, such as "Begin". */
interface GuideGroup {
  readonly title: string;
  /** The paths of the group's guides, in order. */
  readonly guides: readonly string[];
}

/** Returns the groups of docs/README.md, and the guides in each of them. */
function guideIndex(): readonly GuideGroup[] {
  const sections = readFileSync(join(docsFolder, "README.md"), "utf8").split(/^## /m).slice(1);
  return sections.map((section) => ({
    title: section.split("\n", 1).join(),
    guides: [...section.matchAll(/^\d+\. \[[^\]]+\]\(([^)]+)\)/gm)].map(([, path = ""]) => join(docsFolder, path)),
  }));
}

/** Returns the guides in the order of the index, then all other documents. */
function documents(): string[] {
  const indexed = guideIndex().flatMap(({ guides }) => guides);
  const files = readdirSync(docsFolder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  const others = files.map((path) => join(docsFolder, path)).filter((path) => !indexed.includes(path));
  return [...indexed, ...others.sort(), join(root, "ARCHITECTURE.md"), join(root, "CONTRIBUTING.md")];
}

/** Names a document after its heading, and puts it into the group that the index has for it. */
function placeGuide(document: DocumentReflection, groups: readonly GuideGroup[]): void {
  const title = titleOf(document.content.map(({ text }) => text).join(""));
  const group = groups.find(({ guides }) => guides.some((path) => titleOf(readFileSync(path, "utf8")) === title));
  document.name = title;
  document.frontmatter["group"] = group?.title ?? "For contributors";
}

const titleOf = (text: string): string => (/^# (.+)$/m.exec(text)?.[1] ?? "").replaceAll("`", "");

/**
 * Writes the landing page in place of TypeDoc's index of packages, which moves to `reference.html`.
 */
function writeLandingPage(): void {
  const urls = new Map(readdirSync(join(site, "documents")).map((name) => [headingOf(name), `documents/${name}`]));
  const page = readFileSync(join(appFolder, "src/landing.html"), "utf8").replace(
    /\{\{(.+?)\}\}/g,
    (_, title: string) => {
      const url = urls.get(title);
      if (url === undefined) throw new Error(`the landing page links to "${title}", which is not a document`);
      return url;
    },
  );
  renameSync(join(site, "index.html"), join(site, "reference.html"));
  writeFileSync(join(site, "index.html"), page);
  copyFileSync(tokens, join(site, "assets/tokens.css"));
  for (const name of ["landing.css", "mark.svg", "theme.js"])
    copyFileSync(join(appFolder, "src", name), join(site, "assets", name));
}

const headingOf = (name: string): string | undefined =>
  /<title>(.+?) \| smolts<\/title>/.exec(readFileSync(join(site, "documents", name), "utf8"))?.[1];

/**
 * Lists the differences between the files that each package exports and the files that its
 * typedoc.json documents.
 */
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
  // Two kinds of files need no documentation: the generated files of `smolts`, because they only
  // re-export another package, and the file for unknown paths, because it only throws an error.
  return source.startsWith("src/paths/") || source === "src/no-such-path.ts" ? [] : [source];
}

/**
 * The kinds of exports that need a comment. Fields of records need none, because the name often
 * says enough. `undocumentedFunctions` checks functions.
 */
const requiredKinds: ReflectionKind.KindString[] = ["Enum", "Variable", "Class", "Interface", "TypeAlias"];

// Lists the functions and class methods without a comment. TypeDoc's own check would also require a
// comment on each method of an interface. These need none, because the Contract block of an
// interface describes all its methods at once.
function undocumentedFunctions(project: ProjectReflection): readonly string[] {
  const functions = project.getReflectionsByKind(ReflectionKind.FunctionOrMethod) as DeclarationReflection[]; // by kind
  return functions
    .filter((item) => !item.parent?.kindOf(ReflectionKind.Interface | ReflectionKind.TypeLiteral))
    .filter((item) => !item.inheritedFrom && !item.flags.isPrivate)
    .filter((item) => !item.signatures?.some((signature) => signature.hasComment()))
    .map((item) => item.getFriendlyFullName());
}

/**
 * Returns the folders of packages with sources. A folder that holds only a manifest has nothing to
 * document yet.
 */
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
