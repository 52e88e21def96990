// This module is loaded for each import path that `smolts` does not have. An import of a name fails
// before any code runs if the module does not export that name. So this module exports everything
// that `smolts` exports, and then throws. It imports the package by its name, so that the build
// keeps the index in one file.

import { invalidOption } from "@smolts/protocol";

// biome-ignore lint/performance/noReExportAll: the names of imports are not known
export * from "smolts";

throw invalidOption(
  "smolts has no such import path",
  'write import { CodeAgent } from "smolts"; other paths are smolts/models/<provider>, smolts/tools/<tool>, ' +
    "smolts/memory/files, smolts/save and smolts/terminal; other packages are @smolts/ui, @smolts/mcp and more",
);
