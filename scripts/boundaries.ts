// The arrows between the packages, as data. `check-boundaries.ts` holds the tree against it;
// ARCHITECTURE.md draws it. A new package is one more row.

/**
 * The packages that one package may depend on at run time. Tests (`devDependencies`) may import
 * anything.
 */
export interface PackageRule {
  /** Packages of this workspace. */
  readonly workspace: readonly string[];
  /** Everything else. */
  readonly thirdParty: readonly string[];
}

/**
 * All rules about what may stand where. Files are named by patterns over paths like
 * `packages/core/src/run/run.ts`.
 */
export interface Boundaries {
  readonly packages: Readonly<Record<string, PackageRule>>;
  /**
   * The folders of a package's `src` that import each other downwards only: top first, files that
   * are beside them by name. What is not named lies above all of them. Types go both ways, for a
   * state and what works on it know each other.
   */
  readonly layers: Readonly<Record<string, readonly string[]>>;
  /** Packages that one file may import only by `import()`, at first use. */
  readonly lazy: readonly { readonly from: string; readonly file: RegExp; readonly package: string }[];
  /**
   * Files that are about Node and may import `node:` modules. All others load them by `import()` at
   * first use, if at all.
   */
  readonly node: readonly RegExp[];
  /** Files that may read `process`, be it only for an environment variable with a key. */
  readonly process: readonly RegExp[];
  /**
   * Files that may call the global `fetch`. Everyone else goes through a function that checks the
   * address.
   */
  readonly fetch: readonly RegExp[];
  /** Files that may print. */
  readonly console: readonly RegExp[];
  /**
   * Files whose libraries `pnpm build` puts into the package, so that the package does not depend
   * on them.
   */
  readonly built: readonly RegExp[];
}

/** The rules of this repository. */
export const boundaries: Boundaries = {
  packages: {
    "@smolts/protocol": { workspace: [], thirdParty: [] },
    "@smolts/memory": { workspace: ["@smolts/protocol"], thirdParty: [] },
    // The database's driver is its user's own, and handed in.
    "@smolts/store-sql": { workspace: ["@smolts/protocol", "@smolts/memory"], thirdParty: [] },
    "@smolts/models": { workspace: ["@smolts/protocol"], thirdParty: ["eventsource-parser"] },
    "@smolts/model-openai": { workspace: ["@smolts/protocol", "@smolts/models"], thirdParty: ["openai"] },
    "@smolts/model-ai-sdk": { workspace: ["@smolts/protocol", "@smolts/models"], thirdParty: [] },
    // The library it drives is handed in, or imported by name at first use: half a gigabyte that is
    // not installed here.
    "@smolts/model-transformers": { workspace: ["@smolts/protocol", "@smolts/models"], thirdParty: [] },
    "@smolts/tools": {
      workspace: ["@smolts/protocol"],
      thirdParty: [
        "@cfworker/json-schema",
        // Loaded when the one tool that needs them is used.
        "undici",
        "ipaddr.js",
        // Its user's own, for PDFs (a peer).
        "unpdf",
        "minisearch",
        // Optional peers, each of one subpath: who uses the bridge has what is at its other end.
        "@langchain/core",
        "@gradio/client",
        "zod-to-json-schema",
      ],
    },
    "@smolts/mcp": {
      // Code mode is agents' language without an agent: core declares and searches the tools, and
      // the interpreter runs the code.
      workspace: ["@smolts/protocol", "@smolts/tools", "@smolts/core", "@smolts/interpreter"],
      thirdParty: ["@modelcontextprotocol/client", "@modelcontextprotocol/server", "@hono/node-server", "hono"],
    },
    "@smolts/interpreter": { workspace: ["@smolts/protocol"], thirdParty: ["acorn", "@sveltejs/acorn-typescript"] },
    "@smolts/executor-worker": { workspace: ["@smolts/protocol", "@smolts/interpreter"], thirdParty: [] },
    "@smolts/executor-remote": { workspace: ["@smolts/protocol"], thirdParty: [] },
    "@smolts/executor-pyodide": {
      workspace: ["@smolts/protocol", "@smolts/executor-remote"],
      thirdParty: ["pyodide"],
    },
    "@smolts/executor-quickjs": {
      workspace: ["@smolts/protocol", "@smolts/executor-remote"],
      thirdParty: ["quickjs-emscripten-core", "@jitl/quickjs-ng-wasmfile-release-sync"],
    },
    "@smolts/executor-docker": { workspace: ["@smolts/protocol", "@smolts/executor-remote"], thirdParty: [] },
    "@smolts/executor-e2b": { workspace: ["@smolts/protocol", "@smolts/executor-remote"], thirdParty: ["e2b"] },
    // The compiler is its user's own (a peer), and loaded at the first check.
    "@smolts/typecheck": { workspace: ["@smolts/protocol"], thirdParty: ["typescript"] },
    "@smolts/testing": { workspace: ["@smolts/protocol"], thirdParty: [] },
    // Agents are handed in, and recognised by their shape.
    "@smolts/eval": { workspace: ["@smolts/protocol", "@smolts/memory"], thirdParty: ["@cfworker/json-schema"] },
    "@smolts/hub": {
      workspace: ["@smolts/protocol", "@smolts/core", "@smolts/models", "@smolts/tools"],
      thirdParty: ["@huggingface/hub"],
    },
    "@smolts/streams": { workspace: ["@smolts/protocol"], thirdParty: [] },
    // The page's own libraries are joined into its script; its server routes by hono.
    // React is its user's own (a peer), for who imports `@smolts/ui/react`.
    "@smolts/ui": {
      workspace: ["@smolts/protocol", "@smolts/memory"],
      thirdParty: ["hono", "@hono/node-server", "react"],
    },
    // The SDK and the exporter are its user's own: it knows their interface alone.
    "@smolts/otel": { workspace: ["@smolts/protocol"], thirdParty: ["@opentelemetry/api"] },
    // Agents are handed in. Tools of clients are made by `tool()`, so that their schemas are
    // checked as all others are.
    "@smolts/serve": {
      workspace: ["@smolts/protocol", "@smolts/memory", "@smolts/streams", "@smolts/tools"],
      // zod is a peer of the SDK.
      thirdParty: ["hono", "@hono/node-server", "@agentclientprotocol/sdk", "zod"],
    },
    "@smolts/core": { workspace: ["@smolts/protocol", "@smolts/memory", "@smolts/interpreter"], thirdParty: [] },
    "@smolts/cli": {
      workspace: [
        "@smolts/protocol",
        "@smolts/core",
        "@smolts/memory",
        "@smolts/interpreter",
        "@smolts/models",
        "@smolts/tools",
      ],
      thirdParty: ["commander", "get-east-asian-width", "sugar-high"],
    },
    smolts: {
      // It passes on the optional peers of its dependencies, for package managers that look no
      // further than the parent.
      workspace: [
        "@smolts/protocol",
        "@smolts/core",
        "@smolts/memory",
        "@smolts/interpreter",
        "@smolts/models",
        "@smolts/tools",
        "@smolts/cli",
      ],
      thirdParty: ["@langchain/core", "@gradio/client", "zod-to-json-schema", "unpdf"],
    },
  },
  layers: {
    "@smolts/core": [
      "session",
      "run-loop.ts",
      "agent",
      "step",
      "acting",
      "tool-calls",
      "observation",
      "run",
      "prompts",
      "tools",
      "parsing",
      "languages",
      "media",
      "defaults.ts",
      "invalid-option.ts",
    ],
    "@smolts/interpreter": [
      "session",
      "program",
      "modules",
      "diagnostics",
      "boundary.ts",
      "compile",
      "typescript",
      "analyse",
      "parse.ts",
      "nesting.ts",
      "scope-names.ts",
      "reading-steps.ts",
      "cpu-time.ts",
      "realm",
      "print",
      "operations",
      "slots",
      "jobs.ts",
      "function-object.ts",
      "nesting-breach.ts",
      "guest-throw.ts",
      "guest-value.ts",
      "completion.ts",
      "bindings.ts",
      "frame.ts",
      "surroundings.ts",
      "interpreter-limits.ts",
      "limits.ts",
      "stack-room.ts",
    ],
  },
  lazy: [
    {
      from: "@smolts/tools",
      file: /^packages\/tools\/src\/toolbox\/javascript-interpreter\.ts$/,
      package: "@smolts/interpreter",
    },
    {
      // Patterns of strangers are run by the interpreter's matcher, which counts its steps.
      from: "@smolts/tools",
      file: /^packages\/tools\/src\/input\/matched-patterns\.ts$/,
      package: "@smolts/interpreter",
    },
  ],
  node: [
    /^packages\/cli\/src\//,
    // The scripted model server, behind `@smolts/testing/server`.
    /^packages\/testing\/src\/(model-server|server)\.ts$/,
    // The server that stands for E2B, behind `@smolts/testing/e2b`: its sandboxes are processes.
    /^packages\/testing\/src\/e2b(-server)?\.ts$/,
    // Its door for browsers is `@smolts/executor-worker/web`.
    /^packages\/executor-worker\/src\/index\.ts$/,
    /^packages\/executor-docker\/src\//,
    // Agents come from folders, and are kept in them.
    /^packages\/hub\/src\//,
    /^packages\/executor-quickjs\/src\/index\.ts$/,
    // Its door for browsers is `@smolts/executor-pyodide/web`.
    /^packages\/executor-pyodide\/src\/index\.ts$/,
    /\.node\.ts$/,
  ],
  process: [
    // The PATH of the processes that stand for sandboxes.
    /^packages\/testing\/src\/e2b-server\.ts$/,
    // Where the daemon is (DOCKER_HOST), and which process a container belongs to.
    /^packages\/executor-docker\/src\//,
    // Where the address is printed, and Enter asks for another one.
    /^packages\/ui\/src\/server\/serve\.node\.ts$/,
    // The streams over which an editor talks to it.
    /^packages\/serve\/src\/acp\/acp-agent\.node\.ts$/,
    // Standard error, for failures that clients are not told of.
    /^packages\/serve\/src\/serve-http\.node\.ts$/,
    /^packages\/models\/src\//,
    /^packages\/model-[a-z0-9-]+\/src\//,
    /^packages\/tools\/src\/toolbox\//,
    // Asks only whether this is Node.
    /^packages\/tools\/src\/guarded-fetch\/guarded-fetch\.ts$/,
    // Read only how large the heap is, and how long the processor worked.
    /^packages\/interpreter\/src\/session\/host-(?:heap|cpu)\.ts$/,
    /^packages\/cli\/src\//,
  ],
  fetch: [
    /^packages\/models\/src\//,
    /^packages\/model-openai\/src\/connection\.ts$/,
    // Only to the Hub that the program named, with its token; every other address goes through the
    // guard, without it.
    /^packages\/hub\/src\/hub-fetch\.ts$/,
    // Only to the server that the program named; every other address goes through the guard.
    /^packages\/mcp\/src\/client\/server-fetch\.ts$/,
    /^packages\/tools\/src\/(guarded-fetch\/guarded-fetch\.web|toolbox\/endpoint-fetch)\.ts$/,
  ],
  console: [/^packages\/cli\/src\//],
  built: [/^packages\/tools\/src\/toolbox\/html-parser\.ts$/],
};
