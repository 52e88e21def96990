// A run whose process dies in the middle. The process kills itself right after a payment, before
// the payment is recorded in the log. The next process resumes the run. The resumed run does not
// repeat recorded payments, and asks a person about the one payment that may have happened. In the
// end the ledger contains each payment exactly once.
//
//   pnpm --filter @smolts/demos crash-and-resume

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileStore } from "@smolts/memory/files";
import { CodeAgent, type Model, tool } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { partOfDemo, playInAnotherProcess } from "./another-process.ts";
import { runDemo, type Script } from "./demo-model.ts";

/** Options of the demo. */
export interface CrashOptions {
  readonly model: Model;
  /** The folder that holds the runs and the ledger. */
  readonly folder: string;
  /** Called right after each payment, before its result is recorded. */
  readonly afterPayment?: (to: string) => void;
  readonly level?: PrintLevel;
}

const runId = "pay-bills";

/** The payments that were made, in order. */
export const ledger = (folder: string): readonly string[] => {
  const file = join(folder, "ledger");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
};

/** Begins the run, or resumes it after its process has died. */
export async function payBills({
  model,
  folder,
  afterPayment = () => {},
  level = "info",
}: CrashOptions): Promise<unknown> {
  const store = fileStore(join(folder, "runs"), { key: "a key for this demo, not a secret" });
  const pay = tool({
    name: "pay",
    description: "Pays a bill.",
    input: { to: "string", amount: "number — in euros" },
    output: "string",
    effects: "once",
    execute: ({ to, amount }) => {
      appendFileSync(join(folder, "ledger"), `${to} ${amount}\n`);
      afterPayment(to);
      return `paid ${amount} to ${to}`;
    },
  });
  const agent = new CodeAgent({
    model,
    tools: [pay],
    store,
    // A person decides about a call that may already have happened. This "person" looks into the
    // ledger.
    approve: ({ input }) => {
      // The cast is safe: this is the input of the tool `pay`.
      const { to, amount } = input as { readonly to: string; readonly amount: number };
      const happened = ledger(folder).includes(`${to} ${amount}`);
      return happened ? { type: "happened", output: `paid ${amount} to ${to}` } : { type: "again" };
    },
  });
  const isBegun = (await store.find(runId)) !== null;
  return await printRun(isBegun ? agent.resume(runId) : agent.run("Pay the bills.", { runId }), { level });
}

/**
 * The replies of the scripted model. The length of the conversation decides which reply is sent, so
 * that a second process continues where the first one died.
 */
const replies: readonly string[] = [
  `I pay all three.
<code>
const receipts = [];
for (const [to, amount] of [["baker", 12], ["miller", 30], ["farmer", 7]]) receipts.push(await pay({ to, amount }));
print(receipts);
</code>`,
  `<code>
finalAnswer(receipts.length + " bills are paid");
</code>`,
];

export const script: Script = replies.map(() => ({ body }) => {
  const said = body.messages.filter(({ role }) => role === "assistant").length;
  return replies[said] ?? "";
});

await runDemo(import.meta.url, script, async (model) => {
  const part = partOfDemo();
  if (part) {
    const afterPayment = (to: string): void => {
      if (part.name === "crash" && to === "miller") process.kill(process.pid, "SIGKILL");
    };
    return void (await payBills({ model, folder: part.folder, afterPayment }));
  }
  const folder = await mkdtemp(join(tmpdir(), "smolts-crash-"));
  try {
    const { signal } = await playInAnotherProcess(import.meta.url, "crash", folder);
    console.log(`\nThe process was killed by ${signal}. Ledger:`, ledger(folder), "\n");
    await playInAnotherProcess(import.meta.url, "resume", folder);
    console.log("\nLedger:", ledger(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
