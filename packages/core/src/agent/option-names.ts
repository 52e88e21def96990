import { nearestName } from "@smolts/protocol";
import { invalidOption, isRecord, shown } from "../invalid-option.ts";
import type { SessionRunOptions } from "../session/session.ts";
import type {
  AgentOptions,
  CodeAgentOptions,
  ForkOptions,
  ResumeOptions,
  ToolCallingAgentOptions,
} from "./agent-options.ts";

/** Each option by its name, so that the compiler sees when one is missing. */
type Names<Options> = { readonly [Name in keyof Options]-?: true };

const agentOptions: Names<AgentOptions> = {
  model: true,
  tools: true,
  managedAgents: true,
  provideRunSummary: true,
  output: true,
  instructions: true,
  prompts: true,
  maxSteps: true,
  planningInterval: true,
  budget: true,
  finalAnswerChecks: true,
  stepCallbacks: true,
  beforeStep: true,
  name: true,
  description: true,
  maxParallelToolCalls: true,
  suspendGraceMs: true,
  approvalTimeoutMs: true,
  approve: true,
  approval: true,
  metadata: true,
  store: true,
  context: true,
};

const codeAgentOptions: Names<CodeAgentOptions> = {
  ...agentOptions,
  executor: true,
  codeBlockTags: true,
  structuredOutput: true,
  checkCode: true,
  maxPrintedLength: true,
  modules: true,
  additionalAuthorizedImports: true,
};

const toolCallingAgentOptions: Names<ToolCallingAgentOptions> = {
  ...agentOptions,
  parseToolCalls: true,
  answerByText: true,
};

const runOptions: Names<SessionRunOptions> = {
  output: true,
  images: true,
  additionalArgs: true,
  history: true,
  maxSteps: true,
  budget: true,
  signal: true,
  approve: true,
  metadata: true,
  runId: true,
  forceAnswer: true,
  manual: true,
  notes: true,
  queue: true,
};

const resumeOptions: Names<ResumeOptions> = {
  output: true,
  signal: true,
  approve: true,
  metadata: true,
  decisions: true,
  force: true,
  moreSteps: true,
  budget: true,
};

const forkOptions: Names<ForkOptions> = {
  output: true,
  signal: true,
  approve: true,
  metadata: true,
  moreSteps: true,
  budget: true,
  atStep: true,
  code: true,
  message: true,
  runId: true,
  repeatEffects: true,
};

/** The names of the options of an agent. */
export const agentOptionNames = (kind: "code" | "tool-calling"): readonly string[] =>
  Object.keys(kind === "code" ? codeAgentOptions : toolCallingAgentOptions);

/** The names of the options of a run. */
export const runOptionNames: readonly string[] = /* @__PURE__ */ Object.keys(runOptions);

/** The names of the options of a resumed run. */
export const resumeOptionNames: readonly string[] = /* @__PURE__ */ Object.keys(resumeOptions);

/** The names of the options of a fork. */
export const forkOptionNames: readonly string[] = /* @__PURE__ */ Object.keys(forkOptions);

/** Options of smolagents' `run` that have another form here. */
const otherForms: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["reset", "each run starts afresh; use agent.session() to keep memory and state from run to run"],
  ["stream", "every run streams: iterate it, as in for await (const event of agent.run(task))"],
  ["single_step", "write { maxSteps: 1, forceAnswer: false }"],
  ["verbosity_level", "read run.events(), or print the run with printRun() of smolts/terminal"],
]);

/** Refuses options that nobody knows. @throws AgentError `invalid-option` that says which one is meant */
export function checkNames(options: unknown, known: readonly string[], whose: string): void {
  if (!isRecord(options)) throw invalidOption(`the options of ${whose} are ${shown(options)}; expected an object`);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    const hint =
      otherForms.get(name) ?? (nearest ? `did you mean "${nearest}"?` : `the options are: ${known.join(", ")}`);
    throw invalidOption(`${whose} has no option "${name}"`, hint);
  }
}
