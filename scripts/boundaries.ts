// Defines which packages may depend on each other. `check-boundaries.ts` checks the repository
// against these rules, and ARCHITECTURE.md has a picture of them. For a new package, add one row.

/**
 * The dependencies that one package may have at run time. Tests (`devDependencies`) may import
 * anything.
 */
export interface PackageRule {
  /** Allowed packages of this workspace. */
  readonly workspace: readonly string[];
  /** Allowed packages from outside the workspace. */
  readonly thirdParty: readonly string[];
}

/**
 * All rules about what files may import and use. Files are matched by patterns over paths such as
 * `packages/core/src/run/run.ts`.
 */
export interface Boundaries {
  readonly packages: Readonly<Record<string, PackageRule>>;
  /**
   * The layers of a package's `src`, top first. An entry is a folder, or the name of a file beside
   * the folders. A layer may import only layers below it. Everything that is not listed is above
   * all layers. Types may be imported in both directions.
   */
  readonly layers: Readonly<Record<string, readonly string[]>>;
  /** Packages that a file may import only by `import()`, when they are first used. */
  readonly lazy: readonly { readonly from: string; readonly file: RegExp; readonly package: string }[];
  /**
   * Files that may import `node:` modules. All other files may load such modules only by
   * `import()`, when they are first used.
   */
  readonly node: readonly RegExp[];
  /** Files that may read `process`, for example an environment variable that contains a key. */
  readonly process: readonly RegExp[];
  /**
   * Files that may call the global `fetch`. All other files must use a function that checks the
   * address.
   */
  readonly fetch: readonly RegExp[];
  /** Files that may use `console`. */
  readonly console: readonly RegExp[];
  /**
   * Files that may import any library: `pnpm build` copies those libraries into the package, so the
   * package does not depend on them.
   */
  readonly built: readonly RegExp[];
}

/** The rules of this repository. */
export const boundaries: Boundaries = {
  packages: {
    "@smolts/protocol": { workspace: [], thirdParty: [] },
    "@smolts/memory": { workspace: ["@smolts/protocol"], thirdParty: [] },
    // The user installs the database's driver, and passes it in.
    "@smolts/store-sql": { workspace: ["@smolts/protocol", "@smolts/memory"], thirdParty: [] },
    "@smolts/models": { workspace: ["@smolts/protocol"], thirdParty: ["eventsource-parser"] },
    "@smolts/model-openai": { workspace: ["@smolts/protocol", "@smolts/models"], thirdParty: ["openai"] },
    "@smolts/model-ai-sdk": { workspace: ["@smolts/protocol", "@smolts/models"], thirdParty: [] },
    // The user passes the library in, or it is imported lazily. The library is half a gigabyte, so
    // it is not installed here.
    "@smolts/model-transformers": { workspace: ["@smolts/protocol", "@smolts/models"], thirdParty: [] },
    "@smolts/tools": {
      workspace: ["@smolts/protocol"],
      thirdParty: [
        "@cfworker/json-schema",
        // Loaded at the first call of `guardedFetch`, which needs it.
        "undici",
        "ipaddr.js",
        // A peer dependency for PDFs: the user installs it.
        "unpdf",
        "minisearch",
        // Optional peer dependencies, one for each bridge. A user of a bridge has already installed
        // the package that the bridge connects to.
        "@langchain/core",
        "@gradio/client",
        "zod-to-json-schema",
      ],
    },
    "@smolts/mcp": {
      // Code mode needs core to declare and search the tools, and the interpreter to run the code.
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
    // The compiler is a peer dependency that the user installs. It is loaded at the first check.
    "@smolts/typecheck": { workspace: ["@smolts/protocol"], thirdParty: ["typescript"] },
    "@smolts/testing": { workspace: ["@smolts/protocol"], thirdParty: [] },
    // The user passes agents in, so this package does not depend on core.
    "@smolts/eval": { workspace: ["@smolts/protocol", "@smolts/memory"], thirdParty: ["@cfworker/json-schema"] },
    "@smolts/hub": {
      workspace: ["@smolts/protocol", "@smolts/core", "@smolts/models", "@smolts/tools"],
      thirdParty: ["@huggingface/hub"],
    },
    "@smolts/streams": { workspace: ["@smolts/protocol"], thirdParty: [] },
    // The libraries of the web page are bundled into its script. The page's server needs hono.
    // React is a peer dependency, for users of `@smolts/ui/react`.
    "@smolts/ui": {
      workspace: ["@smolts/protocol", "@smolts/memory"],
      thirdParty: ["hono", "@hono/node-server", "react"],
    },
    // The user installs the SDK and the exporter. This package needs only their interface.
    "@smolts/otel": { workspace: ["@smolts/protocol"], thirdParty: ["@opentelemetry/api"] },
    // The user passes agents in, so this package does not depend on core. The tools that clients
    // send are made by `tool()`, so that their schemas are checked like all others.
    "@smolts/serve": {
      workspace: ["@smolts/protocol", "@smolts/memory", "@smolts/streams", "@smolts/tools"],
      // zod is a peer dependency of the SDK.
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
      // This package repeats the optional peer dependencies of its dependencies, because some
      // package managers look for them only here.
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
      "shown-value.ts",
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
      "pattern-literals.ts",
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
      "completion.ts",
      "bindings.ts",
      "frame.ts",
      "surroundings.ts",
      "interpreter-limits.ts",
      "limits.ts",
      "long-lists.ts",
      "guest-value.ts",
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
      // Regular expressions from strangers are run by the interpreter's own matcher, which counts
      // its steps.
      from: "@smolts/tools",
      file: /^packages\/tools\/src\/input\/matched-patterns\.ts$/,
      package: "@smolts/interpreter",
    },
  ],
  node: [
    /^packages\/cli\/src\//,
    // The scripted model server, exported as `@smolts/testing/server`.
    /^packages\/testing\/src\/(model-server|server)\.ts$/,
    // The server that replaces E2B in tests, exported as `@smolts/testing/e2b`. Its sandboxes are
    // processes.
    /^packages\/testing\/src\/e2b(-server)?\.ts$/,
    // Browsers use `@smolts/executor-worker/web` instead.
    /^packages\/executor-worker\/src\/index\.ts$/,
    /^packages\/executor-docker\/src\//,
    // Uses the file system, because agents are saved in folders and loaded from them.
    /^packages\/hub\/src\//,
    /^packages\/executor-quickjs\/src\/index\.ts$/,
    // Browsers use `@smolts/executor-pyodide/web` instead.
    /^packages\/executor-pyodide\/src\/index\.ts$/,
    /\.node\.ts$/,
  ],
  process: [
    // Reads PATH for the processes that replace sandboxes.
    /^packages\/testing\/src\/e2b-server\.ts$/,
    // Reads DOCKER_HOST, and the id of the process to which a container belongs.
    /^packages\/executor-docker\/src\//,
    // Prints the address, and a new address when a person presses Enter in the terminal.
    /^packages\/ui\/src\/server\/serve\.node\.ts$/,
    // Uses the streams through which an editor talks to the agent.
    /^packages\/serve\/src\/acp\/acp-agent\.node\.ts$/,
    // Prints to standard error the errors that clients do not see.
    /^packages\/serve\/src\/serve-http\.node\.ts$/,
    /^packages\/models\/src\//,
    /^packages\/model-[a-z0-9-]+\/src\//,
    /^packages\/tools\/src\/toolbox\//,
    // Only checks whether this is Node.
    /^packages\/tools\/src\/guarded-fetch\/guarded-fetch\.ts$/,
    // Reads only the size of the heap and the processor time.
    /^packages\/interpreter\/src\/session\/host-(?:heap|cpu)\.ts$/,
    /^packages\/cli\/src\//,
  ],
  fetch: [
    /^packages\/models\/src\//,
    /^packages\/model-openai\/src\/connection\.ts$/,
    // Sends requests with the Hub's token, but only to the Hub that the program named. Requests to
    // all other addresses have no token and use the guarded fetch.
    /^packages\/hub\/src\/hub-fetch\.ts$/,
    // Fetches only from the server that the program named. All other addresses use the guarded
    // fetch.
    /^packages\/mcp\/src\/client\/server-fetch\.ts$/,
    /^packages\/tools\/src\/(guarded-fetch\/guarded-fetch\.web|toolbox\/endpoint-fetch)\.ts$/,
  ],
  console: [/^packages\/cli\/src\//],
  built: [/^packages\/tools\/src\/toolbox\/html-parser\.ts$/],
};
