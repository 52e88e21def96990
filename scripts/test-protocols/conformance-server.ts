// Runs the server suite of `@modelcontextprotocol/conformance` against `serveMcp`.

import { existsSync } from "node:fs";
import { installSuite, newerNode, outputOf, type ProtocolPart, startServer, suiteIn } from "./part.ts";

/**
 * The scenarios for features of `serveMcp`: tools, their contents, progress, approvals and
 * sessions.
 */
const supported = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
] as const;

/** A scenario that the suite runs only if the command line names it. */
const alone = "json-schema-2020-12";

/** The supported scenarios that are known to fail, with the reasons. */
const expectedFailures: Readonly<Record<string, string>> = {};

/** The reasons why the other scenarios do not apply, by the beginning of their names. */
const unsupported: Readonly<Record<string, string>> = {
  "resources-": "serveMcp offers tools only",
  "prompts-": "serveMcp offers tools only",
  completion: "serveMcp offers tools only",
  logging: "deprecated since 2026-07-28, logs go to standard error",
  "tools-call-with-logging": "deprecated since 2026-07-28, logs go to standard error",
  "tools-call-sampling": "served tools use no model of the client",
  "server-sse-polling": "streams of the older protocol are not resumed",
};

/**
 * Runs the scenarios for servers. The figure is the share of supported scenarios that pass, in
 * percent.
 */
export const conformanceServer: ProtocolPart = {
  name: "conformanceServer",
  install: (folder) => [installSuite(folder)],
  run: async (folder) => {
    const suite = suiteIn(folder);
    if (!existsSync(suite)) return { type: "absent", reason: "@modelcontextprotocol/conformance is not installed" };
    const node = newerNode(folder);
    if (node === null) return { type: "absent", reason: "it needs Node 22 or newer" };
    await using server = await startServer(new URL("conformance-tools.ts", import.meta.url));
    const run = (...args: string[]) => outputOf(node, [suite, "server", "--url", server.url, ...args], { cwd: folder });
    const { output } = await run();
    const passed = new Set([...output.matchAll(/^✓ ([\w-]+):/gm)].map(([, name]) => name));
    const seen = [...output.matchAll(/^[✓✗] ([\w-]+):/gm)].map(([, name = ""]) => name);
    const { output: schemas } = await run("--scenario", alone);
    if (/Passed: (\d+)\/\1, 0 failed/.test(schemas)) passed.add(alone);
    const wanted = [...supported, alone];
    const failed = wanted.filter((name) => !passed.has(name));
    const unexpected = failed.filter((name) => !(name in expectedFailures));
    const unexplained = seen.filter((name) => !wanted.includes(name as never) && reasonFor(name) === undefined);
    return {
      type: "done",
      figure: (100 * (wanted.length - failed.length)) / wanted.length,
      isGood: unexpected.length === 0 && unexplained.length === 0,
      lines: [
        `${wanted.length - failed.length} of ${wanted.length} supported scenarios pass`,
        ...failed.map(
          (name) => `${name in expectedFailures ? "expected" : "FAILED"} ${name}: ${expectedFailures[name] ?? ""}`,
        ),
        ...unexplained.map((name) => `UNKNOWN ${name}: neither supported nor explained`),
      ],
    };
  },
};

const reasonFor = (name: string): string | undefined =>
  Object.entries(unsupported).find(([start]) => name.startsWith(start))?.[1];
