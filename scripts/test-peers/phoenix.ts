// Tests Arize Phoenix from PyPI. A traced run is sent to it over OTLP, and read back through
// Phoenix's own API.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { CodeAgent } from "@smolts/core";
import { runTracing } from "@smolts/otel";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { absent, importFrom, npmInstall, npmVersion, type Peer } from "./peer.ts";
import { type Program, startProgram } from "./program.ts";

const exporterName = "@opentelemetry/exporter-trace-otlp-proto";

/**
 * Sends the spans of a run with two agents to Phoenix, and reads back their parents, names and
 * tokens.
 */
export const phoenix: Peer = {
  name: "Phoenix (arize-phoenix of PyPI)",
  install: (folder) => [
    ["python3", "-m", "venv", join(folder, "phoenix")],
    [join(folder, "phoenix/bin/pip"), "install", "--quiet", "arize-phoenix==20.26.1"],
    npmInstall(folder, [`${exporterName}@0.223.1`]),
  ],
  async drive(folder) {
    if (!existsSync(programIn(folder))) return absent("it is not installed");
    if (npmVersion(folder, exporterName) === null) return absent(`${exporterName} is not installed`);
    const version = execFileSync(
      join(folder, "phoenix/bin/python"),
      ["-c", "from importlib.metadata import version; print(version('arize-phoenix'))"],
      { encoding: "utf8" },
    ).trim();
    await using server = await startPhoenix(folder);
    await traceTo(server.url, folder);
    const spans = await waitForSpans(server.url);
    return { type: "driven", version, seen: [check(spans), ...treeOf(spans, null, "")] };
  },
};

const programIn = (folder: string): string => join(folder, "phoenix/bin/phoenix");

/** Starts Phoenix with a new database. */
export async function startPhoenix(folder: string): Promise<Program> {
  const grpcPort = await freePort();
  const environment = {
    PHOENIX_HOST: "127.0.0.1",
    PHOENIX_GRPC_PORT: String(grpcPort),
    PHOENIX_WORKING_DIR: mkdtempSync(join(tmpdir(), "smolts-phoenix-")),
    PHOENIX_TELEMETRY_ENABLED: "false",
    PHOENIX_ALLOW_EXTERNAL_RESOURCES: "false",
  };
  // Phoenix reads its port from a variable. `env` sets the variable within the command.
  return startProgram((port) => ["env", `PHOENIX_PORT=${port}`, programIn(folder), "serve"], "/healthz", environment);
}

/** Runs a manager and its helper, and sends the trace of the run. */
export async function traceTo(url: string, folder: string): Promise<void> {
  // The cast is safe: the types are those of the exporter's documentation.
  const { OTLPTraceExporter } = (await importFrom(folder, exporterName)) as unknown as {
    readonly OTLPTraceExporter: new (options: { readonly url: string }) => SpanExporter;
  };
  const provider = new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }))],
  });
  const tracing = runTracing({ tracer: provider.getTracer("smolts"), meter: null, content: true });
  const run = manager().run("What do three teas cost?");
  const traced = tracing.trace(run);
  if ((await run) !== "Three teas cost 12 euros.") throw new Error("the run had another result");
  await traced;
  await provider.forceFlush();
  await provider.shutdown();
}

function manager(): CodeAgent {
  const priceOf = tool({
    name: "priceOf",
    description: "The price of an item, in euros.",
    input: { item: "string" },
    output: "number",
    effects: "none",
    execute: () => 4,
  });
  const helper = new CodeAgent({
    name: "helper",
    description: "Knows prices.",
    tools: [priceOf],
    model: scriptedModel(['I look.\n<code>\nfinalAnswer(await priceOf({ item: "tea" }));\n</code>']),
  });
  return new CodeAgent({
    name: "manager",
    managedAgents: [helper],
    planningInterval: 5,
    model: scriptedModel([
      "Facts: none yet.\nPlan: ask the helper, then multiply.\n<end_plan>",
      'I ask.\n<code>\nconst price = await helper({ task: "What does a tea cost?" });\nprint(price);\n</code>',
      "I multiply.\n<code>\nfinalAnswer(`Three teas cost ${3 * 4} euros.`);\n</code>",
    ]),
  });
}

/** A span in the format of Phoenix's REST API. */
interface ShownSpan {
  readonly name: string;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly parent_id: string | null;
  readonly status_code: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const expectedTree = [
  "invoke_agent manager",
  "  plan manager",
  "    chat model",
  "  chat model",
  "  execute_tool runCode",
  "    execute_tool helper",
  "      invoke_agent helper",
  "        chat model",
  "        execute_tool runCode",
  "          execute_tool priceOf",
  "  chat model",
  "  execute_tool runCode",
];

/** Waits until all spans have arrived. */
export async function waitForSpans(url: string): Promise<readonly ShownSpan[]> {
  // Phoenix accepts spans immediately, but stores them a little later.
  for (let count = 0; count < 120; count++) {
    const response = await fetch(`${url}/v1/projects/default/spans?limit=100`);
    const { data = [] } = (await response.json()) as { readonly data?: readonly ShownSpan[] };
    if (data.length >= expectedTree.length) return data;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("Phoenix did not show the spans within a minute");
}

function check(spans: readonly ShownSpan[]): string {
  const tree = treeOf(spans, null, "");
  if (tree.join("\n") !== expectedTree.join("\n")) throw new Error(`another tree:\n${tree.join("\n")}`);
  if (new Set(spans.map(({ context }) => context.trace_id)).size !== 1) throw new Error("more than one trace");
  const failed = spans.filter(({ status_code: status }) => status === "ERROR");
  if (failed.length > 0) throw new Error(`failed: ${failed.map(({ name }) => name).join()}`);
  const chats = spans.filter(({ name }) => name.startsWith("chat "));
  const tokens = chats.map(({ attributes }) => attributes["gen_ai.usage.input_tokens"]);
  if (tokens.some((count) => typeof count !== "number" || count <= 0)) throw new Error(`tokens: ${tokens.join()}`);
  return `${spans.length} spans in one trace, ${chats.length} model calls with ${tokens.join(" + ")} input tokens`;
}

function treeOf(spans: readonly ShownSpan[], parent: string | null, indent: string): readonly string[] {
  return spans
    .filter(({ parent_id: id }) => id === parent)
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .flatMap((span) => [`${indent}${span.name}`, ...treeOf(spans, span.context.span_id, `${indent}  `)]);
}

const orderOf = (span: ShownSpan): number =>
  Date.parse((span as unknown as { readonly start_time: string }).start_time);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number }; // safe cast: the server listens on a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}
