// Ten kinds of runs. Each has tools whose effects go to a ledger, a model that is a function of the conversation, and one right answer.

import { type AgentOptions, CodeAgent, type MultiStepAgent, ToolCallingAgent } from "@smolts/core";
import { type ChatMessage, type Tool, type ToolEffects, textOf } from "@smolts/protocol";
import { tool } from "@smolts/tools";

/** Hears of each effect, right when it happens. */
export type Ledger = (entry: { readonly what: string; readonly key: string }) => void;

/** The parts that a scenario uses. */
export interface ScenarioParts {
  readonly ledger: Ledger;
  readonly options: Pick<AgentOptions, "store">;
  /** Called at the beginning and the end of each effect. */
  readonly boundary: () => void;
}

/** One kind of run. */
export interface Scenario {
  readonly agent: (parts: ScenarioParts) => MultiStepAgent;
  readonly answer: unknown;
  /** The entries of the ledger at the end, each exactly once. */
  readonly effects: readonly string[];
}

const code = (text: string): string => `Thought.\n<code>\n${text}\n</code>`;

/** The reply that belongs to how far the conversation is: the same whenever it is asked again. */
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
      ledger({ what, key: idempotencyKey });
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

/** By name. */
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
};
