// Runs real agents, each with one fault at one of its model calls, and checks that each run ends as
// required.

import { openai } from "@smolts/model-openai";
import { anthropic, ollama, openAICompatible } from "@smolts/models";
import { AgentError, type Model, type RunEvent } from "@smolts/protocol";
import { startModelServer } from "@smolts/testing/server";
import { type Effect, faults, type WireName } from "./fault.ts";
import { type FaultyServer, type Plan, startFaultyServer, stepOf, type Visit } from "./faulty-server.ts";
import { createRandom } from "./random.ts";
import { stepCount, type TortureTask, tasks } from "./task.ts";

/** The results for a series of faults. */
export interface InjectionReport {
  readonly injections: number;
  /** A sentence for each run that did not have the required outcome. */
  readonly acceptedFaults: readonly string[];
}

const attempts = 3;
const parallelRuns = 16;
/**
 * How long a client waits for a server that is silent on purpose, in ms. For all other servers the
 * limit is long, so that a slow answer of a busy machine does not count as silence.
 */
const silenceMs = 200;
const patienceMs = 300_000;
const wires: readonly WireName[] = ["chat", "anthropic", "ollama", "openai-sdk"];

/**
 * Injects faults into runs. In one round, each fault is injected at each step, for each kind of
 * agent and each wire format. Further rounds with other random choices follow until there are
 * enough runs.
 *
 * @param count - the number of runs; if it is smaller than a round, the runs are spread evenly over
 *   the round
 */
export async function runInjections(count: number, seed = 1): Promise<InjectionReport> {
  await using server = await startFaultyServer();
  await using codeModel = await startModelServer(taskNamed("code").script);
  await using callsModel = await startModelServer(taskNamed("calls").script);
  const injections = injectionsFor(count, seed);
  const acceptedFaults: string[] = [];
  const run = async (injection: Injection): Promise<void> => {
    const upstream = (injection.task.name === "code" ? codeModel : callsModel).url.replace(/\/v1$/, "");
    const wrong = await inject(injection, server, upstream);
    if (wrong !== null) acceptedFaults.push(`${described(injection)}: ${wrong}`);
  };
  await inParallel(injections, run);
  return { injections: injections.length, acceptedFaults };
}

interface Injection {
  readonly task: TortureTask;
  readonly plan: Plan;
}

function injectionsFor(count: number, seed: number): readonly Injection[] {
  const round = tasks.flatMap((task) =>
    wires.flatMap((wire) =>
      faults
        .filter((fault) => fault.wires?.includes(wire) ?? true)
        .flatMap((fault) => Array.from({ length: stepCount }, (_, index) => ({ task, wire, fault, step: index + 1 }))),
    ),
  );
  // If part of a round is enough, take every n-th run, so that all kinds occur.
  const stride = Math.max(1, Math.floor(round.length / count));
  return Array.from({ length: count }, (_, index) => {
    const chosen = round[(index * stride) % round.length];
    if (chosen === undefined) throw new Error("there are no faults");
    const { task, ...what } = chosen;
    const random = createRandom(seed * 1_000_003 + index);
    return { task, plan: { ...what, times: 1 + random.below(attempts), random } };
  });
}

async function inject({ task, plan }: Injection, server: FaultyServer, upstream: string): Promise<string | null> {
  const visit = server.open(plan, upstream);
  const looks: string[] = [];
  const run = task.agent(modelFor(plan, visit), looks).run("Find the answer.");
  const events: RunEvent[] = [];
  for await (const event of run.events()) events.push(event);
  const { output, error } = await run.result;
  const { requests } = visit;
  return (
    wrongInRequests(requests, events) ??
    problemInLooks(task, looks, error === undefined) ??
    (error === undefined ? wrongInAnswer(task, plan, output) : wrongInError(plan, error, requests))
  );
}

/**
 * Creates a model with the plan's wire format. The model sends its requests to the faulty server.
 * If the fault has its own `address`, requests with the fault go there instead.
 */
function modelFor({ wire, fault }: Plan, visit: Visit): Model {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const step = stepOf(String(init?.body));
    visit.count(step);
    return globalThis.fetch(visit.isLastSpoiled() ? (fault.address ?? input) : input, init);
  };
  const options = {
    baseUrl: wire === "ollama" ? visit.origin : `${visit.origin}/v1`,
    apiKey: "torture-key-0123456789",
    retries: { attempts, initialDelayMs: 1, maxDelayMs: 2 },
    timeouts: {
      // The model reads these limits again before each request and during each answer. So only the
      // requests with a silent server get the short limit.
      get firstEventMs() {
        return fault.isSilent === true && visit.isNextSpoiled() ? silenceMs : patienceMs;
      },
      get idleMs() {
        return fault.isSilent === true && visit.isLastSpoiled() ? silenceMs : patienceMs;
      },
    },
    fetch,
  };
  switch (wire) {
    case "chat":
      return openAICompatible("m", options);
    case "anthropic":
      return anthropic("m", options);
    case "ollama":
      return ollama("m", options);
    case "openai-sdk":
      return openai("m", { ...options, api: "chat" });
    default:
      return wire satisfies never;
  }
}

const isShown = ({ type }: RunEvent): boolean => /^(text|reasoning|code|tool-call)-delta$/.test(type);

/**
 * Checks that there were never more attempts than configured, and none after a part of the answer
 * was shown.
 */
function wrongInRequests(requests: readonly number[], events: readonly RunEvent[]): string | null {
  const most = Math.max(...requests.filter((count) => count > 0));
  if (most > attempts) return `${most} attempts`;
  const retries = events.filter(({ type }) => type === "retry").length;
  const repeated = requests.reduce((sum, count) => sum + Math.max(0, (count ?? 0) - 1), 0);
  if (repeated !== retries) return `${repeated} repeated requests, and ${retries} retries reported`;
  let shown = false;
  for (const event of events) {
    if (event.type === "step-start") shown = false;
    shown ||= isShown(event);
    if (shown && event.type === "retry") return "a retry after something was shown";
  }
  return null;
}

/**
 * Checks which calls of the tool were made. No call may be repeated, and only the expected calls
 * may be made. `isAll` is set if the run has an answer. No expected call may be missing then.
 */
function problemInLooks({ looks: expected }: TortureTask, looks: readonly string[], isAll: boolean): string | null {
  const wanted = isAll ? expected : expected.slice(0, looks.length);
  // The calls of one answer run in parallel, so their order does not matter.
  return JSON.stringify([...looks].sort()) === JSON.stringify([...wanted].sort())
    ? null
    : `it looked at ${JSON.stringify(looks)}`;
}

function wrongInAnswer(task: TortureTask, { fault, times }: Plan, output: unknown): string | null {
  if (output !== task.answer) return `the answer is ${JSON.stringify(output)}`;
  const isPossible = fault.effect !== "fatal" && (fault.effect !== "passing" || times < attempts);
  return isPossible ? null : "an answer where there is none";
}

function wrongInError({ fault, times, step }: Plan, error: AgentError, requests: readonly number[]): string | null {
  if (!AgentError.is(error) || error.code !== "generation")
    return `an error of the code "${error.code}": ${error.message}`;
  if (error.details === undefined) return `an error without details: ${error.message}`;
  const made = requests[step] ?? 0;
  return wrongAttempts(fault.effect, times, made) ? `${made} attempts, and then: ${error.message}` : null;
}

function wrongAttempts(effect: Effect, times: number, made: number): boolean {
  switch (effect) {
    case "harmless":
      return true;
    case "passing":
      return times < attempts || made !== attempts;
    case "fatal":
      return made !== 1;
    case "breaking":
      return false;
    default:
      return effect satisfies never;
  }
}

function taskNamed(name: TortureTask["name"]): TortureTask {
  const task = tasks.find((one) => one.name === name);
  if (!task) throw new Error(`there is no task "${name}"`);
  return task;
}

function described({ task, plan: { fault, wire, step, times } }: Injection): string {
  return `${fault.name} (${times} in a row) at step ${step} of "${task.name}" over ${wire}`;
}

async function inParallel(
  injections: readonly Injection[],
  run: (injection: Injection) => Promise<void>,
): Promise<void> {
  const waiting = injections[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const injection of waiting) await run(injection);
  };
  await Promise.all(Array.from({ length: parallelRuns }, worker));
}
