// One file of test262: its code and the YAML block before it. Only the few keys that say how to run
// the test are read.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A test file of the checkout. */
export interface TestFile {
  /** The path below the checkout's `test` folder. */
  readonly path: string;
  readonly text: string;
  /** The code without comments and front matter. */
  readonly code: string;
  readonly flags: readonly string[];
  readonly includes: readonly string[];
  readonly features: readonly string[];
  /** The error with which the test must end; null if the test must not fail. */
  readonly negative: { readonly phase: string; readonly type: string } | null;
}

/** Reads a test file. */
export function readTestFile(testFolder: string, path: string): TestFile {
  const text = readFileSync(join(testFolder, path), "utf8");
  const front = /\/\*---([\s\S]*?)---\*\//.exec(text)?.[1] ?? "";
  return {
    path,
    text,
    code: text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, ""),
    flags: list(front, "flags"),
    includes: list(front, "includes"),
    features: list(front, "features"),
    negative: negativeOf(front),
  };
}

/** Returns the items of a key, which is written `key: [a, b]` or with one item on each line. */
function list(front: string, key: string): readonly string[] {
  const inline = new RegExp(`^\\s*${key}:\\s*\\[([^\\]]*)\\]`, "m").exec(front)?.[1];
  if (inline !== undefined) return words(inline.split(","));
  const block = new RegExp(`^\\s*${key}:\\s*\\n((?:\\s+-\\s+.*\\n?)+)`, "m").exec(front)?.[1] ?? "";
  return words(block.split("\n").map((line) => line.replace(/^\s*-\s*/, "")));
}

function words(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

function negativeOf(front: string): TestFile["negative"] {
  const block = /^\s*negative:\s*\n((?:[ \t]{2,}.*\n?)+)/m.exec(front)?.[1];
  if (block === undefined) return null;
  const [, phase = ""] = /phase:\s*(\w+)/.exec(block) ?? [];
  const [, type = ""] = /type:\s*(\w+)/.exec(block) ?? [];
  return { phase, type };
}
