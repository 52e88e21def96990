import { defineConfig } from "vitest/config";

// Resolves packages as Node does. The field "module" is for bundlers, and in some packages it names
// files that Node cannot load.
const conditions = ["@smolts/source", "node", "import", "default"];

// Some tests compare the host with the sandbox, whose time zone and language are always the same.
// So the test processes are started with the same settings.
process.env["TZ"] = "UTC";
for (const name of ["LC_ALL", "LC_MESSAGES", "LANG"]) delete process.env[name];

export default defineConfig({
  // Tests import each package by its published name and get its source: nothing has to be built
  // first.
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    // One worker for each core, because many tests wait for processes and servers.
    maxWorkers: "100%",
    // The limit is only for tests that hang. No test measures time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
