// Tests our web page inside the servers of other projects, as the guide "The web page" shows. In
// Chromium, a visitor logs in, asks, reloads and sees the run.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { ask, noChromium, startBrowser, untilEnded, visitor } from "../../packages/ui/test/browser/browser.ts";
import { absent, type Command, npmVersion, type Peer } from "./peer.ts";
import { type Program, startProgram } from "./program.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const password = "a long password of a test";

/** A server: the files of its project, and the command that starts it. */
interface Mount {
  readonly name: string;
  /** The package whose version is shown for this server. */
  readonly versionOf: string;
  readonly files: Readonly<Record<string, string>>;
  /** A command to run before the start, such as a build. */
  readonly prepare?: (project: string) => Command;
  start(project: string, port: number): Command;
}

const bin = (project: string, name: string): string => join(project, "node_modules", ".bin", name);

const mounts: readonly Mount[] = [
  {
    name: "Hono",
    versionOf: "hono",
    files: {
      "hono.mjs": `import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createUI } from "./ui.mjs";
const ui = createUI("/agent");
const app = new Hono().all("/agent/*", (c) => ui(c.req.raw)).get("/", (c) => c.text("mine"));
serve({ fetch: app.fetch, port: Number(process.argv[2]), hostname: "127.0.0.1" });
`,
    },
    start: (project, port) => [process.execPath, join(project, "hono.mjs"), String(port)],
  },
  {
    name: "Express",
    versionOf: "express",
    files: {
      "express.mjs": `import { getRequestListener } from "@hono/node-server";
import express from "express";
import { createUI } from "./ui.mjs";
const listener = getRequestListener(createUI("/"));
const app = express();
app.use("/agent", (req, res) => listener(req, res));
app.get("/", (req, res) => res.send("mine"));
app.listen(Number(process.argv[2]), "127.0.0.1");
`,
    },
    start: (project, port) => [process.execPath, join(project, "express.mjs"), String(port)],
  },
  {
    name: "Next",
    versionOf: "next",
    files: {
      "next.config.mjs": "export default { outputFileTracingRoot: import.meta.dirname };\n",
      "app/layout.jsx": "export default ({ children }) => <html lang='en'><body>{children}</body></html>;\n",
      "app/page.jsx": "export default () => <p>mine</p>;\n",
      "app/agent/[[...path]]/route.js": `import { createUI } from "../../../ui.mjs";
export const dynamic = "force-dynamic";
const ui = createUI("/agent");
export { ui as GET, ui as POST, ui as PATCH, ui as DELETE };
`,
    },
    prepare: (project) => [bin(project, "next"), "build", project],
    start: (project, port) => [bin(project, "next"), "start", project, "-H", "127.0.0.1", "-p", String(port)],
  },
  {
    name: "Deno",
    versionOf: "deno",
    files: {
      "deno.mjs": `import { createUI } from "./ui.mjs";
const ui = createUI("/agent");
const mine = () => new Response("mine");
Deno.serve({ port: Number(Deno.args[0]), hostname: "127.0.0.1" }, (request) => new URL(request.url).pathname === "/" ? mine() : ui(request));
`,
    },
    start: (project, port) => [bin(project, "deno"), "run", "--allow-net", join(project, "deno.mjs"), String(port)],
  },
  {
    name: "Workers, in a Durable Object",
    versionOf: "workerd",
    files: {
      "worker.mjs": `import { createUI } from "./ui.mjs";
export class Agent {
  #ui = createUI("/agent");
  fetch(request) {
    return this.#ui(request);
  }
}
export default {
  fetch: (request, env) => new URL(request.url).pathname === "/" ? new Response("mine") : env.AGENT.get(env.AGENT.idFromName("agent")).fetch(request),
};
`,
      "workerd.capnp": `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.mjs", esModule = embed "worker.mjs"), (name = "ui.mjs", esModule = embed "ui.mjs")],
    compatibilityDate = "2026-11-01",
    durableObjectNamespaces = [(className = "Agent", uniqueKey = "agent")],
    durableObjectStorage = (inMemory = void),
    bindings = [(name = "AGENT", durableObjectNamespace = "Agent")],
  ))],
  sockets = [(name = "http", http = (), service = "main")],
);
`,
    },
    start: (project, port) => [
      bin(project, "workerd"),
      "serve",
      `--socket-addr=http=127.0.0.1:${port}`,
      join(project, "workerd.capnp"),
    ],
  },
];

/** Tests `createUIHandler` in each of these servers. */
export const mountedPages: Peer = {
  name: "mounted pages: Hono, Express, Next, Deno, Workers (hono, express, next, deno, workerd of npm)",
  install: (folder) => [
    ["mkdir", "-p", projectIn(folder)],
    [
      ...(["npm", "install", "--prefix", projectIn(folder), "--no-audit", "--no-fund"] as const),
      ...["hono@4.13.19", "@hono/node-server@2.1.8", "express@5", "next@16", "react@19.3.1", "react-dom@19.3.1"],
      ...["deno@2.9.6", "workerd@1.20261117.1"],
    ],
  ],
  async drive(folder) {
    const project = projectIn(folder);
    if (noChromium) return absent(noChromium);
    if (!existsSync(join(project, "node_modules"))) return absent("it is not installed");
    await writeUI(project);
    const seen: string[] = [];
    const versions: string[] = [];
    for (const mount of mounts) {
      const version = npmVersion(project, mount.versionOf);
      if (version === null) {
        seen.push(`${mount.name} is left out: it is not installed`);
        continue;
      }
      await visit(await startMount(mount, project), mount.name);
      seen.push(`${mount.name} ${version}: logged in, asked, stopped and reloaded, next to a page of the server's own`);
      versions.push(`${mount.versionOf} ${version}`);
    }
    return { type: "driven", version: versions.join(", "), seen };
  },
};

const projectIn = (folder: string): string => join(folder, "mounts");

/**
 * Writes one file with the handler and an agent, built from the sources. It exports
 * `createUI(basePath)`.
 */
async function writeUI(project: string): Promise<void> {
  const { builtModules } = await import("../../packages/ui/scripts/built.ts");
  const built = (await builtModules())["src/server/built-client.ts"] ?? "";
  await build({
    stdin: {
      contents: `import { CodeAgent } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { createUIHandler } from "./packages/ui/src/create-ui-handler.ts";
export function createUI(basePath) {
  const model = scriptedModel(({ messages }) => JSON.stringify(messages).includes("for ever")
    ? "I wait.\\n<code>\\nprint(await hang({}));\\n</code>"
    : "I multiply.\\n<code>\\nfinalAnswer(6 * 7);\\n</code>");
  const hang = tool({
    name: "hang",
    description: "Waits until it is stopped.",
    input: {},
    output: "string",
    effects: "none",
    execute: (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
  });
  return createUIHandler(() => new CodeAgent({ model, tools: [hang] }), { basePath, auth: { password: ${JSON.stringify(password)} } });
}
`,
      resolveDir: root,
    },
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    conditions: ["@smolts/source"],
    mainFields: ["module", "main"],
    external: ["node:*"],
    outfile: join(project, "ui.mjs"),
    logLevel: "error",
    plugins: [
      {
        name: "the page as it was built",
        setup: (esbuild) => esbuild.onLoad({ filter: /built-client\.ts$/ }, () => ({ contents: built, loader: "js" })),
      },
    ],
  });
}

async function startMount({ files, prepare, start }: Mount, project: string): Promise<Program> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  if (prepare) await run(prepare(project));
  return startProgram((port) => start(project, port), "/", { NEXT_TELEMETRY_DISABLED: "1", DENO_NO_UPDATE_CHECK: "1" });
}

async function run([program, ...args]: Command): Promise<void> {
  const { execFile } = await import("node:child_process");
  const { promisify } = await import("node:util");
  await promisify(execFile)(program, args, { env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } });
}

async function visit(program: Program, name: string): Promise<void> {
  await using server = program;
  const browser = await startBrowser();
  try {
    const { page, problems, foreignRequests } = await visitor(browser);
    await page.goto(`${server.url}/agent/`);
    await page.locator(".locked input").fill(password);
    await page.locator(".locked [type=submit]").click();
    await page.locator(".composer").waitFor();
    await ask(page, "What is six times seven?");
    await untilEnded(page);
    await page.reload();
    await untilEnded(page);
    if ((await page.locator(".answer .text").textContent()) !== "42")
      throw new Error(`${name}: the page does not show the answer`);
    await ask(page, "Wait for ever.");
    await page.locator(".status .what", { hasText: "hang" }).waitFor();
    await page.locator("[data-stop]").click();
    await page.locator(".ending").waitFor();
    if ((await (await fetch(server.url)).text()).includes("mine") === false) throw new Error(`${name}: its own page`);
    // Before the password is sent there is no user, and the page answers with 401. That is not a
    // problem.
    const wrong = [...problems.filter((problem) => !problem.includes("401")), ...foreignRequests];
    if (wrong.length > 0) throw new Error(`${name}: ${wrong.join("\n")}`);
  } catch (error) {
    throw new Error(`the page in ${name}`, { cause: error });
  } finally {
    await browser.close();
  }
}
