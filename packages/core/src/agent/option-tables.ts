import type { OptionTable } from "@smolts/protocol";
import type { SessionForkOptions, SessionOptions, SessionRunOptions } from "../session/session.ts";
import type { AsToolOptions } from "../tools/agent-tool.ts";
import type { AgentOptions, CodeAgentOptions, ResumeOptions, ToolCallingAgentOptions } from "./agent-options.ts";

const agentOptions: OptionTable<AgentOptions> = {
  model: true,
  tools: true,
  managedAgents: true,
  provideRunSummary: "flag",
  output: true,
  instructions: "text",
  prompts: true,
  maxSteps: true,
  planningInterval: true,
  budget: true,
  finalAnswerChecks: true,
  stepCallbacks: true,
  beforeStep: true,
  name: true,
  description: "text",
  maxParallelToolCalls: true,
  suspendGraceMs: true,
  approvalTimeoutMs: true,
  approve: "function",
  approval: "function",
  metadata: true,
  store: true,
  context: true,
  reader: "function",
};

/** The options of a code agent, with the kind of each value. */
export const codeAgentOptions: OptionTable<CodeAgentOptions> = {
  ...agentOptions,
  executor: true,
  codeBlockTags: true,
  structuredOutput: "flag",
  checkCode: true,
  maxPrintedLength: true,
  modules: true,
  additionalAuthorizedImports: true,
};

/** The options of a tool-calling agent, with the kind of each value. */
export const toolCallingAgentOptions: OptionTable<ToolCallingAgentOptions> = {
  ...agentOptions,
  parseToolCalls: "function",
  answerByText: "flag",
};

/** The options of a run, with the kind of each value. */
export const runOptions: OptionTable<SessionRunOptions> = {
  output: true,
  images: true,
  additionalArgs: true,
  history: true,
  maxSteps: true,
  budget: true,
  signal: "signal",
  approve: "function",
  metadata: true,
  runId: "text",
  forceAnswer: "flag",
  manual: "flag",
  notes: "object",
  queue: "flag",
  emptySandbox: "flag",
};

/** The options of a resumed run, with the kind of each value. */
export const resumeOptions: OptionTable<ResumeOptions> = {
  decisions: true,
  output: true,
  signal: "signal",
  approve: "function",
  metadata: true,
  force: "flag",
  moreSteps: true,
  budget: true,
  emptySandbox: "flag",
};

/** The options of a fork, with the kind of each value. */
export const forkOptions: OptionTable<SessionForkOptions> = {
  atStep: true,
  code: "text",
  message: "text",
  output: true,
  signal: "signal",
  approve: "function",
  metadata: true,
  moreSteps: true,
  budget: true,
  emptySandbox: "flag",
  runId: "text",
  repeatEffects: "flag",
  parentRunId: true,
};

/** The options of a session, with the kind of each value. */
export const sessionOptions: OptionTable<SessionOptions> = { log: "object", id: true };

/** The options of `asTool()`, with the kind of each value. */
export const asToolOptions: OptionTable<AsToolOptions> = {
  name: true,
  description: true,
  memory: ["fresh", "keep"],
  summary: "flag",
  budget: "object",
};
