import type { OptionTable } from "@smolts/protocol";
import type { SessionForkOptions, SessionOptions, SessionRunOptions } from "../session/session.ts";
import type { AsToolOptions } from "../tools/agent-tool.ts";
import type { AgentOptions, CodeAgentOptions, ResumeOptions, ToolCallingAgentOptions } from "./agent-options.ts";

const agentOptions: OptionTable<AgentOptions> = {
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
  reader: true,
};

/** The options of a code agent, with the kind of each value. */
export const codeAgentOptions: OptionTable<CodeAgentOptions> = {
  ...agentOptions,
  executor: true,
  codeBlockTags: true,
  structuredOutput: true,
  checkCode: true,
  maxPrintedLength: true,
  modules: true,
  additionalAuthorizedImports: true,
};

/** The options of a tool-calling agent, with the kind of each value. */
export const toolCallingAgentOptions: OptionTable<ToolCallingAgentOptions> = {
  ...agentOptions,
  parseToolCalls: true,
  answerByText: true,
};

/** The options of a run, with the kind of each value. */
export const runOptions: OptionTable<SessionRunOptions> = {
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
  emptySandbox: true,
};

/** The options of a resumed run, with the kind of each value. */
export const resumeOptions: OptionTable<ResumeOptions> = {
  output: true,
  signal: true,
  approve: true,
  metadata: true,
  decisions: true,
  force: true,
  moreSteps: true,
  budget: true,
  emptySandbox: true,
};

/** The options of a fork, with the kind of each value. */
export const forkOptions: OptionTable<SessionForkOptions> = {
  output: true,
  signal: true,
  approve: true,
  metadata: true,
  moreSteps: true,
  budget: true,
  emptySandbox: true,
  atStep: true,
  code: true,
  message: true,
  runId: true,
  repeatEffects: true,
  parentRunId: true,
};

/** The options of a session, with the kind of each value. */
export const sessionOptions: OptionTable<SessionOptions> = { log: "object", id: true };

/** The options of `asTool()`, with the kind of each value. */
export const asToolOptions: OptionTable<AsToolOptions> = {
  name: true,
  description: true,
  memory: true,
  summary: "flag",
  budget: "object",
};
