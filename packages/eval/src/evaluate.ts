// Runs an evaluation. A fixed number of workers take cases from the table, and each case becomes a
// row. If there is a budget, a sample of the cases runs first to estimate the cost. The rows of the
// sample are kept, so no case is paid for twice.

import {
  AgentError,
  type Budget,
  explainPromise,
  invalidOption,
  type OptionTable,
  type RunStore,
  readOptions,
  type TokenUsage,
} from "@smolts/protocol";
import { checkCases, type EvaluationCase, type EvaluationCaseInit } from "./case.ts";
import { type CostEstimate, estimateCost } from "./estimate.ts";
import { type EvaluationTarget, isEvaluatedAgent } from "./evaluated-agent.ts";
import type { Evaluation, EvaluationRow, EvaluationStop } from "./evaluation.ts";
import { type EvaluationHeader, type EvaluationLog, openEvaluationLog, runIdOf } from "./evaluation-log.ts";
import { explainEvaluation, explainRow } from "./explain-evaluation.ts";
import { type CaseSettings, runCase } from "./run-case.ts";
import { checkScorers, type Scorer, type ScorerFunction } from "./scorer.ts";
import { contains } from "./scorers/contains.ts";
import { exact } from "./scorers/exact.ts";
import { judge } from "./scorers/judge.ts";
import { schema } from "./scorers/schema.ts";
import { summarize, totalOf } from "./summary.ts";

/**
 * The limits of a whole evaluation. The usage of judges counts too. 0 or Infinity means no limit.
 */
export type EvaluationBudget = Pick<Budget, "tokens" | "costUsd" | "durationMs">;

/** The progress of an evaluation. */
export interface EvaluationProgress {
  readonly finished: number;
  readonly total: number;
  /** The row that was finished last. */
  readonly row: EvaluationRow;
}

/** Settings of {@link evaluate}. */
export interface EvaluateOptions {
  /** The table of cases. `parseCases` reads one from the text of a file. */
  readonly cases: readonly EvaluationCaseInit[];
  /** The agent to evaluate, or a function that returns an agent or the answer itself. */
  readonly agent: EvaluationTarget;
  /** Scorers such as `exact()`, or functions that score an answer. */
  readonly scorers: readonly (Scorer | ScorerFunction)[];
  /** The number of cases that run at the same time; 4 if absent. */
  readonly concurrency?: number;
  /**
   * The store for rows and runs. With it, a stopped evaluation can be continued. If absent, rows
   * are kept only in memory.
   */
  readonly store?: RunStore;
  /**
   * The id of the evaluation in the store. A later call with the same id continues the evaluation.
   * At most 60 lower-case letters, digits and hyphens; random if absent.
   */
  readonly id?: string;
  /**
   * The limits of the evaluation. With `tokens` or `costUsd`, a sample runs first. If the estimate
   * exceeds the budget and `confirm` does not accept it, the evaluation stops. When the budget is
   * exhausted, running cases still finish, so up to `concurrency` cases can exceed it.
   */
  readonly budget?: EvaluationBudget;
  /** The limits of each case; the agent's own budget if absent. */
  readonly caseBudget?: Budget;
  /** The time limit of each case and of each scorer, in ms; 600,000 if absent. */
  readonly caseTimeoutMs?: number;
  /**
   * Called with the estimate for the remaining cases, after the sample. If it returns `false`, the
   * evaluation stops.
   */
  readonly confirm?: (estimate: CostEstimate) => boolean | Promise<boolean>;
  /** The number of cases in the sample, spread over the table; 5 if absent. */
  readonly sample?: number;
  /** Called when a case ends, with the number of finished cases and of all cases. */
  readonly onProgress?: (progress: EvaluationProgress) => void;
  /**
   * Stops the evaluation. Running cases are aborted and get no row. With a store, they can be
   * continued later.
   */
  readonly signal?: AbortSignal;
}

/**
 * Runs an agent over a table of cases and scores its answers.
 *
 * If a case fails, hangs or costs too much, its row has that status and the score 0. With a `store`
 * and an `id` a stopped evaluation can be continued. Finished cases are not run again, and
 * interrupted runs are resumed.
 *
 * @returns the evaluation, even if it was stopped; `stop` says why
 * @throws AgentError `invalid-option` for a wrong option, before anything is run; `lease` while
 *   another process runs this evaluation; `log` when a row cannot be stored
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { evaluate, exact } from "@smolts/eval";
 *
 * const agent = new CodeAgent({ model: modelFromFunction(() => "<code>finalAnswer(6 * 7)</code>") });
 * const cases = [{ input: "Multiply six by seven.", expected: 42 }];
 * const { summary } = await evaluate({ cases, agent, scorers: [exact()] });
 * console.log(summary.scores["exact"]?.mean); // 1
 * ```
 */
export function evaluate(given: EvaluateOptions): Promise<Evaluation> {
  return explainPromise(evaluated(given), "evaluate()");
}

async function evaluated(given: EvaluateOptions): Promise<Evaluation> {
  if (isEvaluatedAgent(given))
    throw invalidOption("evaluate() got an agent", "write evaluate({ cases, agent, scorers })");
  const options = readOptions(given, "evaluate()", evaluateOptions);
  const plan = checkOptions(options);
  const log = plan.store ? await openEvaluationLog(plan.store, plan.id, plan.header, plan.cases) : null;
  try {
    return await new RunningEvaluation(plan, log).run();
  } finally {
    await log?.[Symbol.asyncDispose]();
  }
}

/** The options of {@link evaluate}. */
export const evaluateOptions: OptionTable<EvaluateOptions> = {
  cases: "required",
  agent: "required",
  scorers: "required",
  concurrency: true,
  store: true,
  id: true,
  budget: { tokens: true, costUsd: true, durationMs: true },
  caseBudget: true,
  caseTimeoutMs: true,
  confirm: true,
  sample: true,
  onProgress: true,
  signal: true,
};

type Plan = Required<Pick<EvaluateOptions, "concurrency" | "caseTimeoutMs" | "sample" | "id" | "budget">> &
  Pick<EvaluateOptions, "store" | "caseBudget" | "confirm" | "onProgress" | "signal" | "agent"> & {
    readonly cases: readonly EvaluationCase[];
    readonly scorers: readonly Scorer[];
    readonly header: EvaluationHeader;
  };

function checkOptions({ budget = {}, ...options }: EvaluateOptions): Plan {
  const { agent, id = crypto.randomUUID(), concurrency = 4, caseTimeoutMs = 600_000, sample = 5 } = options;
  const cases = checkCases(options.cases);
  mustBeCalled(options.scorers);
  const scorers = checkScorers(options.scorers);
  mustBeEvaluated(agent);
  mustHaveExpected(cases, scorers);
  for (const [name, value] of Object.entries({ concurrency, caseTimeoutMs, sample })) {
    if (typeof value !== "number" || !(value >= 1)) {
      throw invalidOption(`${name} is ${String(value)}; expected a number >= 1`, "leave it out for the default");
    }
  }
  if (!/^[a-z0-9][a-z0-9-]{0,59}$/.test(id)) {
    throw invalidOption(
      `id is ${JSON.stringify(id)}; expected lower-case letters, digits and hyphens`,
      'write id: "nightly-1"',
    );
  }
  const isAgent = isEvaluatedAgent(agent);
  const header = {
    version: 1 as const,
    agent: isAgent ? agent.name : agent.name || "function",
    model: isAgent ? agent.model.id : null,
    scorers: scorers.map(({ name }) => name),
  };
  return {
    ...options,
    agent,
    cases,
    scorers,
    id,
    concurrency,
    caseTimeoutMs,
    sample,
    budget: checkBudget(budget),
    header,
  };
}

function mustBeCalled(scorers: unknown): void {
  if (!Array.isArray(scorers)) throw invalidOption("scorers is not a list", "write scorers: [exact()]");
  const factory = [contains, exact, judge, schema].find((one) => scorers.includes(one));
  if (factory)
    throw invalidOption(`scorers contains the function ${factory.name}`, `call it: write scorers: [${factory.name}()]`);
}

function mustBeEvaluated(agent: unknown): void {
  if (typeof agent === "function" || isEvaluatedAgent(agent)) return;
  throw invalidOption(
    `agent is ${agent === null ? "null" : `a value of type ${typeof agent}`}; expected an agent or a function`,
    "write agent: new CodeAgent({ ... }), or agent: (given) => answer",
  );
}

function mustHaveExpected(cases: readonly EvaluationCase[], scorers: readonly Scorer[]): void {
  const scorer = scorers.find(({ needsExpected }) => needsExpected);
  const without = cases.find(({ expected }) => expected === undefined);
  if (!scorer || !without) return;
  throw invalidOption(
    `the case "${without.id}" has no "expected", and the scorer "${scorer.name}" compares with it`,
    "add it to the case, or use scorers that do not need it",
  );
}

function checkBudget(budget: EvaluationBudget): EvaluationBudget {
  for (const [limit, value] of Object.entries(budget)) {
    const isLimit = limit === "tokens" || limit === "costUsd" || limit === "durationMs";
    if (!isLimit || typeof value !== "number" || !(value >= 0)) {
      throw invalidOption(
        `budget.${limit} is ${String(value)}; expected a limit that is a number >= 0`,
        "write budget: { costUsd: 5 }; the limits are costUsd, tokens and durationMs",
      );
    }
  }
  return Object.fromEntries(Object.entries(budget).filter(([, value]) => value > 0 && Number.isFinite(value)));
}

/** One call of {@link evaluate}. */
class RunningEvaluation {
  readonly #plan: Plan;
  readonly #log: EvaluationLog | null;
  readonly #rows: Map<string, EvaluationRow>;
  readonly #startTime = performance.now();
  /** Aborts the cases that are running. */
  readonly #controller = new AbortController();
  readonly #settings: CaseSettings;
  #stop: EvaluationStop | null = null;
  /** The usage so far; null if a model did not report it. */
  #spent: TokenUsage | null;

  constructor(plan: Plan, log: EvaluationLog | null) {
    this.#plan = plan;
    this.#log = log;
    this.#rows = new Map(log?.rows);
    this.#spent = totalOf([...this.#rows.values()].flatMap(usagesOf));
    const { agent, scorers, caseTimeoutMs, store } = plan;
    this.#settings = { agent, scorers, caseTimeoutMs, store, signal: this.#controller.signal };
  }

  async run(): Promise<Evaluation> {
    const { signal, header, cases, id, scorers } = this.#plan;
    const onAbort = (): void => {
      this.#stop ??= { type: "aborted", message: `stopped: ${String(signal?.reason)}` };
      this.#controller.abort(signal?.reason);
    };
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await this.#runAll();
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
    const rows = cases.flatMap((one) => this.#rows.get(one.id) ?? []);
    const names = scorers.map(({ name }) => name);
    return explainEvaluation({
      ...header,
      id,
      stop: this.#stop,
      total: cases.length,
      rows: rows.map(explainRow),
      summary: summarize(rows, names),
    });
  }

  async #runAll(): Promise<void> {
    const { budget, confirm } = this.#plan;
    const isCounted = budget.tokens !== undefined || budget.costUsd !== undefined;
    if (confirm || isCounted) {
      await this.#runCases(this.#sampleOf(this.#pending()));
      await this.#confirmRemaining();
    }
    await this.#runCases(this.#pending());
  }

  #pending(): readonly EvaluationCase[] {
    return this.#plan.cases.filter(({ id }) => !this.#rows.has(id));
  }

  /**
   * Returns the cases of the sample. They are spread over the table, because tables are often
   * sorted by difficulty. Rows that exist already count as part of the sample.
   */
  #sampleOf(pending: readonly EvaluationCase[]): readonly EvaluationCase[] {
    const count = Math.min(Math.max(0, this.#plan.sample - this.#rows.size), pending.length);
    const indexes = Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * pending.length) / count));
    return indexes.flatMap((index) => pending[index] ?? []);
  }

  async #confirmRemaining(): Promise<void> {
    const remaining = this.#pending().length;
    if (this.#stop || remaining === 0) return;
    const { confirm, budget } = this.#plan;
    const estimate = estimateCost([...this.#rows.values()], remaining);
    if (confirm) {
      const isAccepted: unknown = await confirm(estimate);
      if (typeof isAccepted !== "boolean")
        throw new AgentError(
          "callback",
          `confirm returned a value of type ${typeof isAccepted}; expected true or false`,
          {
            hint: "return true to run the remaining cases, and false to stop",
          },
        );
      if (!isAccepted) this.#stop ??= { type: "declined", message: "declined after the estimate" };
      return;
    }
    for (const limit of ["costUsd", "tokens"] as const) {
      const [allowed, amount] = [budget[limit], estimate[limit]];
      if (allowed === undefined || amount === null || amount.spent + amount.expected <= allowed) continue;
      const [expected, left, whole] = [amount.expected, allowed - amount.spent, allowed].map(amountText[limit]);
      const message = `the remaining ${remaining} cases will use about ${expected}, and ${left} of ${whole} is left`;
      this.#stop ??= { type: "estimate", message };
    }
  }

  async #runCases(cases: readonly EvaluationCase[]): Promise<void> {
    const queue = cases[Symbol.iterator]();
    const work = async (): Promise<void> => {
      // All workers take cases from the same queue.
      for (const one of { [Symbol.iterator]: () => queue }) {
        if (this.#isOver()) return;
        await this.#runOne(one);
      }
    };
    const workers = Array.from({ length: Math.min(this.#plan.concurrency, cases.length) }, work);
    try {
      await Promise.all(workers);
    } catch (error) {
      // The store or a callback failed. Stop the other cases, because their rows would be lost.
      this.#controller.abort(error);
      await Promise.allSettled(workers);
      throw error;
    }
  }

  async #runOne(given: EvaluationCase): Promise<void> {
    const { store, id, caseBudget, cases, onProgress } = this.#plan;
    const runId = store && (await runIdOf(id, given));
    const mayHaveBegun = this.#log?.hasBegun === true;
    const row = await this.#rowOf(given, { runId, mayHaveBegun, budget: caseBudget });
    if (row === null) return;
    this.#rows.set(given.id, row);
    this.#spent = totalOf([this.#spent, ...usagesOf(row)]);
    await this.#log?.add(given, row);
    onProgress?.({ finished: this.#rows.size, total: cases.length, row });
  }

  /** Returns the row of a case; null if the case was stopped before its end. */
  async #rowOf(given: EvaluationCase, place: Parameters<typeof runCase>[1]): Promise<EvaluationRow | null> {
    try {
      return await runCase(given, place, this.#settings);
    } catch (error) {
      if (this.#controller.signal.aborted) return null;
      throw error;
    }
  }

  #isOver(): boolean {
    this.#stop ??= this.#budgetStop();
    return this.#stop !== null || this.#controller.signal.aborted;
  }

  #budgetStop(): EvaluationStop | null {
    const { budget } = this.#plan;
    // The cast is safe: the budget was checked at the start.
    const limits = Object.entries(budget) as [keyof EvaluationBudget, number][];
    for (const [limit, allowed] of limits) {
      const used = this.#used(limit);
      if (used === null) {
        const what = limit === "costUsd" ? "cost" : "tokens";
        return {
          type: "unknown-cost",
          message: `a model does not report its ${what}, so budget.${limit} cannot be enforced`,
        };
      }
      if (used >= allowed) return { type: "budget", message: `the budget of ${allowed} ${limit} is exhausted` };
    }
    return null;
  }

  #used(limit: keyof EvaluationBudget): number | null {
    if (limit === "durationMs") return performance.now() - this.#startTime;
    const usage = this.#spent;
    if (usage === null) return null;
    if (limit === "tokens") return usage.totalTokens;
    return usage.totalTokens === 0 ? 0 : (usage.costUsd ?? null);
  }
}

const amountText = {
  costUsd: (amount: number): string => `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`,
  tokens: (amount: number): string => `${Math.round(amount)} tokens`,
} as const;

const usagesOf = ({ usage, scorerUsage }: EvaluationRow): readonly (TokenUsage | null)[] => [usage, scorerUsage];
