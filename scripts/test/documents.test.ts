import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const below = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => !path.includes("node_modules") && pattern.test(path))
    .map((path) => `${folder}/${path}`);

// Search only the packages' own folders, because other tests create and remove folders inside them.
const readmes = readdirSync(join(root, "packages"))
  .map((name) => `packages/${name}/README.md`)
  .filter((path) => existsSync(join(root, path)));

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...below("docs", /\.md$/),
  ...readmes,
  "apps/demos/README.md",
];

test.each(documents)("the files that %s links to exist", (document) => {
  const ownAddress = /^https:\/\/github\.com\/smolts\/smolts\/blob\/main\//;
  const links = [...read(document).matchAll(/\]\(([^)#\s]+)/g)].map(([, link = ""]) => link);
  const paths = links.flatMap((link) => {
    if (ownAddress.test(link)) return [link.replace(ownAddress, "")];
    return /^[a-z]+:/.test(link) ? [] : [join(dirname(document), link)];
  });
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

// Users also read the READMEs in node_modules and on npm's pages, where a relative path leads
// nowhere.
test.each(readmes)("the links of %s are complete addresses", (readme) => {
  const links = [...read(readme).matchAll(/\]\(([^)\s]+)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !/^(?:https:|#)/.test(link))).toEqual([]);
});

test.each(documents)("the paths in %s exist, relative to the root or to the document", (document) => {
  const paths = [...read(document).matchAll(/\b(?:packages|apps|scripts|docs)\/[\w./-]+\.(?:ts|md|json)\b/g)].map(
    String,
  );
  const places = ["", dirname(document)];
  const exists = (path: string): boolean => places.some((place) => existsSync(join(root, place, path)));
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});

test("the short paths in ARCHITECTURE.md exist", () => {
  const packages = readdirSync(join(root, "packages")).join("|");
  const names = read("ARCHITECTURE.md").matchAll(new RegExp(`(?<![\\w/])(${packages})/(?!src/)([\\w./-]+\\.ts)`, "g"));
  const paths = [...names].map(([, name, path]) => `packages/${name}/src/${path}`);
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("ARCHITECTURE.md lists every folder of the core", () => {
  const folders = readdirSync(join(root, "packages/core/src"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const map = read("ARCHITECTURE.md");
  expect(folders.filter(({ name }) => !map.includes(`${name}/`))).toEqual([]);
});

test("the README of the demos lists every demo", () => {
  const { scripts } = JSON.parse(read("apps/demos/package.json"));
  const document = read("apps/demos/README.md");
  expect(Object.keys(scripts).filter((name) => !document.includes(`[${name}](src/${name}.ts)`))).toEqual([]);
});
