// Tests our models against real software of others: pnpm test:peers [--folder where] [--install]
// [name...]. Prints the version of each piece of software, and what was tested with it. The
// software is kept outside the repository (default: .cache/smolts-peers in the home folder).
// Software that is not installed is skipped, with the reason.

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { aiSdk } from "./ai-sdk.ts";
import { aimock } from "./aimock.ts";
import { copilotKit } from "./copilot-kit.ts";
import { gradioUI } from "./gradio/gradio-ui.ts";
import { litellmProxy } from "./litellm.ts";
import { llamaServer, nodeLlamaCpp } from "./llama-cpp.ts";
import { mountedPages } from "./mounts.ts";
import type { Peer } from "./peer.ts";
import { phoenix } from "./phoenix.ts";
import { portkeyGateway } from "./portkey.ts";
import { reactPage } from "./react-page.ts";
import { aiSdkClients, litellmClient, smolagentsClient } from "./served-agent.ts";
import { useChatOfAiSdk } from "./use-chat.ts";

const peers: readonly Peer[] = [
  litellmProxy,
  portkeyGateway,
  aimock,
  aiSdk,
  llamaServer,
  nodeLlamaCpp,
  reactPage,
  useChatOfAiSdk,
  copilotKit,
  gradioUI,
  mountedPages,
  litellmClient,
  smolagentsClient,
  ...aiSdkClients,
  phoenix,
];

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      folder: { type: "string", default: join(homedir(), ".cache", "smolts-peers") },
      install: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const chosen = peers.filter(
    ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
  );
  if (values.install) for (const peer of chosen) install(peer, values.folder);
  const counts = { driven: 0, absent: 0, failed: 0 };
  for (const peer of chosen) counts[await drive(peer, values.folder)]++;
  console.log(`${counts.driven} driven, ${counts.absent} absent, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

function install(peer: Peer, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [program, ...args] of peer.install(folder)) {
    const { status } = spawnSync(program, args, { stdio: "inherit", cwd: folder });
    if (status !== 0) console.log(`${peer.name}: "${program}" ended with ${status}`);
  }
}

async function drive(peer: Peer, folder: string): Promise<"driven" | "absent" | "failed"> {
  try {
    const report = await peer.drive(folder);
    if (report.type === "absent") console.log(`skipped  ${peer.name}: ${report.reason}`);
    else console.log([`driven   ${peer.name}, version ${report.version}`, ...report.seen].join("\n           "));
    return report.type;
  } catch (error) {
    console.log(`FAILED   ${peer.name}`, error);
    return "failed";
  }
}

await main();
