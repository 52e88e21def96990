// Approval across processes. An agent wants to send an e-mail, and a person must approve each
// e-mail. The first process ends while the e-mail waits for approval. A person approves it without
// starting an agent. A second process then sends exactly the e-mail that was approved.
//
//   pnpm --filter @smolts/demos approval
//   pnpm --filter @smolts/demos approval --model openai:gpt-5-mini

import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileStore } from "@smolts/memory/files";
import { CodeAgent, type Model, tool } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { partOfDemo, playInAnotherProcess } from "./another-process.ts";
import { runDemo, type Script } from "./demo-model.ts";

/** Options of the demo. */
export interface ApprovalOptions {
  readonly model: Model;
  /** The folder that holds the runs and the sent mails. */
  readonly folder: string;
  readonly level?: PrintLevel;
}

const runId = "thank-ann";
// The store resumes only runs that were written with this key. A real program keeps the key outside
// the store's folder.
const storeIn = (folder: string) => fileStore(join(folder, "runs"), { key: "a key for this demo, not a secret" });

function mailAgent({ model, folder }: ApprovalOptions): CodeAgent {
  const sendEmail = tool({
    name: "sendEmail",
    description: "Sends an e-mail.",
    input: { to: "string", text: "string" },
    output: "string",
    effects: "once",
    needsApproval: true,
    execute: async (mail) => {
      await appendFile(join(folder, "outbox.jsonl"), `${JSON.stringify(mail)}\n`);
      return `sent to ${mail.to}`;
    },
  });
  return new CodeAgent({ model, tools: [sendEmail], store: storeIn(folder) });
}

/** Plays the first process: begins the run, which is suspended when the mail needs approval. */
export async function begin(options: ApprovalOptions): Promise<string> {
  const run = mailAgent(options).run("Thank Ann for her report.", { runId });
  await printRun(run, { level: options.level ?? "info" }).catch(() => {});
  const { status } = await run.result;
  return status;
}

/**
 * Plays the person: approves the waiting mails, and returns their texts. Needs no agent and no
 * model.
 */
export async function decide(folder: string): Promise<readonly string[]> {
  const store = storeIn(folder);
  const seen: string[] = [];
  for (const { sessionId, runId: waiting, task } of await store.list({ status: "suspended" })) {
    await using log = await store.open(sessionId, { readonly: true });
    for await (const event of log.read()) {
      if (event.type !== "approval-request") continue;
      seen.push(`"${task}" wants ${event.name}(${JSON.stringify(event.input)})`);
      await store.decide(waiting, { id: event.callId, digest: event.digest, type: "approve", by: "Ada" });
    }
  }
  return seen;
}

/** Plays the second process: sends the mail and finishes the run. */
export async function finish(options: ApprovalOptions): Promise<unknown> {
  return await printRun(mailAgent(options).resume(runId), { level: options.level ?? "info" });
}

/** Returns the mails that were sent. */
export async function outbox(folder: string): Promise<readonly string[]> {
  return (await readFile(join(folder, "outbox.jsonl"), "utf8").catch(() => "")).split("\n").filter(Boolean);
}

/** The replies of the scripted model. */
export const script: Script = [
  `I write to Ann.
<code>
const receipt = await sendEmail({ to: "ann@example.com", text: "Thank you for the report!" });
finalAnswer(receipt);
</code>`,
];

await runDemo(import.meta.url, script, async (model) => {
  const part = partOfDemo();
  if (part?.name === "begin") return void (await begin({ model, folder: part.folder }));
  if (part?.name === "finish") return void (await finish({ model, folder: part.folder }));
  const folder = await mkdtemp(join(tmpdir(), "smolts-approval-"));
  try {
    await playInAnotherProcess(import.meta.url, "begin", folder);
    console.log("\nThe first process has ended. Mails sent:", (await outbox(folder)).length);
    for (const waiting of await decide(folder)) console.log(`Ada approves: ${waiting}\n`);
    await playInAnotherProcess(import.meta.url, "finish", folder);
    console.log("\nMails sent:", await outbox(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
