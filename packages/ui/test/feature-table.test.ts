import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const packages = join(import.meta.dirname, "../..");
const readme = readFileSync(join(packages, "ui/README.md"), "utf8");
const scripts = Object.keys(JSON.parse(readFileSync(join(packages, "../package.json"), "utf8")).scripts);

/** The titles of the tests in each file. The keys are the file names as the README writes them. */
const titles = new Map<string, readonly string[]>();
for (const [folder, prefix] of [
  ["ui/test", ""],
  ["streams/test", "streams/"],
] as const)
  for (const file of readdirSync(join(packages, folder), { recursive: true, encoding: "utf8" })) {
    const name = /^(?:browser\/)?(.+)\.(?:test|browser)\.ts$/.exec(file)?.[1];
    if (name) titles.set(`${prefix}${name}`, titlesIn(readFileSync(join(packages, folder, file), "utf8")));
  }

const rows = readme
  .split("\n")
  .filter((line) => /^\|(?! ---)/.test(line))
  .map((line) => line.split("|").slice(1, -1))
  .filter((cells) => cells.at(-1)!.trim() !== "shown by")
  .map((cells) => ({ feature: cells[0]!.trim(), shownBy: cells.at(-1)!.trim() }));

test("the README names a test for each of 35 features and 11 faults; only the comparison has none", () => {
  expect(rows).toHaveLength(35 + 11);
  expect(rows.filter(({ shownBy }) => shownBy === "").map(({ feature }) => feature)).toEqual(["Compare two runs"]);
});

test.each(rows.filter(({ shownBy }) => shownBy !== ""))("the test of $feature exists", ({ shownBy }) => {
  for (const one of shownBy.split("; ")) {
    const [, name = "", words = ""] = /^`([^`]+)`(?:: (.*))?/.exec(one) ?? [];
    if (name.startsWith("pnpm ")) expect(scripts).toContain(name.split(" ")[1]);
    else expect([name, titles.get(name)?.find((title) => title.includes(words)) ?? null]).not.toContain(null);
  }
});

function titlesIn(source: string): readonly string[] {
  const calls = source.matchAll(/^ *(?:test|describe)\b[^"'`]*(["'`])(.*?)\1/gms);
  return [...calls].map(([, , title]) => title!);
}
