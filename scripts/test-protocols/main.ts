// Tests our protocol implementations against software of others: pnpm test:protocols [--folder
// where] [--install] [--json] [part...]. The software is kept outside the repository (default:
// .cache/smolts-protocols in the home folder). Software that is not installed is skipped, with the
// reason.

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clientPeers } from "./client-peers.ts";
import { conformanceClient } from "./conformance-client.ts";
import { conformanceServer } from "./conformance-server.ts";
import { hostile, through } from "./hostile.ts";
import type { ProtocolPart } from "./part.ts";
import { serverPeers } from "./server-peers.ts";

const parts: readonly ProtocolPart[] = [
  conformanceClient,
  conformanceServer,
  hostile,
  through,
  clientPeers,
  serverPeers,
];

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      folder: { type: "string", default: join(homedir(), ".cache", "smolts-protocols") },
      install: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const { folder, json } = values;
  const say = (line: string): void => void (json ? process.stderr : process.stdout).write(`${line}\n`);
  const figures: Record<string, number | null> = {};
  let isGood = true;
  for (const part of parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    if (values.install) install(part, folder, say);
    const report = await run(part, folder);
    figures[part.name] = report.type === "done" ? report.figure : null;
    if (report.type === "absent") say(`skipped  ${part.name}: ${report.reason}`);
    else say([`${part.name}: ${report.figure}`, ...report.lines].join("\n         "));
    isGood &&= report.type === "absent" || report.isGood;
  }
  if (json) process.stdout.write(`${JSON.stringify(figures)}\n`);
  process.exitCode = isGood ? 0 : 1;
}

function install(part: ProtocolPart, folder: string, say: (line: string) => void): void {
  mkdirSync(folder, { recursive: true });
  for (const [program, ...args] of part.install(folder)) {
    const { status } = spawnSync(program, args, { stdio: ["ignore", 2, 2], cwd: folder });
    if (status !== 0) say(`${part.name}: "${program}" ended with ${status}`);
  }
}

async function run(part: ProtocolPart, folder: string): ReturnType<ProtocolPart["run"]> {
  try {
    return await part.run(folder);
  } catch (error) {
    return { type: "done", figure: 0, isGood: false, lines: [String(error)] };
  }
}

await main();
