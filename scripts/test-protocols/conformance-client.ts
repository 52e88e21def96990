// The conformance suite of the protocol against our client: for each scenario it starts a server, and `driven-client.ts` with its address.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installSuite, newerNode, outputOf, type ProtocolPart, sourceFlags, suiteIn } from "./part.ts";

/** Scenarios of what the client does not offer, with the reason. */
const unsupported: Readonly<Record<string, string>> = {
  "auth/client-credentials-jwt": "an extension: machines that sign in without a person",
  "auth/client-credentials-basic": "an extension: machines that sign in without a person",
  "auth/cross-app-access-complete-flow": "an extension: signing in through a company's identity provider",
};

/** Scenarios of what it offers that fail all the same, with the reason. */
const expectedFailures: Readonly<Record<string, string>> = {
  "auth/2025-03-26-oauth-metadata-backcompat":
    "its metadata names another issuer than the one that was asked, which RFC 8414 forbids and the SDK refuses",
};

/** The client's scenarios. */
export const conformanceClient: ProtocolPart = {
  name: "conformanceClient",
  install: (folder) => [installSuite(folder)],
  run: async (folder) => {
    const suite = suiteIn(folder);
    if (!existsSync(suite)) return { type: "absent", reason: "@modelcontextprotocol/conformance is not there" };
    const node = newerNode(folder);
    if (node === null) return { type: "absent", reason: "it needs Node 22 or newer" };
    const { output } = await outputOf(node, [suite, "list"]);
    const all = [...(output.split("Client scenarios")[1] ?? "").matchAll(/^ {2}- (\S+)/gm)].map(
      ([, name = ""]) => name,
    );
    const wanted = all.filter((name) => !(name in unsupported));
    if (wanted.length === 0) throw new Error("the suite lists no scenarios of clients");
    const failed = await failures(wanted, (name) => passes(node, suite, name));
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

const atOnce = 4;

/** The names that do not pass, in their order. Each has its own server and its own process. */
async function failures(names: readonly string[], passes: (name: string) => Promise<boolean>): Promise<string[]> {
  const failed: string[] = [];
  const left = [...names];
  const work = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) if (!(await passes(name))) failed.push(name);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return names.filter((name) => failed.includes(name));
}

const client = fileURLToPath(new URL("./driven-client.ts", import.meta.url));

async function passes(node: string, suite: string, scenario: string): Promise<boolean> {
  const results = mkdtempSync(join(tmpdir(), "smolts-conformance-"));
  const command = [process.execPath, ...sourceFlags, client].join(" ");
  const argv = [suite, "client", "--command", command, "--scenario", scenario, "--output-dir", results];
  const { exitCode } = await outputOf(node, argv);
  rmSync(results, { recursive: true, force: true });
  return exitCode === 0;
}
