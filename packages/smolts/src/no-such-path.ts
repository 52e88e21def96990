// This module is loaded for each import path that `smolts` does not have. It throws an error that
// says what to write. But if a module does not export an imported name, the import fails before any
// code runs, with another error. So this module exports everything that `smolts` exports. It
// imports the package by its name, so that the build keeps the index in one file.

import { invalidOption } from "@smolts/protocol";

// biome-ignore lint/performance/noReExportAll: the names of imports are not known
export * from "smolts";

throw invalidOption(
  "smolts has no such import path",
  'write import { CodeAgent } from "smolts"; other paths are smolts/models/<provider>, smolts/tools/<tool>, ' +
    "smolts/memory/files, smolts/save and smolts/terminal; other packages are @smolts/ui, @smolts/mcp and more",
);
