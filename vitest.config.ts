import { defineConfig } from "vitest/config";

// Resolves packages as Node does. The field "module" is for bundlers, and in some packages it names
// files that Node cannot load.
const conditions = ["@smolts/source", "node", "import", "default"];

// Some tests compare the host with the sandbox, whose time zone and language are always the same.
// So the test processes are started with the same settings.
process.env["TZ"] = "UTC";
for (const name of ["LC_ALL", "LC_MESSAGES", "LANG"]) delete process.env[name];

/**
 * Tests that run untrusted code. They measure the CPU time and the memory of their process, or
 * change what it is made of. So each of their files has a process of its own.
 */
const alone = ["packages/interpreter/test/**/*.test.ts", "packages/executor-*/test/**/*.test.ts"];

export default defineConfig({
  // Tests import each package by its published name and get its source: nothing has to be built
  // first.
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // One worker for each core, because many tests wait for processes and servers.
    maxWorkers: "100%",
    // The limit is only for tests that hang. No test measures time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      { extends: true, test: { name: "alone", include: alone } },
      {
        extends: true,
        test: {
          name: "together",
          include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
          exclude: alone,
          // The files of a worker share its process and modules. To import them for each file takes
          // longer than most of the tests.
          isolate: false,
          setupFiles: ["scripts/test/clean-up-after-file.ts"],
        },
      },
    ],
  },
});
