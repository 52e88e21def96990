// Replays stored runs as an evaluation: another agent gets their tasks, and its answers are
// compared with the recorded ones. Tools that have effects are not called again. A call with the
// same input gets the recorded result, and any other call of such a tool fails.

import { foldSteps, usageTree } from "@smolts/memory";
import {
  AgentError,
  type CallOutcome,
  type DurableEvent,
  decodeValue,
  type EventOf,
  encodeValue,
  invalidOption,
  type JsonValue,
  type OptionTable,
  type RunStore,
  readOptions,
  type TokenUsage,
  type Tool,
  textOf,
} from "@smolts/protocol";
import type { EvaluationCase } from "./case.ts";
import { type EvaluateOptions, evaluate, evaluateOptions } from "./evaluate.ts";
import { type EvaluatedAgent, isEvaluatedAgent } from "./evaluated-agent.ts";
import type { Evaluation } from "./evaluation.ts";
import { plainUsage } from "./run-case.ts";
import { exact } from "./scorers/exact.ts";
import { summarize } from "./summary.ts";

/** Settings of {@link replay}. */
export interface ReplayOptions extends Omit<EvaluateOptions, "cases" | "agent" | "scorers"> {
  /** The store that contains the runs. */
  readonly runs: RunStore;
  /** The ids of the runs. If absent, the newest 50 runs that have an answer. */
  readonly runIds?: readonly string[];
  /** The changed agent, which gets the tasks of the runs. */
  readonly agent: EvaluatedAgent;
  /** The scorers. If absent, `[exact()]`, which compares with the recorded answer. */
  readonly scorers?: EvaluateOptions["scorers"];
  /**
   * What happens to calls of tools that have effects. `recorded`: a call with the same input gets
   * the recorded result, and any other call fails. `live`: the tools are called.
   *
   * @defaultValue "recorded"
   */
  readonly effects?: "recorded" | "live";
}

/**
 * The stored runs, and another agent's runs of the same tasks. `compare(before, after)` shows the
 * effect of the change.
 */
export interface Replay {
  readonly before: Evaluation;
  readonly after: Evaluation;
}

/** A stored run as a case, with the results of its tool calls. */
interface RecordedCase {
  readonly case: EvaluationCase;
  readonly answer: unknown;
  readonly steps: number;
  readonly usage: TokenUsage | null;
  readonly calls: RecordedCalls;
}

/**
 * The outcomes of tool calls in a recorded run, in the order of their delivery. Each key consists
 * of a tool and an input.
 */
type RecordedCalls = ReadonlyMap<string, readonly CallOutcome[]>;

/**
 * Runs a changed agent on the tasks of stored runs. The stored runs and the new runs are scored
 * against the recorded answers.
 *
 * @throws AgentError `invalid-option` for runs that have no answer or whose task is not a text, and
 *   for agents whose tool calls cannot be replaced by recorded results
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { compare, replay } from "@smolts/eval";
 * import { memoryStore } from "@smolts/memory";
 *
 * const runs = memoryStore();
 * const agentOf = (code: string) => new CodeAgent({ model: modelFromFunction(() => `<code>finalAnswer(${code})</code>`) });
 * await agentOf("42").with({ store: runs }).run("Multiply six by seven.");
 * const { before, after } = await replay({ runs, agent: agentOf("6 * 7") });
 * console.log(compare(before, after).scores["exact"]?.after); // 1
 * ```
 */
export async function replay(given: ReplayOptions): Promise<Replay> {
  const read = readOptions(given, "replay()", replayOptions);
  const { runs, runIds, agent, scorers = [exact()], effects = "recorded", ...options } = read;
  if (!isEvaluatedAgent(agent)) throw invalidOption("replay() needs an agent", "write agent: new CodeAgent({ ... })");
  if (effects === "recorded") mustBeReplayable(agent);
  const ids = runIds ?? (await runs.list({ status: "success" })).map(({ runId }) => runId);
  if (ids.length === 0) throw invalidOption("the store has no run that ended with an answer", "name some: { runIds }");
  const recorded = new Map<string, RecordedCase>();
  for (const id of ids) recorded.set(id, await recordedCase(runs, id));
  const cases = [...recorded.values()].map((one) => one.case);
  // The cast is safe: every case has a recorded run.
  const of = (id: string): RecordedCase => recorded.get(id) as RecordedCase;
  const scored = await evaluate({ cases, scorers, agent: ({ id }) => of(id).answer });
  const before = withRecordedCosts(scored, of);
  const replaying = effects === "live" ? agent : ({ id }: EvaluationCase) => withRecordedCalls(agent, of(id).calls);
  const after = await evaluate({ ...options, cases, scorers, agent: replaying });
  const names = { agent: agent.name, model: agent.model.id };
  return { before: { ...before, agent: "recorded" }, after: { ...after, ...names } };
}

/**
 * Replaces the steps and the usage in the rows by those of the recorded runs. The evaluation only
 * scored the recorded answers, so it counted no steps and no tokens.
 */
function withRecordedCosts(scored: Evaluation, of: (id: string) => RecordedCase): Evaluation {
  const rows = scored.rows.map((row) => ({ ...row, steps: of(row.caseId).steps, usage: of(row.caseId).usage }));
  return { ...scored, rows, summary: summarize(rows, scored.scorers) };
}

const { cases: _, ...shared } = evaluateOptions;

const replayOptions: OptionTable<ReplayOptions> = {
  ...shared,
  runs: "required",
  runIds: true,
  agent: "required",
  scorers: true,
  effects: true,
};

async function recordedCase(store: RunStore, runId: string): Promise<RecordedCase> {
  const sessionId = await store.find(runId);
  if (sessionId === null) throw invalidOption(`the store has no run "${runId}"`, "store.list() lists the runs");
  await using log = await store.open(sessionId, { readonly: true });
  const events: DurableEvent[] = [];
  for await (const event of log.read()) if (event.runId === runId) events.push(event);
  const folded = foldSteps(events);
  const task = folded.find((step) => step.type === "task");
  const end = events.findLast((event) => event.type === "run-end" && event.path.length === 1) as
    | EventOf<"run-end">
    | undefined; // safe cast: the filter accepts only this type
  if (end?.answer === undefined) throw invalidOption(`the run "${runId}" has no answer`, "leave it out of runIds");
  const input = textOf(task?.content ?? []);
  if (input.trim() === "")
    throw invalidOption(`the task of the run "${runId}" is not a string`, "leave it out of runIds");
  const tree = usageTree(events, end.path);
  return {
    case: { id: runId, input, expected: end.answer },
    answer: decodeValue(end.answer),
    steps: folded.filter(({ type }) => type === "action").length,
    usage: tree && plainUsage(tree),
    calls: recordedCalls(events),
  };
}

function recordedCalls(events: readonly DurableEvent[]): RecordedCalls {
  const names = new Map<string, string>();
  const keys = new Map<string, string>();
  const calls = new Map<string, readonly CallOutcome[]>();
  for (const event of events) {
    if (event.type === "tool-call") names.set(event.callId, event.name);
    if (event.type === "tool-start") keys.set(event.callId, keyOf(names.get(event.callId) ?? "", event.input));
    const key = event.type === "tool-result" ? keys.get(event.callId) : undefined;
    if (event.type === "tool-result" && key !== undefined) calls.set(key, [...(calls.get(key) ?? []), event.outcome]);
  }
  return calls;
}

const keyOf = (name: string, input: JsonValue): string => `${name} ${JSON.stringify(input)}`;

type ToolsOption = readonly Tool[] | { readonly [name: string]: Tool };

/**
 * Checks that the agent has no managed agents, because the calls of their tools cannot be replaced
 * by recorded results.
 *
 * @throws AgentError `invalid-option` if it has managed agents
 */
function mustBeReplayable({ options }: EvaluatedAgent): void {
  const { managedAgents = [], tools = [] } = options as {
    readonly managedAgents?: readonly unknown[];
    readonly tools?: ToolsOption;
  };
  if (managedAgents.length === 0 && !Object.values(tools).some((tool) => "managed" in tool)) return;
  throw invalidOption(
    "replay() cannot replace the tools of managed agents",
    'replay the managed agents alone, or write { effects: "live" } to call their tools',
  );
}

function withRecordedCalls(agent: EvaluatedAgent, calls: RecordedCalls): EvaluatedAgent {
  const { tools } = agent.options as { readonly tools?: ToolsOption };
  if (tools === undefined) return agent;
  const isList = Array.isArray as (value: unknown) => value is readonly Tool[];
  if (isList(tools)) return agent.with({ tools: tools.map((tool) => replayedTool(tool, tool.name, calls)) });
  const entries = Object.entries(tools).map(([name, tool]) => [name, replayedTool(tool, name, calls)] as const);
  return agent.with({ tools: Object.fromEntries(entries) });
}

function replayedTool(tool: Tool, name: string, calls: RecordedCalls): Tool {
  if (tool.effects === "none") return tool;
  const taken = new Map<string, number>();
  return {
    ...tool,
    parseInput: (input) => tool.parseInput(input),
    // A recorded result has no effect, so nobody has to approve it.
    needsApproval: () => false,
    execute(input) {
      const key = keyOf(name, encodeValue(input));
      const outcomes = calls.get(key) ?? [];
      const count = taken.get(key) ?? 0;
      taken.set(key, count + 1);
      // If the call is made more often than in the recorded run, return the last result again.
      const outcome = outcomes[count] ?? outcomes.at(-1);
      if (outcome?.type === "ok") return decodeValue(outcome.value);
      if (outcome) throw AgentError.from(outcome.error);
      throw new AgentError("tool-execution", `"${name}" was not called with this input in the recorded run`, {
        hint: "the call is not made in a replay; continue without it",
      });
    },
  };
}
