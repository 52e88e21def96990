// The kinds of runs that are tested. Each has tools that write their effects to a ledger, a model
// whose answers depend only on the conversation, and one right answer.

import { type AgentOptions, CodeAgent, type MultiStepAgent, ToolCallingAgent } from "@smolts/core";
import {
  type ApprovalRequest,
  type ChatMessage,
  type DecisionInput,
  type Tool,
  type ToolEffects,
  textOf,
} from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";

/** An effect of a tool. `isKeyed` says whether the effect may be repeated with the same key. */
export interface LedgerEntry {
  readonly what: string;
  readonly key: string;
  readonly isKeyed: boolean;
}

/** Records each effect at the moment when it happens. */
export type Ledger = (entry: LedgerEntry) => void;

/** The parts that a scenario uses. */
export interface ScenarioParts {
  readonly ledger: Ledger;
  readonly options: Pick<AgentOptions, "store">;
  /** Called at the beginning and at the end of each effect. */
  readonly boundary: () => void;
}

/** One kind of run. */
export interface Scenario {
  readonly agent: (parts: ScenarioParts) => MultiStepAgent;
  readonly answer: unknown;
  /**
   * The entries that the ledger must have at the end, each exactly once. An entry of an
   * `idempotent` tool may be repeated with the same key, and then counts once.
   */
  readonly effects: readonly string[];
  /** Entries that the ledger must not have. */
  readonly never?: readonly string[];
  /** Decides, in the place of a person, about a call that waits for approval. Default: approves. */
  readonly decide?: (request: ApprovalRequest) => Omit<DecisionInput, "id" | "digest">;
  /** If present, the run is a fork of another run that was made before. */
  readonly fork?: { readonly atStep: number; readonly code: string };
}

const code = (text: string): string => `Thought.\n<code>\n${text}\n</code>`;

/**
 * Creates a model that chooses its reply by the number of its replies in the conversation so far.
 * So it sends the same reply if it is asked again after a crash.
 */
const scripted =
  (...replies: readonly string[]) =>
  (messages: readonly ChatMessage[]): string => {
    const said = messages.filter(({ role }) => role === "assistant").length;
    return replies[said] ?? code('finalAnswer("the script is over")');
  };

function effect({ ledger, boundary }: ScenarioParts, name: string, effects: ToolEffects, more: object = {}): Tool {
  return tool({
    name,
    description: "Has an effect.",
    input: { what: "string" },
    output: "string",
    effects,
    execute: async ({ what }, { idempotencyKey }) => {
      boundary();
      await new Promise((resolve) => setTimeout(resolve, 1));
      ledger({ what, key: idempotencyKey, isKeyed: effects === "idempotent" });
      boundary();
      return `did ${what}`;
    },
    ...more,
  }) as Tool;
}

const codeAgent = (parts: ScenarioParts, replies: readonly string[], more: Partial<AgentOptions> = {}): CodeAgent =>
  new CodeAgent({
    model: scripted(...replies),
    tools: [effect(parts, "act", "once"), effect(parts, "repeat", "idempotent")],
    ...parts.options,
    ...more,
  });

/** The scenarios, by name. */
export const scenarios: { readonly [name: string]: Scenario } = {
  "one call in code": {
    agent: (parts) => codeAgent(parts, [code('finalAnswer(await act({ what: "a" }))')]),
    answer: "did a",
    effects: ["a"],
  },
  "a loop of calls": {
    agent: (parts) =>
      codeAgent(parts, [
        code('const done = []; for (const what of ["a", "b", "c"]) done.push(await act({ what })); console.log(done)'),
        code("finalAnswer(done.length)"),
      ]),
    answer: 3,
    effects: ["a", "b", "c"],
  },
  "calls side by side": {
    agent: (parts) =>
      codeAgent(parts, [
        code('const all = await Promise.all(["a", "b", "c", "d"].map((what) => act({ what })))'),
        code('finalAnswer(all.join(", "))'),
      ]),
    answer: "did a, did b, did c, did d",
    effects: ["a", "b", "c", "d"],
  },
  "idempotent calls": {
    agent: (parts) =>
      codeAgent(parts, [
        code('const r = await Promise.all(["a", "b"].map((what) => repeat({ what }))); finalAnswer(r.length)'),
      ]),
    answer: 2,
    effects: ["a", "b"],
  },
  "idempotent calls over time": {
    agent: (parts) =>
      codeAgent(parts, [
        code('for (const what of ["a", "b", "c"]) await repeat({ what })'),
        code('for (const what of ["d", "e", "f"]) await repeat({ what }); finalAnswer("over")'),
      ]),
    answer: "over",
    effects: ["a", "b", "c", "d", "e", "f"],
  },
  "JSON calls": {
    agent: (parts) =>
      new ToolCallingAgent({
        model: scripted(
          '{"name": "act", "arguments": {"what": "a"}}',
          '{"name": "act", "arguments": {"what": "b"}}',
          '{"name": "finalAnswer", "arguments": {"answer": "done"}}',
        ),
        tools: [effect(parts, "act", "once")],
        ...parts.options,
      }),
    answer: "done",
    effects: ["a", "b"],
  },
  "a managed agent": {
    agent: (parts) => {
      const clerk = codeAgent({ ...parts, options: {} }, [code('finalAnswer(await act({ what: "below" }))')], {
        name: "clerk",
        description: "Does things.",
      });
      return codeAgent(
        parts,
        [
          code('const r = await clerk({ task: "Do it." }); console.log(r)'),
          code('finalAnswer(await act({ what: "above" }))'),
        ],
        { managedAgents: [clerk] },
      );
    },
    answer: "did above",
    effects: ["below", "above"],
  },
  "two managed agents side by side, three deep": {
    agent: (parts) => {
      const below = { ...parts, options: {} };
      const worker = codeAgent(below, [code('finalAnswer(await act({ what: "deep " + task }))')], {
        name: "worker",
        description: "Works.",
      });
      const boss = codeAgent(
        below,
        [
          code(
            'const rs = await Promise.all(["1", "2"].map((n) => worker({ task: n, additionalArgs: { task: n } }))); finalAnswer(rs.length)',
          ),
        ],
        { name: "boss", description: "Delegates.", managedAgents: [worker] },
      );
      return codeAgent(
        parts,
        [code('const r = await boss({ task: "Go." }); await act({ what: "top" }); finalAnswer("done")')],
        {
          managedAgents: [boss],
        },
      );
    },
    answer: "done",
    effects: ["deep 1", "deep 2", "top"],
  },
  "a plan": {
    agent: (parts) => {
      const replies = scripted(code('await act({ what: "a" })'), code('finalAnswer(await act({ what: "b" }))'));
      const model = (messages: readonly ChatMessage[]): string => {
        const isPlanning =
          /plan/i.test(textOf(messages.at(-1)?.content ?? [])) &&
          !/Observation/.test(textOf(messages.at(-1)?.content ?? []));
        const spoken = messages.filter(({ role, content }) => role !== "assistant" || /<code>/.test(textOf(content)));
        return isPlanning ? "1. Act." : replies(spoken);
      };
      return new CodeAgent({ model, tools: [effect(parts, "act", "once")], planningInterval: 2, ...parts.options });
    },
    answer: "did b",
    effects: ["a", "b"],
  },
  "calls that wait for a person": {
    agent: (parts) =>
      new CodeAgent({
        model: scripted(
          code('const a = await act({ what: "asked" }); const b = await free({ what: "free" })'),
          code("finalAnswer(a + b)"),
        ),
        tools: [effect(parts, "act", "once", { needsApproval: () => true }), effect(parts, "free", "once")],
        ...parts.options,
      }),
    answer: "did askeddid free",
    effects: ["asked", "free"],
  },
  "state over many steps": {
    agent: (parts) =>
      codeAgent(parts, [
        code("const seen = new Map(); let total = 0n"),
        code('seen.set("a", await act({ what: "a" })); total += 1n'),
        code(
          'for (const what of ["b", "c"]) { seen.set(what, await repeat({ what })); total += 1n }; console.log(Math.random(), Date.now())',
        ),
        code('finalAnswer([...seen.keys()].join("") + String(total))'),
      ]),
    answer: "abc3",
    effects: ["a", "b", "c"],
  },
  "waves of idempotent calls": {
    agent: (parts) =>
      codeAgent(parts, [
        code(
          'let n = 0; for (const wave of [1, 2]) { const all = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((i) => repeat({ what: wave + "." + i }))); n += all.length }',
        ),
        code("finalAnswer(n)"),
      ]),
    answer: 16,
    effects: [1, 2].flatMap((wave) => [1, 2, 3, 4, 5, 6, 7, 8].map((index) => `${wave}.${index}`)),
  },
  "timers between calls": {
    agent: (parts) =>
      codeAgent(parts, [
        code(
          'const later = (ms, what) => new Promise((r) => setTimeout(r, ms)).then(() => act({ what })); const all = await Promise.all([later(3_600_000, "late"), later(10, "soon")]); const at = Date.now()',
        ),
        code('await act({ what: "end" }); finalAnswer(all.join(", ") + (Date.now() >= at))'),
      ]),
    answer: "did late, did soontrue",
    effects: ["late", "soon", "end"],
  },
  "a call that a person edits": {
    agent: (parts) =>
      new CodeAgent({
        model: scripted(
          code('const all = await Promise.all([act({ what: "asked" }), free({ what: "free" })])'),
          code("finalAnswer(all[0])"),
        ),
        tools: [effect(parts, "act", "once", { needsApproval: () => true }), effect(parts, "free", "once")],
        ...parts.options,
      }),
    answer: "did edited",
    effects: ["edited", "free"],
    never: ["asked"],
    decide: () => ({ type: "edit", input: { what: "edited" } }),
  },
  "a call that a person denies": {
    agent: (parts) =>
      new CodeAgent({
        model: scripted(
          code(
            'let said = ""; try { await act({ what: "denied" }) } catch (error) { said = "no" } await act({ what: "allowed" })',
          ),
          code("finalAnswer(said)"),
        ),
        tools: [effect(parts, "act", "once", { needsApproval: () => true })],
        ...parts.options,
      }),
    answer: "no",
    effects: ["allowed"],
    never: ["denied"],
    decide: ({ input }) =>
      JSON.stringify(input).includes("denied") ? { type: "deny", reason: "keep it" } : { type: "approve" },
  },
  "approval three deep, side by side": {
    agent: (parts) => {
      const below = { ...parts, options: {} };
      const worker = new CodeAgent({
        model: scripted(code('finalAnswer(await act({ what: "deep " + n }))')),
        tools: [effect(parts, "act", "once", { needsApproval: () => true })],
        name: "worker",
        description: "Works.",
      });
      const boss = codeAgent(
        below,
        [
          code(
            'const rs = await Promise.all(["1", "2", "3"].map((n) => worker({ task: n, additionalArgs: { n } }))); finalAnswer(rs)',
          ),
        ],
        { name: "boss", description: "Delegates.", managedAgents: [worker] },
      );
      const replies = [
        code('const r = await boss({ task: "Go." })'),
        code('await act({ what: "top" }); finalAnswer(JSON.parse(r).join(", "))'),
      ];
      return codeAgent(parts, replies, { managedAgents: [boss] });
    },
    answer: "did deep 1, did deep 2, did deep 3",
    effects: ["deep 1", "deep 2", "deep 3", "top"],
  },
  "a history that is shortened": {
    agent: (parts) => {
      const model = scriptedModel(({ messages }) => {
        const said = messages.map(({ content }) => textOf(content)).join("\n");
        if (said.includes("You shorten the history")) return "Calls were made.";
        const last = Math.max(0, ...[...said.matchAll(/did (\d+)/g)].map(([, number]) => Number(number)));
        return last === 8
          ? code("finalAnswer(total)")
          : code(
              `${last === 0 ? "let total = 0; " : ""}total += 1; print("x".repeat(1_500)); print(await act({ what: "${last + 1}" }))`,
            );
      });
      const tools = [effect(parts, "act", "once")];
      return new CodeAgent({ model, tools, context: { windowTokens: 3_000, summarize: true }, ...parts.options });
    },
    answer: 8,
    effects: ["1", "2", "3", "4", "5", "6", "7", "8"],
  },
  "JSON calls side by side": {
    agent: (parts) => {
      const calls = ["a", "b", "c"].map((what) => ({ name: "act", input: { what } }));
      const model = scriptedModel(({ messages }) =>
        messages.some(({ role }) => role === "assistant")
          ? { toolCalls: [{ name: "finalAnswer", input: { answer: "done" } }] }
          : { toolCalls: calls },
      );
      return new ToolCallingAgent({ model, tools: [effect(parts, "act", "once")], ...parts.options });
    },
    answer: "done",
    effects: ["a", "b", "c"],
  },
  "calls that fail beside others": {
    agent: (parts) => {
      const fails = effect(parts, "fails", "once", {
        execute: async () => {
          throw new TypeError("no such row");
        },
      });
      const replies = [
        code(
          'const all = await Promise.allSettled([act({ what: "a" }), fails({ what: "x" }), repeat({ what: "b" })]); const kinds = all.map(({ status }) => status)',
        ),
        code('await act({ what: "c" }); finalAnswer(kinds.join(" "))'),
      ];
      const tools = [effect(parts, "act", "once"), effect(parts, "repeat", "idempotent"), fails];
      return new CodeAgent({ model: scripted(...replies), tools, ...parts.options });
    },
    answer: "fulfilled rejected fulfilled",
    effects: ["a", "b", "c"],
  },
  "an agent that keeps its memory": {
    agent: (parts) => {
      const replies = [
        code('let count = 1; finalAnswer(await act({ what: "first" }))'),
        code('count += 1; finalAnswer(await act({ what: "call " + count }))'),
      ];
      const below = { ...parts, options: {} };
      const clerk = codeAgent(below, replies, { name: "clerk", description: "Does things." });
      return codeAgent(
        parts,
        [
          code('const one = await clerk({ task: "Begin." })'),
          code(
            'const two = await clerk({ task: "Go on." }); await act({ what: "end" }); finalAnswer(one + ", " + two)',
          ),
        ],
        { tools: [effect(parts, "act", "once"), clerk.asTool({ memory: "keep" }) as Tool] },
      );
    },
    answer: "did first, did call 2",
    effects: ["first", "call 2", "end"],
  },
  "a fork": {
    agent: (parts) =>
      codeAgent(parts, [
        code('const first = await repeat({ what: "shared" })'),
        code('const second = await repeat({ what: "other" })'),
        code('finalAnswer(first + ", " + second)'),
      ]),
    answer: "did shared, did forked",
    effects: ["shared", "other", "forked"],
    fork: { atStep: 2, code: 'const second = await repeat({ what: "forked" })' },
  },
};
