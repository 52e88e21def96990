// Defines the runtimes that are started by a command with a file as its argument.

import { join } from "node:path";
import { outputOf, type Runtime } from "./runtime.ts";

const entry = "console.log(JSON.stringify(await probe(programs)));";

interface CommandRuntime {
  readonly name: string;
  readonly packages?: readonly string[];
  readonly version: readonly string[];
  readonly run: readonly string[];
}

function commandRuntime(
  program: (folder: string) => string,
  { name, packages = [], version, run }: CommandRuntime,
): Runtime {
  return {
    name,
    packages,
    entry,
    async run(file, folder) {
      const printed = outputOf([program(folder), ...version]);
      if (printed === null) return { type: "absent", reason: "it is not installed" };
      const output = outputOf([program(folder), ...run, file]);
      return { type: "ran", version: printed.split("\n", 1).join(), output: output ?? "" };
    },
  };
}

const installed =
  (name: string) =>
  (folder: string): string =>
    join(folder, "node_modules", ".bin", name);

/** The runtime that all others are compared with. */
export const node: Runtime = commandRuntime(() => process.execPath, {
  name: "Node",
  version: ["--version"],
  run: [],
});

/**
 * Node with the flag that forbids `eval` and `new Function`. Some hosts start Node with this flag.
 */
export const nodeWithoutEval: Runtime = commandRuntime(() => process.execPath, {
  name: "Node without eval",
  version: ["--version"],
  run: ["--disallow-code-generation-from-strings"],
});

/** The only runtime whose engine is not V8. It uses JavaScriptCore. */
export const bun: Runtime = commandRuntime(installed("bun"), {
  name: "Bun",
  packages: ["bun@1.4.5"],
  version: ["--version"],
  run: [],
});

/** Deno without any permissions. */
export const deno: Runtime = commandRuntime(installed("deno"), {
  name: "Deno without permissions",
  packages: ["deno@2.9.6"],
  version: ["--version"],
  run: ["run", "--no-prompt"],
});
