// Runs `smolts trace`. The package for tracing, OpenTelemetry's SDK and its exporter are imported
// from the user's project when they are first needed.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseRunFile } from "@smolts/memory";
import { AgentError, type DurableEvent, invalidOption, redact, thrownText } from "@smolts/protocol";
import { exitCodes } from "./exit-code.ts";
import { importPackage, versionOfPackage } from "./import-package.ts";
import type { CommandContext } from "./run-command.ts";
import type { TraceArguments } from "./trace-arguments.ts";

/** The parts of the packages that the command uses. */
interface TracePackages {
  readonly "@smolts/otel": {
    runTracing(options: object): { trace(events: readonly DurableEvent[]): Promise<void> };
  };
  readonly "@opentelemetry/sdk-trace-base": {
    readonly BasicTracerProvider: new (options: object) => { getTracer(name: string): object };
  };
  readonly "@opentelemetry/exporter-trace-otlp-proto": {
    readonly OTLPTraceExporter: new (options: object) => Exporter;
  };
}

interface Exporter {
  export(spans: readonly object[], done: (result: { readonly code: number; readonly error?: Error }) => void): void;
  shutdown(): Promise<void>;
}

const install =
  "npm install smolts @smolts/otel @opentelemetry/api@1.9 @opentelemetry/sdk-trace-base@2 @opentelemetry/exporter-trace-otlp-proto@0.223";
/** The oldest versions of these packages that work together, as major and minor number. */
const oldestVersions = {
  "@opentelemetry/sdk-trace-base": [2, 0],
  "@opentelemetry/exporter-trace-otlp-proto": [0, 200],
} as const;
const timeoutMillis = 30_000;
/** The number of spans in one request. */
const batchSize = 500;

/**
 * Sends a run as a trace, and returns the exit code.
 *
 * @throws AgentError `invalid-option` for a missing run, or a package that is missing or too old;
 *   `log` for a damaged file; `tool-execution` when the collector refuses the trace or does not
 *   answer
 */
export async function traceCommand(given: TraceArguments, context: CommandContext): Promise<number> {
  const { directory, output } = context;
  const load = <Name extends keyof TracePackages>(name: Name): Promise<TracePackages[Name]> =>
    // The cast is safe: the packages export these functions.
    importPackage(name, directory, install) as Promise<TracePackages[Name]>;
  const { runTracing } = await load("@smolts/otel");
  const { BasicTracerProvider } = await load("@opentelemetry/sdk-trace-base");
  const { OTLPTraceExporter } = await load("@opentelemetry/exporter-trace-otlp-proto");
  await mustBeNewEnough(directory);
  const events = await eventsOf(given, context);
  const spans: object[] = [];
  const collect = {
    onStart() {},
    onEnd: (span: object) => void spans.push(span),
    async forceFlush() {},
    async shutdown() {},
  };
  const tracer = new BasicTracerProvider({ spanProcessors: [collect] }).getTracer("smolts");
  await runTracing({ tracer, meter: null, content: given.hasContent }).trace(events);
  const exporter = new OTLPTraceExporter({ url: tracesUrl(given.otlp), headers: headersOf(given), timeoutMillis });
  for (let from = 0; from < spans.length; from += batchSize) {
    await send(exporter, spans.slice(from, from + batchSize), given.otlp);
  }
  // Ignore errors here, because the collector has already received all spans.
  await exporter.shutdown().catch(() => {});
  output.write(`${spans.length} spans were sent to ${new URL(given.otlp).origin}\n`);
  return exitCodes.success;
}

/**
 * Refuses versions that are too old, because they lose spans silently or fail in the middle of a
 * trace.
 */
async function mustBeNewEnough(directory: string): Promise<void> {
  for (const [name, [oldestMajor, oldestMinor]] of Object.entries(oldestVersions)) {
    const version = await versionOfPackage(name, directory);
    const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? "") ?? [];
    const isOld = Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor);
    if (!isOld) continue;
    throw invalidOption(
      `${name} is ${version} here; smolts trace needs OpenTelemetry's SDK 2 and an exporter from 0.200 on`,
      `install them: ${install}`,
    );
  }
}

async function eventsOf(given: TraceArguments, context: CommandContext): Promise<readonly DurableEvent[]> {
  const text = await readFile(resolve(context.directory, given.run), "utf8").catch(() => null);
  if (text !== null) return parseRunFile(text).events;
  const place = given.store ?? context.environment["SMOLTS_STORE"];
  if (place === undefined) {
    throw invalidOption(
      `"${given.run}" is not a run file, and no store is given`,
      "write --store <folder>, or set the variable SMOLTS_STORE",
    );
  }
  const { openStore } = await import("./store/open-store.ts");
  const { findRun } = await import("./store/stored-run.ts");
  await using opened = await openStore({ store: place, keyFile: given.keyFile }, context);
  const { events, runId } = await findRun(opened.store, given.run);
  return ofRun(events, runId);
}

/**
 * Returns the events of one run of a session. Events of managed agents are included: they are
 * between the run's own events.
 */
function ofRun(events: readonly DurableEvent[], runId: string): readonly DurableEvent[] {
  let isIn = false;
  return events.filter((event) => {
    if (event.path.length === 1) isIn = event.runId === runId;
    return isIn;
  });
}

async function send(exporter: Exporter, spans: readonly object[], otlp: string): Promise<void> {
  const failure = await new Promise<unknown>((done) => {
    exporter.export(spans, ({ code, error }) => done(code === 0 ? null : (error ?? "it gave no reason")));
  }).catch((error: unknown) => error);
  if (failure === null) return;
  const { origin } = new URL(otlp);
  const reason = redact(thrownText(failure));
  if (!isUnreachable(failure)) {
    throw new AgentError("tool-execution", `the collector at ${origin} refused the trace: ${reason}`);
  }
  throw new AgentError("tool-execution", `no collector answers at ${origin}: ${reason}`, {
    hint: "start the collector, or name its address with --otlp",
  });
}

/** Says whether the network failed. Such errors of Node have a code such as `ECONNREFUSED`. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^E[A-Z_]+$/.test(String(error.code));

/** Adds the standard path for traces if the collector's address has no path. */
function tracesUrl(otlp: string): string {
  const url = new URL(otlp);
  return /^\/?$/.test(url.pathname) ? new URL("/v1/traces", url).href : url.href;
}

const headersOf = ({ headers }: TraceArguments): Readonly<Record<string, string>> =>
  Object.fromEntries(
    headers.map((header) => [header.slice(0, header.indexOf("=")), header.slice(header.indexOf("=") + 1)]),
  );
