import { explainRecords, type NamesOfRecords } from "@smolts/memory";
import { AgentError, type ExplainedMembers, explainMembers, explainUnknown, type OtherMembers } from "@smolts/protocol";
import { MultiStepAgent } from "./multi-step-agent.ts";
import { agentRunClass } from "./session/agent-run.ts";
import { explainData, type NamesOfData } from "./session/explain-data.ts";
import { explainAgentMembers, explainRunMembers, explainSessionMembers, isFirst } from "./session/other-members.ts";
import { AgentSession } from "./session/session.ts";

/** The names that other frameworks use for members of agents, runs, sessions and their data. */
export interface OtherNames {
  readonly agent: ExplainedMembers;
  readonly run: ExplainedMembers;
  readonly session: ExplainedMembers;
  /** Members of errors that end a run. */
  readonly error: OtherMembers;
  readonly data: NamesOfData;
  readonly records: NamesOfRecords;
}

/**
 * Adds members with the names of other frameworks to agents, runs, sessions and errors. These
 * members throw an error when they are used. The package `smolts` passes the names.
 */
export function explainAgents(names: OtherNames): void {
  if (!isFirst(names)) return;
  // Explain misspelled members first. Otherwise they would also be compared with the members that
  // the lines below add.
  explainAgentMembers(MultiStepAgent);
  explainRunMembers(agentRunClass);
  explainSessionMembers(AgentSession);
  explainMembers(MultiStepAgent.prototype, "an agent", names.agent);
  explainMembers(agentRunClass.prototype, "a run", names.run);
  explainMembers(AgentSession.prototype, "a session", names.session);
  explainUnknown(AgentError, "an error", names.error);
  explainData(names.data);
  explainRecords(names.records);
}
