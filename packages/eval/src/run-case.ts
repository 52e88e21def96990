// Runs one case and creates its row. Errors of the agent, the answer or a scorer become part of the
// row.

import {
  AgentError,
  type Budget,
  type RunLog,
  type RunStatus,
  redact,
  redactData,
  type SerializedError,
  type TokenUsage,
} from "@smolts/protocol";
import { textOfAnswer, textOfAnything } from "./answer-text.ts";
import type { EvaluationCase } from "./case.ts";
import {
  type CaseRun,
  type CaseRunResult,
  type EvaluationTarget,
  isEvaluatedAgent,
  withStore,
} from "./evaluated-agent.ts";
import type { EvaluationRow, RowScore } from "./evaluation.ts";
import { watchScored } from "./explain-evaluation.ts";
import { inTime, TimedOut } from "./in-time.ts";
import { type Scorer, toScore } from "./scorer.ts";
import { totalOf } from "./summary.ts";

/** The settings that all cases share. */
export interface CaseSettings {
  readonly agent: EvaluationTarget;
  readonly scorers: readonly Scorer[];
  readonly caseTimeoutMs: number;
  /** Aborts when the evaluation is stopped. */
  readonly signal: AbortSignal;
  readonly store: Parameters<typeof withStore>[1];
}

/** The limits of one case, and the id of its run. */
export interface CaseAttempt {
  readonly budget: Budget | undefined;
  readonly runId: string | undefined;
  /** Whether an earlier attempt may have begun the run. */
  readonly mayHaveBegun: boolean;
}

/** The answer of a case before it is scored. */
interface Answered {
  readonly runId: string | null;
  readonly status: EvaluationRow["status"];
  readonly output?: unknown;
  readonly error?: unknown;
  readonly steps: number;
  readonly usage: TokenUsage | null;
  readonly log: RunLog | null;
}

const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/**
 * Runs a case and scores its answer.
 *
 * @throws the reason of `signal` if the evaluation is stopped; no other errors
 */
export async function runCase(
  given: EvaluationCase,
  place: CaseAttempt,
  settings: CaseSettings,
): Promise<EvaluationRow> {
  const startTime = performance.now();
  const answered = await answerOf(given, place, settings);
  settings.signal.throwIfAborted();
  const durationMs = performance.now() - startTime;
  const spent: (TokenUsage | null)[] = [];
  const scores = await scoresOf(given, answered, settings, (usage) => spent.push(usage));
  settings.signal.throwIfAborted();
  const hasAnswer = "output" in answered;
  return {
    caseId: given.id,
    input: given.input,
    ...(given.expected === undefined ? {} : { expected: given.expected }),
    runId: answered.runId,
    status: answered.status,
    answer: hasAnswer ? cut(redact(textOfAnswer(answered.output)), maxAnswerLength) : null,
    error: "error" in answered ? errorOf(answered.error) : null,
    scores,
    steps: answered.steps,
    usage: answered.usage,
    scorerUsage: totalOf(spent),
    durationMs,
  };
}

/** The longest answer and the longest error message in a row, in characters. */
const maxAnswerLength = 2_000;

async function answerOf(given: EvaluationCase, place: CaseAttempt, settings: CaseSettings): Promise<Answered> {
  const { signal, caseTimeoutMs: timeoutMs } = settings;
  const begun: { run?: CaseRun } = {};
  try {
    return await inTime((inner) => answer(given, place, settings, inner, begun), {
      signal,
      timeoutMs,
      what: "the case",
    });
  } catch (error) {
    const status = error instanceof TimedOut ? "timeout" : "failed";
    const usage = begun.run ? begun.run.usage : noUsage;
    return { runId: place.runId ?? null, status, error, steps: 0, usage, log: null };
  }
}

async function answer(
  given: EvaluationCase,
  { budget, runId, mayHaveBegun }: CaseAttempt,
  { agent, store }: CaseSettings,
  signal: AbortSignal,
  begun: { run?: CaseRun },
): Promise<Answered> {
  const made = isEvaluatedAgent(agent) ? agent : await agent(given, { signal });
  if (!isEvaluatedAgent(made)) {
    return { runId: null, status: "success", output: made, steps: 0, usage: noUsage, log: null };
  }
  const kept = withStore(made, store);
  const options = { signal, ...(budget && { budget }) };
  const hasBegun = mayHaveBegun && runId !== undefined && ((await kept.runs?.find(runId)) ?? null) !== null;
  begun.run = hasBegun
    ? kept.agent.resume(runId, options)
    : kept.agent.run(given.input, { ...options, ...(runId === undefined ? {} : { runId }) });
  const result = await begun.run.result;
  if (result.status === "aborted" && signal.aborted) throw signal.reason;
  return answeredBy(result);
}

const answeredBy = (result: CaseRunResult): Answered => ({
  runId: result.runId,
  status: result.status,
  ...("output" in result && result.output !== undefined ? { output: result.output } : {}),
  ...(result.error === undefined ? {} : { error: result.error }),
  steps: result.steps.filter(({ type }) => type === "action").length,
  usage: result.usage && plainUsage(result.usage),
  log: result.log,
});

/** Returns the usage without the part that lists each managed agent. */
export function plainUsage({ inputTokens, outputTokens, totalTokens, ...rest }: TokenUsage): TokenUsage {
  const { cachedInputTokens, reasoningTokens, costUsd } = rest;
  return {
    inputTokens,
    outputTokens,
    totalTokens,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

async function scoresOf(
  given: EvaluationCase,
  answered: Answered,
  { scorers, caseTimeoutMs, signal }: CaseSettings,
  spend: (usage: TokenUsage | null) => void,
): Promise<EvaluationRow["scores"]> {
  const scoreBy = async (scorer: Scorer): Promise<RowScore> => {
    if (!("output" in answered)) return { value: 0, reason: "no answer" };
    const { output, status, steps, usage, log } = answered;
    const what = `the scorer "${scorer.name}"`;
    // The cast is safe: there is an answer, so the status is not `timeout`.
    const answer = { case: given, answer: output, status: status as RunStatus, steps, usage, log };
    const { scored, checkRead } = watchScored(answer);
    try {
      const score = async (inner: AbortSignal) => scorer.score(scored, { signal: inner, spend });
      const { value, reason } = toScore(await inTime(score, { signal, timeoutMs: caseTimeoutMs, what }));
      if (scorer.score.length > 0) checkRead();
      return { value, ...(reason === undefined ? {} : { reason: cut(redact(reason), maxReasonLength) }) };
    } catch (error) {
      const { message, hint } = serialized(error);
      const why = hint === undefined ? message : `${message}; ${hint}`;
      return { value: null, reason: cut(redact(why), maxReasonLength) };
    }
  };
  const scores = await Promise.all(scorers.map(async (scorer) => [scorer.name, await scoreBy(scorer)] as const));
  return Object.fromEntries(scores);
}

/** The longest reason of a scorer, in characters. */
const maxReasonLength = 500;

function errorOf(thrown: unknown): SerializedError {
  const error = serialized(thrown);
  return { ...error, message: cut(redact(error.message), maxAnswerLength) };
}

/**
 * Converts any thrown value to an error. A value can be of any type, and its properties may throw.
 */
function serialized(thrown: unknown): SerializedError {
  try {
    if (AgentError.is(thrown)) return redactData(thrown.toJSON());
    if (thrown instanceof Error) {
      return { code: "callback", name: textOfAnything(thrown.name), message: textOfAnything(thrown.message) };
    }
  } catch {
    // The error cannot be read completely; return its text only.
  }
  return { code: "callback", message: textOfAnything(thrown) };
}

const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength)}… (${text.length - maxLength} more characters)`;
