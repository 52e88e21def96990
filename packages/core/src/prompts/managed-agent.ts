import { type ManagedAgentPromptParts, type Prompts, type ReportPromptParts, renderPrompt } from "./prompts-option.ts";

/**
 * Returns the text with which a managed agent gets its task. The text also explains that the agent
 * works for another agent.
 *
 * @throws AgentError `invalid-option` when the function `prompts.managedAgent` throws or does not
 * return a string
 * @example
 * ```ts
 * import { managedAgentPrompt } from "@smolts/core";
 *
 * console.log(managedAgentPrompt({ name: "search", task: "Find the year." }).includes("Find the year.")); // true
 * ```
 */
export function managedAgentPrompt(
  { name, task }: Omit<ManagedAgentPromptParts, "standard">,
  prompts: Prompts = {},
): string {
  const standard = `You are the agent "${name}", and another agent has given you the task below. It sees nothing but your final answer. So answer with all it may need: the result itself, the facts and sources it rests on, and what you could not find out.

Task:
${task}`;
  return renderPrompt("managedAgent", prompts.managedAgent, { name, task, standard }, (own) => `${own}\n\n${task}`);
}

/**
 * Returns the result of a managed agent as text for the agent that called it.
 *
 * @throws AgentError `invalid-option` when the function `prompts.report` throws or does not return
 * a string
 * @example
 * ```ts
 * import { reportPrompt } from "@smolts/core";
 *
 * console.log(reportPrompt({ name: "search", report: "1969" })); // 1969
 * ```
 */
export function reportPrompt({ name, report }: Omit<ReportPromptParts, "standard">, prompts: Prompts = {}): string {
  return renderPrompt("report", prompts.report, { name, report, standard: report }, (own) => `${own}\n\n${report}`);
}
