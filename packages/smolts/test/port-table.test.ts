// The names that users of smolagents look for. Each exists as soon as the package that holds it does: one that is listed as missing although
// its package is there fails this test.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** By package, the names of the port table that it holds. */
const names: Readonly<Record<string, readonly string[]>> = {
  smolts: [
    "MultiStepAgent",
    "CodeAgent",
    "ToolCallingAgent",
    "AgentError",
    "interpreter",
    "succinct",
    "fullCode",
    "toMessages",
    "parseCode",
    "tool",
    "baseTools",
    "webSearch",
    "visitWebpage",
    "wikipediaSearch",
    "javascriptInterpreter",
    "speechToText",
    "finalAnswer",
    "image",
    "audio",
    "file",
    "hf",
    "litellm",
    "openai",
    "azure",
    "router",
    "renderRun",
    "visualize",
  ],
  "smolts/terminal": ["printRun", "renderRun", "visualize"],
  "smolts/save": ["save", "load"],
  "@smolts/tools": ["toolCollection"],
  "@smolts/tools/user-input": ["userInput"],
  "@smolts/tools/from-open-api": ["fromOpenApi"],
  "@smolts/tools/from-ai-sdk": ["fromAiSdk"],
  "@smolts/tools/from-lang-chain": ["fromLangChain"],
  "@smolts/tools/from-space": ["fromSpace"],
  "@smolts/executor-worker": ["worker"],
  "@smolts/executor-docker": ["docker"],
  "@smolts/executor-e2b": ["e2b"],
  "@smolts/executor-pyodide": ["pyodide"],
  "@smolts/hub": [],
  "@smolts/mcp": ["mcpTools"],
  "@smolts/model-openai": ["openai"],
  "@smolts/model-transformers": ["pipelineTool"],
  "@smolts/typecheck": ["typecheck"],
  "@smolts/streams": ["toResponse"],
  "@smolts/ui": ["launchUI", "createUIHandler"],
};

/** Packages that are not there yet. */
const missingPackages = ["@smolts/executor-e2b", "@smolts/hub", "@smolts/mcp"];

/** Names whose package is there and that come with a later version of it. */
const missingNames: readonly string[] = ["callTool"];

const here = Object.entries(names).filter(([name]) => !missingPackages.includes(name));

describe.each(here)("%s", (packageName, expected) => {
  test.each(expected)("holds %s", async (name) => {
    const exports: Record<string, unknown> = await import(packageName);
    expect(exports[name]).toBeDefined();
  });
});

test.each(missingPackages)("%s is not there yet", (name) => {
  const folder = fileURLToPath(new URL(`../../${name.replace("@smolts/", "")}/package.json`, import.meta.url));
  expect(existsSync(folder), `${name} is there: take it off the list, and re-export its names`).toBe(false);
});

test("no name stands in the list of missing ones that is there", async () => {
  const { default: _, ...exports }: Record<string, unknown> = {
    ...(await import("smolts")),
    ...(await import("smolts/terminal")),
  };
  expect(missingNames.filter((name) => name in exports)).toEqual([]);
});
