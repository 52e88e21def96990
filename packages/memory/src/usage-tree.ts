import { type DurableEvent, isPathAt, isPathUnder, type Path, type TokenUsage } from "@smolts/protocol";
import { sumUsage } from "./total-usage.ts";

/** The usage of an agent, and of the agents that worked for it. */
export interface UsageTree extends TokenUsage {
  /** The agent's place, such as `["manager", "search#3.1"]`. */
  readonly path: Path;
  /** The usage of the agent's own model calls. */
  readonly own: TokenUsage;
  /**
   * How many answers of models were lost before they were recorded, by a crash or an abort, here
   * and below: they were asked for again. Nobody knows what they cost, so they are in no sum.
   * Absent for none.
   */
  readonly lostAnswers?: number;
  /** The estimated usage of the lost answers, which budgets count; in no sum. Absent for none. */
  readonly lostEstimate?: LostEstimate;
  /** The usage of each call of a managed agent, in the order in which the calls began. */
  readonly agents: readonly UsageTree[];
}

/**
 * The estimated usage of lost answers. Each counts as the answer that was given in its place. Until
 * there is one, it counts as the largest answer so far of the same agent, and as nothing if that
 * agent has no answer yet.
 */
export interface LostEstimate {
  /** Input and output together. */
  readonly totalTokens: number;
  /** In US dollars; absent when the model does not report its cost. */
  readonly costUsd?: number;
}

/** Adds up usage, one event after the other. */
export interface UsageFold {
  add(event: DurableEvent): void;
  /** As {@link usageTree} of all events so far. */
  tree(): UsageTree | null;
}

/**
 * Adds up the usage that the events of a run report. Null when a model answered without reporting
 * it, because a total with a gap is wrong.
 *
 * `cachedInputTokens` and `reasoningTokens` are there when any answer has them, `costUsd` only when
 * every answer has it.
 *
 * @param path - of the agent at the top
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
 * Makes a fold of the usage of the agent at `path`.
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
      // It is the whole run that continues, wherever it was broken off.
      if (event.type === "run-resume") top.resume();
      else if (isPathAt(event.path, path) || isPathUnder(event.path, path)) top.at(event.path).add(event);
    },
    tree: () => top.tree(),
  };
}

class UsageNode {
  readonly #path: Path;
  readonly #agents = new Map<string, UsageNode>();
  /** Undefined before the first answer, null after one that did not report its usage. */
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
    return {
      path: this.#path,
      ...sumUsage([...own, ...agents.filter(hasAsked)]),
      own: sumUsage(own),
      ...(lostAnswers > 0 && { lostAnswers, lostEstimate: estimates.reduce(both) }),
      agents,
    };
  }
}

/** Counts the answers of one agent's model that were lost before they were recorded. */
class LostAnswers {
  /** The answers that are waited for, and how often each was lost so far. */
  readonly #open = new Map<string, number>();
  #settled: LostEstimate = nothing;
  #largest: LostEstimate = nothing;
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

  estimate(): LostEstimate {
    return [...this.#open.values()].reduce((sum, times) => both(sum, timesOf(this.#largest, times)), this.#settled);
  }

  #settle(ask: string, usage: LostEstimate): void {
    this.#settled = both(this.#settled, timesOf(usage, this.#open.get(ask) ?? 0));
    this.#open.delete(ask);
  }
}

const nothing: LostEstimate = { totalTokens: 0 };

const withCost = (totalTokens: number, costs: readonly (number | undefined)[], of: (known: number[]) => number) => {
  const known = costs.filter((cost) => cost !== undefined);
  return { totalTokens, ...(known.length > 0 && { costUsd: of(known) }) };
};

const both = (a: LostEstimate, b: LostEstimate): LostEstimate =>
  withCost(a.totalTokens + b.totalTokens, [a.costUsd, b.costUsd], (known) => known.reduce((sum, cost) => sum + cost));

const larger = (a: LostEstimate, b: LostEstimate): LostEstimate =>
  withCost(Math.max(a.totalTokens, b.totalTokens), [a.costUsd, b.costUsd], (known) => Math.max(...known));

const timesOf = ({ totalTokens, costUsd }: LostEstimate, times: number): LostEstimate =>
  withCost(totalTokens * times, [costUsd], ([cost = 0]) => cost * times);

/** The answer that an event says is asked for; null for none. */
function askIn(event: DurableEvent): string | null {
  if (event.type === "step-start") return "step";
  if (event.type !== "model-request") return null;
  return event.purpose === "tool" ? event.callId : event.purpose;
}

/**
 * The answer that an event says is there, or is no longer waited for. A fork may have code of its
 * own instead of one.
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
      return event.name === toolGeneration ? (event.data as { readonly callId: string }).callId : null; // the core wrote it
    default:
      return null;
  }
}

const toolGeneration = "smolts/tool-generation";

/**
 * An agent that has asked no model yet has no costs to tell, and must not make those of the others
 * unknown.
 */
const hasAsked = ({ totalTokens }: TokenUsage): boolean => totalTokens > 0;

function usagesIn(event: DurableEvent): readonly (TokenUsage | null)[] {
  if ("usage" in event) return [event.usage];
  if (event.type !== "note" || event.name !== toolGeneration) return [];
  // A tool asked the agent's model; the core wrote the note.
  return [(event.data as { readonly usage: TokenUsage | null }).usage];
}
