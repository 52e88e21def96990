import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

test("no comment is wider than 100 columns", () => {
  const files = sources(".", /\.(?:ts|tsx|mjs)$/);
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap((path) => wideLines(path, 100, /^\s*(?:\/\/|\/?\*)/))).toEqual([]);
});

test("no line of a document is wider than 120 columns, except in tables and code", () => {
  const documents = sources(".", /\.md$/).filter((path) => !path.endsWith("CHANGELOG.md"));
  expect(documents.length).toBeGreaterThan(50);
  expect(documents.flatMap((path) => wideLines(path, 120, /^(?!\s*\|)/))).toEqual([]);
});

/** Returns the source files that people write: not generated, installed or built ones. */
function sources(folder: string, kind: RegExp): readonly string[] {
  const others = new Set(["node_modules", "dist", "site", "fixtures"]);
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".") || entry.name.includes(".gen.") || others.has(entry.name)) return [];
    if (entry.isDirectory()) return sources(path, kind);
    return kind.test(entry.name) ? [path] : [];
  });
}

/**
 * Returns the lines outside code fences that match `kind`, are longer than `columns`, and could be
 * broken.
 */
function wideLines(path: string, columns: number, kind: RegExp): readonly string[] {
  const wide: string[] = [];
  let inCode = false;
  for (const [index, line] of readFileSync(join(root, path), "utf8").split("\n").entries()) {
    if (/^\s*(?:\/\/|\*)?\s*```/.test(line)) inCode = !inCode;
    else if (!inCode && line.length > columns && kind.test(line) && canBeBroken(line))
      wide.push(`${path}:${index + 1}`);
  }
  return wide;
}

/** Says whether a line can be broken. Addresses, linter directives, diagrams and tables cannot. */
function canBeBroken(line: string): boolean {
  const text = line.replace(/^\s*(?:\/\/|\/?\*+)? ?/, "");
  return !/https?:\S{60,}|^biome-ignore|^@ts-|^\||^\s{2,}/.test(text);
}
