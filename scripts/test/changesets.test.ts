import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { publishedPackages } from "../workspace.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const names = publishedPackages(root).map((member) => member.manifest.name);
const changesets = readdirSync(`${root}.changeset`).filter((file) => file.endsWith(".md") && file !== "README.md");

test("every changeset names our packages and contains a sentence for their users", () => {
  for (const file of changesets) {
    const text = readFileSync(`${root}.changeset/${file}`, "utf8");
    const [, head = "", sentence = ""] = /^---\n([\s\S]*?)\n---\n\n([\s\S]+)$/.exec(text) ?? [];
    const lines = head.split("\n").map((line) => /^"(.+)": (?:patch|minor|major)$/.exec(line)?.[1]);
    expect(names, file).toEqual(expect.arrayContaining(lines));
    expect(sentence.trim(), file).toMatch(/^[A-Z`].+\.$/s);
  }
});
