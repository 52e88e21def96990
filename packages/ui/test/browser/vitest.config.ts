import { join } from "node:path";
import { defineConfig } from "vitest/config";

const conditions = ["@smolts/source", "node", "import", "default"];

// Tests in a real browser. `pnpm test` does not run them; `pnpm test:browser` does.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    root: join(import.meta.dirname, "../../../.."),
    include: ["packages/*/test/browser/*.browser.ts"],
    // Most of their time goes into waiting: for models at a pace, for broken lines, for frames.
    maxWorkers: 2,
    // Limits for hangs only.
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
