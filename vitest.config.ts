import { defineConfig } from "vitest/config";

// As Node resolves packages: "module" is for bundlers, and some packages have files behind it that
// Node cannot load.
const conditions = ["@smolts/source", "node", "import", "default"];

// Some tests compare the sandbox, whose time zone and language are the same everywhere, with the
// host: its processes are started so, too.
process.env["TZ"] = "UTC";
for (const name of ["LC_ALL", "LC_MESSAGES", "LANG"]) delete process.env[name];

export default defineConfig({
  // Tests import each package by its published name and get its source: nothing has to be built
  // first.
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    // A worker for each core: many tests wait for processes and servers.
    maxWorkers: "100%",
    // A limit for hangs only; no test measures time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
