import { defineConfig } from "vitest/config";

const conditions = ["@smolts/source", "module", "node", "import", "default"];

export default defineConfig({
  // Tests import each package by its published name and get its source: nothing has to be built first.
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    // A limit for hangs only; no test measures time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
