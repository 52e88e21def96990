// One process of an evaluation. The process begins or continues the evaluation, and kills itself at
// a given boundary (a numbered place in the run).
//
//   node evaluation.mjs - <evaluation id> <ledger file> <store> [kill at boundary]

import { appendFileSync, fsyncSync, openSync } from "node:fs";
import { CodeAgent } from "@smolts/core";
import { contains, evaluate } from "@smolts/eval";
import { type Tool, textOf } from "@smolts/protocol";
import { tool } from "@smolts/tools";
import { evaluatedCases } from "./evaluated-cases.ts";
import { openStore } from "./open-store.ts";
import type { LedgerEntry } from "./scenarios.ts";
import { withBoundaries } from "./store-boundaries.ts";

const [, , , id = "", ledgerFile = "", place = "", killAt = "0"] = process.argv;

let boundaries = 0;
function boundary(): void {
  boundaries += 1;
  if (boundaries === Number(killAt)) process.kill(process.pid, "SIGKILL");
}

const ledgerHandle = openSync(ledgerFile, "a");
function note(entry: LedgerEntry): void {
  boundary();
  appendFileSync(ledgerHandle, `${JSON.stringify(entry)}\n`);
  fsyncSync(ledgerHandle);
  boundary();
}

const pay = (name: "once" | "idempotent"): Tool =>
  tool({
    name,
    description: "Pays.",
    input: { what: "string" },
    output: "string",
    effects: name,
    execute: ({ what }, { idempotencyKey }) => {
      note({ what: `paid ${what}`, key: idempotencyKey, isKeyed: name === "idempotent" });
      return `paid ${what}`;
    },
  }) as Tool;

const agent = new CodeAgent({
  name: "payer",
  tools: [pay("once"), pay("idempotent")],
  model: (messages) => {
    const task = messages.map(({ content }) => textOf(content)).find((text) => text.includes("Pay ")) ?? "";
    const [, kind = "", what = ""] = /Pay (once|idempotent) (\w+)/.exec(task) ?? [];
    const said = messages.filter(({ role }) => role === "assistant").length;
    // A recorded answer is not requested again. An answer that the kill has lost is requested
    // again.
    note({ what: `asked ${what} ${said}`, key: "", isKeyed: false });
    const code = said === 0 ? `const receipt = await ${kind}({ what: "${what}" });` : "finalAnswer(receipt);";
    return `<code>\n${code}\n</code>`;
  },
});

const opened = await openStore(place);
const store = withBoundaries(opened.store, boundary);
const { rows, stop } = await evaluate({
  cases: evaluatedCases,
  agent,
  scorers: [contains()],
  store,
  id,
  concurrency: 2,
});
const odd = rows.filter(({ status }) => status !== "success").map(({ caseId, status }) => [caseId, status]);
const report = { status: stop === null ? "success" : stop.type, output: { rows: rows.length, odd } };
console.log(JSON.stringify({ ...report, boundaries, hasFaulted: false }));
process.exit(0);
