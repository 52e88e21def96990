// Tests that each package exports the names that users of smolagents look for.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as otherNames from "../src/other-names.ts";

/** The expected exports of each package. */
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
  "@smolts/executor-worker/process": ["process"],
  "@smolts/executor-docker": ["docker"],
  "@smolts/executor-e2b": ["e2b"],
  "@smolts/executor-pyodide": ["pyodide"],
  "@smolts/executor-quickjs": ["quickjs"],
  "@smolts/hub": ["push", "load", "loadTool", "loadCollection"],
  "@smolts/mcp": ["mcpTools"],
  "@smolts/model-openai": ["openai"],
  "@smolts/model-transformers": ["pipelineTool"],
  "@smolts/typecheck": ["typecheck"],
  "@smolts/streams": ["toResponse"],
  "@smolts/ui": ["launchUI", "createUIHandler"],
};

/**
 * Names that smolts leaves out, with their names in smolagents. The guide for users of smolagents
 * gives the reasons under those names.
 */
const notCarriedOver: Readonly<Record<string, string>> = { callTool: "execute_tool_call" };

describe.each(Object.entries(names))("%s", (packageName, expected) => {
  test.each(expected)("exports %s", async (name) => {
    const exports: Record<string, unknown> = await import(packageName);
    expect(exports[name]).toBeDefined();
  });
});

test("names that are left out do not exist, and the guide says why", async () => {
  const { default: _, ...exports }: Record<string, unknown> = {
    ...(await import("smolts")),
    ...(await import("smolts/terminal")),
  };
  const guide = readFileSync(new URL("../../../docs/guides/from-smolagents.md", import.meta.url), "utf8");
  for (const [name, theirName] of Object.entries(notCarriedOver)) {
    // Exports in `otherNames` do not count, because they only throw errors that say what to write.
    if (!Object.hasOwn(otherNames, name)) expect(exports).not.toHaveProperty(name);
    expect(guide).toContain(`- \`${theirName}\`. `);
  }
});
