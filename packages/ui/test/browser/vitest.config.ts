import { join } from "node:path";
import { defineConfig } from "vitest/config";

const conditions = ["@smolts/source", "node", "import", "default"];

// The tests in a real browser. `pnpm test:browser` runs them, and `pnpm test` does not.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    root: join(import.meta.dirname, "../../../.."),
    include: ["packages/*/test/browser/*.browser.ts"],
    // The tests mostly wait: for slow models, for broken connections, for frames.
    maxWorkers: 2,
    // The limits are only for tests that hang.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
