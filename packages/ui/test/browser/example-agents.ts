// Agents with scripted models for the states of the page: a question about a table, a mail that
// needs approval, a team with a plan.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { type Model, type ModelRequest, textOf, wait } from "@smolts/protocol";
import { type ReplyFunction, type ScriptedReply, scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";

const receipts = [
  { receipt_id: 1, customer_name: "Alan Payne", price: 12.06, tip: 1.2 },
  { receipt_id: 2, customer_name: "Alex Mason", price: 23.86, tip: 0.24 },
  { receipt_id: 3, customer_name: "Woodrow Wilson", price: 53.43, tip: 5.43 },
  { receipt_id: 4, customer_name: "Margaret James", price: 21.11, tip: 1.0 },
];

/**
 * A tool that answers only the few queries that the scripted models send. Other queries fail with
 * errors like those of SQLite.
 */
export const sqlEngine = tool({
  name: "sqlEngine",
  description: "Runs one SQLite query on the table receipts and returns its rows as objects.",
  input: { query: "string — one SELECT statement" },
  output: "object[]",
  effects: "none",
  execute: ({ query }) => {
    if (query.includes("total")) {
      const error = new Error("no such column: total");
      error.name = "SQLite3Error";
      throw error;
    }
    if (query.includes("customer_name, price"))
      return receipts.map(({ customer_name, price }) => ({ customer_name, price }));
    if (query.includes("Woodrow")) return receipts.slice(2, 3);
    return receipts.slice(0, 2);
  },
});

const findClient = tool({
  name: "findClient",
  description: "Finds a client by name.",
  input: { name: "string" },
  output: "object",
  effects: "none",
  execute: ({ name }) => ({ name, email: "woodrow@wils\u043en.example" }),
});

/** The mails that the tool received. It sends nothing; the tests only count the calls. */
export const sentMails: unknown[] = [];

const sendEmail = tool({
  name: "sendEmail",
  description: "Sends an e-mail. It cannot be taken back.",
  input: { to: "string — the address", subject: "string", body: "string" },
  output: "object",
  effects: "once",
  needsApproval: () => true,
  execute: (mail) => {
    sentMails.push(mail);
    return { id: "m-1182", to: mail.to };
  },
});

/** The speed of the scripted models. */
export interface Pace {
  /** The wait before the first piece of an answer, in ms. Default: 0. */
  readonly thinkMs?: number;
  /** The wait between two pieces of five characters, in ms. Default: 0. */
  readonly pieceMs?: number;
  /** The model waits after this text until `holdUntil` resolves or the run is stopped. */
  readonly holdAt?: string;
  /** Lets the model continue. */
  readonly holdUntil?: Promise<void>;
}

const usage = (inputTokens: number, outputTokens: number): object => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  cachedInputTokens: Math.floor(inputTokens / 2),
  costUsd: inputTokens * 2.5e-7 + outputTokens * 2e-6,
});

/** Creates a scripted model that writes at a speed that a person can follow. */
export function pacedModel(
  replies: readonly ScriptedReply[] | ReplyFunction,
  { thinkMs = 0, pieceMs = 0, holdAt, holdUntil }: Pace = {},
): Model {
  const inner = scriptedModel(replies, { id: "scripted/gpt-5-mini" });
  return {
    id: inner.id,
    async *stream(request, options) {
      await pause(thinkMs, options.signal);
      let written = "";
      let isHeld = false;
      for await (const event of inner.stream(request, options)) {
        if (pieceMs > 0) await pause(pieceMs, options.signal);
        yield event;
        if (event.type === "text-delta") written += event.text;
        if (holdAt === undefined || isHeld || !written.includes(holdAt)) continue;
        isHeld = true;
        await Promise.race([holdUntil ?? never, untilStopped(options.signal)]);
      }
    },
  };
}

async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  if (durationMs > 0) await wait(durationMs, signal);
}

const never = new Promise<never>(() => {});

function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

const sqlScript = [
  `I have not seen this table yet. I look at a few rows before I rely on anything.
<code>
const sample = await sqlEngine({ query: "SELECT * FROM receipts LIMIT 2" });
print(sample);
</code>`,
  `One row is one receipt, with its customer. The most expensive one is the one with the highest total, so I sort by that and take the first.
<code>
const [first] = await sqlEngine({
  query: "SELECT customer_name FROM receipts ORDER BY total DESC LIMIT 1",
});
finalAnswer(first.customer_name);
</code>`,
  `There is no column “total”; what a receipt cost is its price, as the sample shows. I fetch the prices and pick the highest myself.
<code>
const rows = await sqlEngine({
  query: "SELECT customer_name, price FROM receipts",
});
const mostExpensive = rows.reduce((highest, row) =>
  row.price > highest.price ? row : highest,
);
finalAnswer(mostExpensive.customer_name);
</code>`,
];

const mailScript = [
  `His receipt is in the table, and his address is in the list of clients. I mail him the amounts.
<code>
const [receipt] = await sqlEngine({
  query: "SELECT * FROM receipts WHERE customer_name = 'Woodrow Wilson'",
});
const client = await findClient({ name: receipt.customer_name });
const sent = await sendEmail({
  to: client.email,
  subject: \`Your receipt no. \${receipt.receipt_id}\`,
  body: \`You paid $\${receipt.price} and tipped $\${receipt.tip}.\`,
});
</code>`,
  `The message is out, to the address that you gave.
<code>
receipt.mailed = true;
finalAnswer(\`Receipt no. \${receipt.receipt_id} is on its way to \${sent.to}.\`);
</code>`,
];

const isMail = (task: string): boolean => /mail|send/i.test(task);

/** Returns the current task, and the number of the next action of the model, from 1. */
function actionOf({ messages }: ModelRequest): { readonly task: string; readonly action: number } {
  const taskAt = messages.findLastIndex((message) => message.role === "user" && isTask(textOf(message)));
  const task = messages[taskAt];
  const answers = messages.slice(taskAt).filter(({ role }) => role === "assistant").length;
  return { task: task ? textOf(task) : "", action: answers + 1 };
}

/** Says whether a text is a task, and not the outcome of an action. */
const isTask = (text: string): boolean => !/<observation|<error|Error:|^Printed/.test(text);

/** Creates a model that chooses its answers by the words of the task. */
function receiptsModel(pace: Pace = {}): Model {
  return pacedModel((request) => {
    const { task, action } = actionOf(request);
    const script = isMail(task) ? mailScript : sqlScript;
    const text = script[action - 1] ?? "<code>\nfinalAnswer('That is all I know.');\n</code>";
    return { text, usage: usage(420 + action * 215, 90 + action * 22) } as ScriptedReply;
  }, pace);
}

/** Creates the agent of most tests. It queries a table of receipts and sends mails. */
export const receiptsAgent = (pace: Pace = {}): CodeAgent =>
  new CodeAgent({
    model: receiptsModel(pace),
    tools: [sqlEngine, findClient, sendEmail],
    name: "receipts",
    description: "An agent with a database of one evening’s receipts.",
  });

const look = (name: string, description: string, value: unknown): ReturnType<typeof tool> =>
  tool({
    name,
    description,
    input: { mountain: "string", summit: "string?" },
    output: "any",
    effects: "none",
    execute: () => value,
  });

/** Creates a manager that makes a plan and gives work to two agents at once. */
export function teamAgent(pace: Pace = {}): CodeAgent {
  const worker: ReplyFunction = (request) => {
    const isDone = request.messages.some(({ role }) => role === "assistant");
    return JSON.stringify(request.messages).includes("lookUpAscent")
      ? isDone
        ? "The register says 1874, and it is the west summit.\n<code>\nfinalAnswer(`first climbed in ${year}, the west summit`);\n</code>"
        : 'I look the year up.\n<code>\nconst year = await lookUpAscent({ mountain: "Elbrus" });\nprint(year);\n</code>'
      : isDone
        ? { toolCalls: [{ name: "finalAnswer", input: { answer: "5642 metres high, the west summit" } }] }
        : { text: "I look the height up.", toolCalls: [{ name: "lookUpHeight", input: { mountain: "Elbrus" } }] };
  };
  const surveyor = new ToolCallingAgent({
    model: pacedModel(worker, pace),
    name: "surveyor",
    description: "Knows how high mountains are.",
    tools: [look("lookUpHeight", "The height of a mountain, in metres.", 5642)],
  });
  const historian = new CodeAgent({
    model: pacedModel(worker, pace),
    name: "historian",
    description: "Knows when mountains were first climbed.",
    tools: [look("lookUpAscent", "The year of the first ascent.", 1874)],
    maxSteps: 5,
  });
  let plans = 0;
  let actions = 0;
  const manager: ReplyFunction = (request) => {
    const asked = JSON.stringify(request.messages);
    if (/Write two parts|end_plan/.test(asked)) {
      plans++;
      return plans === 1
        ? "## Facts\nElbrus is a mountain with two summits.\n## Plan\n1. Find out what is called Elbrus\n2. Ask the surveyor and the historian at once\n3. Look both up in a second source\n4. Answer in one sentence\n<end_plan>"
        : "## Facts\nElbrus has a west and an east summit.\n## Plan\n1. Find out what is called Elbrus\n2. Ask the surveyor and the historian at once\n3. Say which of the two summits the year belongs to\n4. Answer in one sentence\n<end_plan>";
    }
    actions++;
    return (
      [
        'Elbrus has two summits, a western and an eastern one. I have to know which of them is meant.\n<code>\nprint(await lookUpSummits({ mountain: "Elbrus" }));\n</code>',
        `The two parts do not need each other, so I give them out together.
<code>
const [height, ascent] = await Promise.all([
  surveyor({ task: "How high is Elbrus, in metres?" }),
  historian({ task: "In which year was Elbrus first climbed, and which summit?" }),
]);
print(height, ascent);
</code>`,
        "Both reports are in.\n<code>\nfinalAnswer(`Elbrus is ${height} and was ${ascent}.`);\n</code>",
      ][actions - 1] ?? "<code>finalAnswer('done')</code>"
    );
  };
  return new CodeAgent({
    model: pacedModel(manager, pace),
    name: "manager",
    description: "A manager with two agents.",
    managedAgents: [surveyor, historian],
    tools: [
      look("lookUpSummits", "The summits of a mountain.", [
        { name: "west", metres: 5642 },
        { name: "east", metres: 5621 },
      ]),
    ],
    planningInterval: 1,
  });
}
