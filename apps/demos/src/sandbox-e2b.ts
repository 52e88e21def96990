// Runs code in a cloud sandbox of E2B. The model writes a file there and counts its words. The tool
// that fetches the text runs on this machine. A person must approve the report before it is sent.
//
//   pnpm --filter @smolts/demos sandbox-e2b
//
// With E2B_API_KEY set, the demo runs in E2B's cloud. Without a key, it talks to a server on
// loopback that speaks E2B's protocol and runs the code in a process on this machine.

import { e2b } from "@smolts/executor-e2b";
import { type E2bServer, startE2bServer } from "@smolts/testing/e2b";
import { tool } from "@smolts/tools";
import { CodeAgent, type ExecutorFactory, type Model } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** Options of the demo. */
export interface SandboxE2bOptions {
  readonly model: Model;
  /**
   * The executor that runs the code. Default: E2B's cloud with the key in `E2B_API_KEY`. Without a
   * key: a server on loopback.
   */
  readonly executor?: ExecutorFactory;
  readonly level?: PrintLevel;
}

const letters: { readonly [name: string]: string } = {
  ada: "The engine weaves algebraic patterns just as the loom weaves flowers and leaves.",
  grace: "The most dangerous phrase in the language is: we have always done it this way.",
};

const readLetter = tool({
  name: "readLetter",
  description: "Returns the text of a letter by the name of its writer.",
  input: { writer: "string — ada or grace" },
  execute: ({ writer }) => letters[writer] ?? `there is no letter of ${writer}`,
});

const mailbox: string[] = [];

const sendReport = tool({
  name: "sendReport",
  description: "Sends a report to the team.",
  input: { text: "string" },
  needsApproval: true,
  execute: ({ text }) => {
    mailbox.push(text);
    return "sent";
  },
});

/** Asks for the longest word of each letter, and for a report. Returns the words. */
export async function sandboxE2b({ model, executor, level = "info" }: SandboxE2bOptions): Promise<unknown> {
  if (!executor) return await withExecutor((chosen) => sandboxE2b({ model, executor: chosen, level }));
  const agent = new CodeAgent({
    model,
    tools: [readLetter, sendReport],
    executor,
    approve: async ({ name }) => (name === "sendReport" ? { type: "approve" } : { type: "deny", reason: "not now" }),
  });
  const task =
    "Write the letters of ada and grace to files, find the longest word of each with a script, report it, and give the words.";
  return printRun(agent.run(task), { level });
}

async function withExecutor<Result>(use: (executor: ExecutorFactory) => Promise<Result>): Promise<Result> {
  if (process.env["E2B_API_KEY"]) {
    console.log("The code runs in E2B's cloud.");
    await using executor = e2b();
    return await use(executor);
  }
  await using server = await startE2bServer();
  console.log(
    `E2B_API_KEY is not set: a server at ${server.url} takes the place of E2B, and its sandbox is a process of this machine.`,
  );
  await using executor = loopback(server);
  return await use(executor);
}

const loopback = ({ url, apiKey }: E2bServer) => e2b({ apiKey, apiUrl: url, sandboxUrl: url });

/** The replies of the scripted model. */
export const script: readonly string[] = [
  `I fetch both letters and write them to files of the sandbox.
<code>
import { mkdtempSync, writeFileSync } from "node:fs";
const folder = mkdtempSync("/tmp/letters-");
const writers = ["ada", "grace"];
const texts = await Promise.all(writers.map((writer) => readLetter({ writer })));
texts.forEach((text, index) => writeFileSync(\`\${folder}/\${writers[index]}.txt\`, text));
console.log(folder);
</code>`,
  `Now a shell finds the longest words.
<code>
import { execSync } from "node:child_process";
const longest = (writer) =>
  execSync(\`tr -cs a-zA-Z '\\\\n' < \${folder}/\${writer}.txt | awk 'length > length(best) { best = $0 } END { print best }'\`).toString().trim();
const words = writers.map(longest);
words
</code>`,
  `I report them.
<code>
await sendReport({ text: words.join(", ") });
finalAnswer(words)
</code>`,
];

await runDemo(import.meta.url, script, (model) => sandboxE2b({ model }));
