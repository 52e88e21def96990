import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { fileStore } from "@smolts/memory/files";
import { scriptedModel } from "@smolts/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { command, spawnCommand } from "./smolts-command.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-trace-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a collector that keeps the bodies of its requests. */
async function collector(status = 200) {
  const bodies: { path: string; key: string | undefined; text: string }[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("latin1");
    request.on("data", (piece: string) => (text += piece));
    request.on("end", () => {
      bodies.push({ path: request.url ?? "", key: request.headers["api_key"] as string | undefined, text });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, [Symbol.asyncDispose]: close };
}

async function storedRun(): Promise<string> {
  const store = fileStore(join(folder, "runs"));
  const agent = new CodeAgent({ store, model: scriptedModel(["<code>finalAnswer('Zanzibar')</code>"]) });
  return (await agent.run("Where?").result).runId;
}

const argvOf = (run: string, flags: readonly string[]): string[] => [
  "trace",
  run,
  ...["--store", join(folder, "runs"), "--store-key", "none"],
  ...flags,
];

const trace = (run: string, ...flags: string[]) => command(argvOf(run, flags));

/**
 * Runs the command in another process. In the process of the tests, the import conditions select
 * OpenTelemetry's builds for bundlers, which Node cannot load.
 */
const spawned = (run: string, ...flags: string[]) => spawnCommand(argvOf(run, flags)).finished;

test("smolts trace sends a stored run, and its contents only when it is told to", async () => {
  await using server = await collector();
  const run = await storedRun();
  const { exitCode, output } = await spawned(run.slice(0, 8), "--otlp", server.url, "--header", "api_key=k1");
  expect([exitCode, output]).toEqual([0, `3 spans were sent to ${server.url}\n`]);
  expect(server.bodies).toMatchObject([{ path: "/v1/traces", key: "k1" }]);
  expect(server.bodies[0]?.text).toContain("invoke_agent agent");
  expect(server.bodies[0]?.text).not.toContain("Zanzibar");
  await spawned(run, "--otlp", `${server.url}/otel/v1/traces`, "--content");
  expect(server.bodies[1]).toMatchObject({ path: "/otel/v1/traces", text: expect.stringContaining("Zanzibar") });
});

test("smolts trace says what is wrong", async () => {
  await using refusing = await collector(400);
  const run = await storedRun();
  const refused = await spawned(run, "--otlp", refusing.url);
  expect(refused.exitCode).toBe(1);
  expect(refused.errorOutput).toContain("refused the trace");
  expect((await trace(run)).errorOutput).toContain("--otlp does not name a collector");
  expect(await spawned("no-such-run", "--otlp", refusing.url)).toMatchObject({
    exitCode: 2,
    errorOutput: expect.stringContaining("no-such-run"),
  });
  const odd = join(folder, "odd.jsonl");
  await writeFile(odd, "hello");
  expect((await spawned(odd, "--otlp", refusing.url)).errorOutput).toContain("line 1");
  const absent = await spawnCommand(["trace", "x", "--otlp", refusing.url], folder).finished;
  expect(absent.exitCode).toBe(2);
  expect(absent.errorOutput).toContain("hint: install it: npm install smolts @smolts/otel @opentelemetry/api");
});

/** Writes a package into the project of the command. */
async function install(name: string, version: string, code: string): Promise<void> {
  const place = join(folder, "node_modules", name);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "package.json"), JSON.stringify({ name, version }));
  await writeFile(join(place, "index.js"), code);
}

// The real exporter repeats the request for many seconds, so this test replaces it with fake
// packages.
test("smolts trace says that no collector answers", async () => {
  const run = await storedRun();
  const tracing = "exports.runTracing = () => ({ trace: async () => {} });";
  const sdk = `exports.BasicTracerProvider = class {
    constructor({ spanProcessors: [{ onEnd }] }) { onEnd({}); }
    getTracer() {}
  };`;
  const exporter = `exports.OTLPTraceExporter = class {
    export(spans, done) {
      done({ code: 1, error: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }) });
    }
  };`;
  await install("@smolts/otel", "1.0.0", tracing);
  await install("@opentelemetry/sdk-trace-base", "2.0.0", sdk);
  await install("@opentelemetry/exporter-trace-otlp-proto", "0.200.0", exporter);
  const { exitCode, errorOutput } = await command(argvOf(run, ["--otlp", "http://localhost:1"]), { directory: folder });
  expect(exitCode).toBe(1);
  expect(errorOutput).toBe(
    "smolts: no collector answers at http://localhost:1: connect ECONNREFUSED\n" +
      "  hint: start the collector, or name its address with --otlp\n",
  );
});

const oldPackages: [versions: { sdk: string; exporter: string }, message: string][] = [
  [{ sdk: "1.30.1", exporter: "0.57.2" }, "sdk-trace-base is 1.30.1 here; smolts trace needs"],
  [{ sdk: "2.9.0", exporter: "0.57.2" }, "exporter-trace-otlp-proto is 0.57.2 here; smolts trace needs"],
];

test.each(oldPackages)("smolts trace says which OpenTelemetry it needs with %j", async ({ sdk, exporter }, message) => {
  const packages = {
    "@smolts/otel": "1.0.0",
    "@opentelemetry/sdk-trace-base": sdk,
    "@opentelemetry/exporter-trace-otlp-proto": exporter,
  };
  for (const [name, version] of Object.entries(packages)) await install(name, version, "");
  const finished = await command(["trace", "x", "--otlp", "http://localhost:1"], { directory: folder });
  expect(finished.exitCode).toBe(2);
  expect(finished.errorOutput).toContain(message);
  expect(finished.errorOutput).toContain("npm install smolts @smolts/otel");
});

test("smolts trace says why a package cannot be loaded", async () => {
  await install("@smolts/otel", "1.0.0", 'require("@opentelemetry/absent");');
  const finished = await command(["trace", "x", "--otlp", "http://localhost:1"], { directory: folder });
  expect(finished.exitCode).toBe(2);
  expect(finished.errorOutput).toContain(
    "@smolts/otel could not be loaded: Cannot find module '@opentelemetry/absent'",
  );
});
