import { type DurableEvent, isPathAt, isPathUnder, type Path, type TokenUsage } from "@smolts/protocol";
import { explainUsage } from "./explain-step.ts";
import { sumUsage } from "./total-usage.ts";

/** The usage of an agent and of the agents that worked for it. The total includes all of them. */
export interface UsageTree extends TokenUsage {
  /** The path of the agent, such as `["manager", "search#3.1"]`. */
  readonly path: Path;
  /** The usage of the agent's own model calls. */
  readonly own: TokenUsage;
  /**
   * How many model answers were lost in a crash or an abort before they were recorded, for this
   * agent and its managed agents. The models were asked again. The cost of the lost answers is
   * unknown, so the totals do not include it. Absent if none was lost.
   */
  readonly lostAnswers?: number;
  /**
   * The estimated usage of the lost answers. Budgets count it; the totals here do not include it.
   * Absent if none was lost.
   */
  readonly lostEstimate?: LostUsageEstimate;
  /** The usage of each call of a managed agent, in the order in which the calls began. */
  readonly agents: readonly UsageTree[];
}

/**
 * The estimated usage of lost answers. A lost answer counts as much as the answer that replaced it.
 * Until there is a replacement, it counts as much as the largest answer of the same agent so far,
 * or as nothing if that agent has no answer yet.
 */
export interface LostUsageEstimate {
  /** Input and output tokens together. */
  readonly totalTokens: number;
  /** In US dollars; absent when the model does not report its cost. */
  readonly costUsd?: number;
}

/** Adds up usage, one event after the other. */
export interface UsageFold {
  add(event: DurableEvent): void;
  /** Returns the result of {@link usageTree} for all events so far. */
  tree(): UsageTree | null;
}

/**
 * Adds up the usage that the events of a run report. Returns null when the usage of any answer is
 * unknown, because the total would then be wrong.
 *
 * `cachedInputTokens` and `reasoningTokens` are present when any answer has them, and `costUsd`
 * only when every answer has it.
 *
 * @param path - the path of the agent at the top of the tree
 * @example
 * ```ts
 * import { memoryLog, usageTree } from "@smolts/memory";
 *
 * console.log(usageTree(memoryLog().events, ["agent"])?.totalTokens); // 0
 * ```
 */
export function usageTree(events: Iterable<DurableEvent>, path: Path): UsageTree | null {
  const fold = createUsageFold(path);
  for (const event of events) fold.add(event);
  return fold.tree();
}

/**
 * Creates a fold that adds up the usage of the agent at `path`.
 *
 * @example
 * ```ts
 * import { createUsageFold } from "@smolts/memory";
 *
 * console.log(createUsageFold(["agent"]).tree()?.totalTokens); // 0
 * ```
 */
export function createUsageFold(path: Path): UsageFold {
  const top = new UsageNode(path);
  return {
    add: (event) => {
      // A resume is recorded with the path of one agent, but it concerns all agents of the run.
      if (event.type === "run-resume") top.resume();
      else if (isPathAt(event.path, path) || isPathUnder(event.path, path)) top.at(event.path).add(event);
    },
    tree: () => top.tree(),
  };
}

class UsageNode {
  readonly #path: Path;
  readonly #agents = new Map<string, UsageNode>();
  /** Undefined before the first answer, null after an answer that did not report its usage. */
  #own: TokenUsage | null | undefined;
  readonly #lost = new LostAnswers();

  constructor(path: Path) {
    this.#path = path;
  }

  at(path: Path): UsageNode {
    const name = path[this.#path.length];
    if (name === undefined) return this;
    const below = this.#agents.get(name) ?? new UsageNode([...this.#path, name]);
    this.#agents.set(name, below);
    return below.at(path);
  }

  add(event: DurableEvent): void {
    this.#lost.add(event);
    for (const usage of usagesIn(event)) {
      this.#own = this.#own === undefined || usage === null ? usage : this.#own && sumUsage([this.#own, usage]);
    }
  }

  resume(): void {
    this.#lost.resume();
    for (const agent of this.#agents.values()) agent.resume();
  }

  tree(): UsageTree | null {
    const agents: UsageTree[] = [];
    for (const agent of this.#agents.values()) {
      const tree = agent.tree();
      if (tree === null) return null;
      agents.push(tree);
    }
    if (this.#own === null) return null;
    const own = this.#own === undefined ? [] : [this.#own];
    const lostAnswers = agents.reduce((sum, agent) => sum + (agent.lostAnswers ?? 0), this.#lost.count);
    const estimates = [this.#lost.estimate(), ...agents.flatMap(({ lostEstimate }) => lostEstimate ?? [])];
    return explainUsage({
      path: this.#path,
      ...sumUsage([...own, ...agents.filter(hasAsked)]),
      own: sumUsage(own),
      ...(lostAnswers > 0 && { lostAnswers, lostEstimate: estimates.reduce(both) }),
      agents,
    });
  }
}

/** Counts the answers of one agent's model that were lost before they were recorded. */
class LostAnswers {
  /** The keys of the open model requests, and how often the answer to each was lost. */
  readonly #open = new Map<string, number>();
  #settled: LostUsageEstimate = nothing;
  #largest: LostUsageEstimate = nothing;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(event: DurableEvent): void {
    const asked = askIn(event);
    if (asked !== null) this.#open.set(asked, this.#open.get(asked) ?? 0);
    const [usage] = usagesIn(event);
    if (usage) this.#largest = larger(this.#largest, usage);
    const answered = answeredIn(event);
    if (answered !== null) this.#settle(answered, usage ?? this.#largest);
  }

  resume(): void {
    for (const [ask, times] of this.#open) this.#open.set(ask, times + 1);
    this.#count += this.#open.size;
  }

  estimate(): LostUsageEstimate {
    return [...this.#open.values()].reduce((sum, times) => both(sum, timesOf(this.#largest, times)), this.#settled);
  }

  #settle(ask: string, usage: LostUsageEstimate): void {
    this.#settled = both(this.#settled, timesOf(usage, this.#open.get(ask) ?? 0));
    this.#open.delete(ask);
  }
}

const nothing: LostUsageEstimate = { totalTokens: 0 };

const withCost = (totalTokens: number, costs: readonly (number | undefined)[], of: (known: number[]) => number) => {
  const known = costs.filter((cost) => cost !== undefined);
  return { totalTokens, ...(known.length > 0 && { costUsd: of(known) }) };
};

const both = (a: LostUsageEstimate, b: LostUsageEstimate): LostUsageEstimate =>
  withCost(a.totalTokens + b.totalTokens, [a.costUsd, b.costUsd], (known) => known.reduce((sum, cost) => sum + cost));

const larger = (a: LostUsageEstimate, b: LostUsageEstimate): LostUsageEstimate =>
  withCost(Math.max(a.totalTokens, b.totalTokens), [a.costUsd, b.costUsd], (known) => Math.max(...known));

const timesOf = ({ totalTokens, costUsd }: LostUsageEstimate, times: number): LostUsageEstimate =>
  withCost(totalTokens * times, [costUsd], ([cost = 0]) => cost * times);

/** Returns a key for the model request that an event opens; null for other events. */
function askIn(event: DurableEvent): string | null {
  if (event.type === "step-start") return "step";
  if (event.type !== "model-request") return null;
  return event.purpose === "tool" ? event.callId : event.purpose;
}

/**
 * Returns the key of the model request that an event closes; null for other events. Usually, this
 * event records the model's answer. But if the code of a step comes from the options of a fork, the
 * step asks no model. In such a step, `code-start` or `step-end` closes the request that
 * `step-start` opened.
 */
function answeredIn(event: DurableEvent): string | null {
  switch (event.type) {
    case "model-response":
    case "code-start":
    case "step-end":
      return "step";
    case "plan":
      return "plan";
    case "compaction":
      return "summary";
    case "tool-result":
      return event.callId;
    case "note":
      // The cast is safe: the core wrote this note.
      return event.name === toolGeneration ? (event.data as { readonly callId: string }).callId : null;
    default:
      return null;
  }
}

const toolGeneration = "smolts/tool-generation";

/**
 * Says whether an agent has used any tokens. An agent that has not asked a model yet has no cost,
 * and must not make the total cost unknown.
 */
const hasAsked = ({ totalTokens }: TokenUsage): boolean => totalTokens > 0;

function usagesIn(event: DurableEvent): readonly (TokenUsage | null)[] {
  if ("usage" in event) return [event.usage];
  if (event.type !== "note" || event.name !== toolGeneration) return [];
  // The cast is safe: the core writes this note when a tool has asked the agent's model.
  return [(event.data as { readonly usage: TokenUsage | null }).usage];
}
