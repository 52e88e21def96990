// Calls a managed agent. The agent works inside the caller's run, so everything it did is in the
// log. After an interruption, the resumed run enters the call again, and the agent continues from
// its own events. So the call needs no `tool-start` event and is never in doubt.

import { toMessages } from "@smolts/memory";
import {
  AgentError,
  type CallOutcome,
  decodeValue,
  type EncodedValue,
  encodeValue,
  type MemoryStep,
  type SerializedError,
  textOf,
} from "@smolts/protocol";
import { cutMiddle, partsIn, valueText } from "../observation/observe.ts";
import { managedAgentPrompt, reportPrompt } from "../prompts/managed-agent.ts";
import { leavesRunOpen } from "../run/error-policy.ts";
import type { Run } from "../run/run.ts";
import type { RunResult } from "../session/agent-run.ts";
import type { AgentTool, AgentToolInput } from "../tools/agent-tool.ts";
import { finalAnswerName } from "../tools/final-answer.ts";
import { isTypedAnswer } from "../tools/typed-answer.ts";
import type { AskedCall } from "./asked-call.ts";

/**
 * Runs a managed agent on its task, and returns the result as the outcome of the call. Null when
 * the agent waits for a person.
 *
 * @throws AgentError when the log or the replay failed; this ends the caller's run too. A failure
 * of the agent itself is an outcome.
 */
export async function callAgent(
  run: Run,
  call: AskedCall,
  tool: AgentTool,
  input: EncodedValue,
): Promise<CallOutcome | null> {
  // The cast is safe: the tool's own `parseInput` returned this input.
  const { task, additionalArgs = {} } = decodeValue(input) as AgentToolInput;
  const path = [...run.path, `${tool.name}#${call.stepNumber}.${call.callIndex}`];
  const asked = managedAgentPrompt({ name: tool.name, task }, tool.managed.definition().prompts);
  const work = { tool, task: asked, additionalArgs, caller: run, callId: call.callId, path };
  return outcomeOf(tool, await run.startWork(work));
}

function outcomeOf(tool: AgentTool, result: RunResult): CallOutcome | null {
  const { status, error } = result;
  switch (status) {
    case "success":
    case "max-steps":
    case "budget": {
      const cut = cutErrorOf(result);
      if (cut) return { type: "error", error: failure(tool, `reached a limit, and ${cut.message}`).toJSON() };
      return { type: "ok", value: encodeValue(reportOf(tool, result)) };
    }
    case "suspended":
      return null;
    case "aborted":
      return { type: "cancelled", error: failure(tool, "was aborted").toJSON() };
    case "failed":
      // This happens if the agent keeps its memory, and an earlier call of this agent waits for a
      // person.
      if (error?.code === "suspended") return null;
      if (leavesRunOpen(error)) throw error;
      return { type: "error", error: failure(tool, `failed: ${error?.message}`).toJSON() };
    default:
      return status satisfies never;
  }
}

/** Returns the error if the agent's answer was cut off, because half a report is not usable. */
function cutErrorOf({ steps }: RunResult): SerializedError | null {
  const last = steps.findLast((step) => step.type === "action");
  return last?.answer && last.error?.code === "generation" ? last.error : null;
}

const failure = ({ name }: AgentTool, how: string): AgentError =>
  new AgentError("tool-execution", `the agent "${name}" ${how}`);

/**
 * Returns the report as text. Media is returned as it is, because the caller's model could not see
 * it in a text.
 */
function reportOf({ name, managed }: AgentTool, { output, status, steps }: RunResult): unknown {
  if (isTypedAnswer(managed.definition().tools.get(finalAnswerName))) {
    return managed.summary ? { answer: output, summary: summaryOf(steps) } : output;
  }
  const isMedia = partsIn(output)?.every((part) => part.type !== "text") ?? false;
  if (isMedia) return output;
  const unfinished = status === "success" ? [] : [`(The agent was stopped by a limit; this is what it had by then.)`];
  const summary = managed.summary ? [`<summary_of_work>\n${summaryOf(steps)}\n</summary_of_work>`] : [];
  const report = reportPrompt({ name, report: valueText(output) || "(no answer)" }, managed.definition().prompts);
  return [report, ...unfinished, ...summary].join("\n\n");
}

const maxSummaryPartLength = 2_000;

/** Returns a summary of the agent's work on its newest task. */
function summaryOf(steps: readonly MemoryStep[]): string {
  const newest = steps.slice(steps.findLastIndex((step) => step.type === "task") + 1);
  const texts = toMessages(newest, { summary: true }).map((message) => textOf(message).trim());
  return texts.map((text) => cutMiddle(text, maxSummaryPartLength)).join("\n---\n");
}
