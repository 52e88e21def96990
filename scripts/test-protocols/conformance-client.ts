// Runs MCP's conformance suite against our client. For each scenario, the suite starts a server,
// and then `driven-client.ts` with the server's address.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { installSuite, newerNode, outputOf, type ProtocolPart, suiteIn } from "./part.ts";

/** The scenarios for features that the client does not have, with the reasons. */
const unsupported: Readonly<Record<string, string>> = {
  "auth/client-credentials-jwt": "an extension: machines that sign in without a person",
  "auth/client-credentials-basic": "an extension: machines that sign in without a person",
  "auth/cross-app-access-complete-flow": "an extension: signing in through a company's identity provider",
};

/** The scenarios for supported features that are known to fail, with the reasons. */
const expectedFailures: Readonly<Record<string, string>> = {
  "auth/2025-03-26-oauth-metadata-backcompat":
    "its metadata names another issuer than the one that was asked, which RFC 8414 forbids and the SDK refuses",
};

/**
 * The scenarios that measure how long the client waits. They also fail if the machine is busy for
 * half a second, so each of them may be tried a few times. A client that waits wrongly fails each
 * time.
 */
const timedScenarios: readonly string[] = ["sse-retry"];
const triesOfTimed = 5;

/** Runs the scenarios for clients. */
export const conformanceClient: ProtocolPart = {
  name: "conformanceClient",
  install: (folder) => [installSuite(folder)],
  run: async (folder) => {
    const suite = suiteIn(folder);
    if (!existsSync(suite)) return { type: "absent", reason: "@modelcontextprotocol/conformance is not installed" };
    const node = newerNode(folder);
    if (node === null) return { type: "absent", reason: "it needs Node 22 or newer" };
    const { output } = await outputOf(node, [suite, "list"]);
    const all = [...(output.split("Client scenarios")[1] ?? "").matchAll(/^ {2}- (\S+)/gm)].map(
      ([, name = ""]) => name,
    );
    const wanted = all.filter((name) => !(name in unsupported));
    if (wanted.length === 0) throw new Error("the suite lists no scenarios of clients");
    const work = mkdtempSync(join(tmpdir(), "smolts-conformance-"));
    await bundleClient(join(work, "client.mjs"));
    const failed = await failures(wanted, (name) => passesInTries([node, suite], name, work));
    rmSync(work, { recursive: true, force: true });
    return {
      type: "done",
      figure: Math.round((1_000 * (wanted.length - failed.length)) / wanted.length) / 10,
      isGood: failed.every((name) => name in expectedFailures),
      lines: [
        `${wanted.length - failed.length} of ${wanted.length} supported scenarios pass`,
        ...failed.map(
          (name) => `${name in expectedFailures ? "expected" : "FAILED"} ${name}: ${expectedFailures[name] ?? ""}`,
        ),
      ],
    };
  },
};

const atOnce = 2;

/**
 * Returns the names of the scenarios that do not pass, in their original order. Each scenario has
 * its own server and its own process.
 */
async function failures(names: readonly string[], passes: (name: string) => Promise<boolean>): Promise<string[]> {
  const failed: string[] = [];
  const left = [...names];
  const work = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) if (!(await passes(name))) failed.push(name);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return names.filter((name) => failed.includes(name));
}

/**
 * Bundles the client to one file, because every scenario starts the client. The bundle starts
 * several times as fast as the sources.
 */
async function bundleClient(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL("./driven-client.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    conditions: ["@smolts/source"],
    // Parts of the bundle are CommonJS modules, which need `require`.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
}

/**
 * The time limit of a scenario, in ms. It is only for scenarios that hang. The suite's own limit of
 * 30 s is too short for a busy machine.
 */
const timeoutMs = 120_000;

async function passesInTries(
  command: readonly [node: string, suite: string],
  scenario: string,
  work: string,
): Promise<boolean> {
  const tries = timedScenarios.includes(scenario) ? triesOfTimed : 1;
  for (let tried = 0; tried < tries; tried++) if (await passes(command, scenario, work)) return true;
  return false;
}

async function passes(
  [node, suite]: readonly [node: string, suite: string],
  scenario: string,
  work: string,
): Promise<boolean> {
  const command = `${process.execPath} ${join(work, "client.mjs")}`;
  const argv = [suite, "client", "--command", command, "--scenario", scenario];
  const { exitCode } = await outputOf(node, [
    ...argv,
    "--timeout",
    `${timeoutMs}`,
    "--output-dir",
    join(work, scenario.replaceAll("/", "-")),
  ]);
  return exitCode === 0;
}
