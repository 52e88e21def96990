import {
  AgentError,
  type ApprovalDecision,
  type ApprovalRequest,
  decodeValue,
  type EventOf,
  encodeValue,
  type RecordedDecision,
  type Tool,
} from "@smolts/protocol";
import { digestOf } from "./digest.ts";
import { effectiveInput } from "./effective-input.ts";

/** A person's word, ready for the log. */
export interface GivenAnswer {
  readonly decision: RecordedDecision;
  readonly by?: string;
}

/** A recorded request, as people are asked. */
export const requestOf = (event: EventOf<"approval-request">): ApprovalRequest => ({
  id: event.callId,
  runId: event.runId,
  path: event.path,
  name: event.name,
  input: decodeValue(event.input),
  digest: event.digest,
  each: event.each,
});

/** Hash of what a tool says it does: a person's word is about that. */
export const toolDigest = ({ name, description, inputSchema, outputSchema, effects }: Tool): Promise<string> =>
  digestOf([name, description, inputSchema, outputSchema, effects]);

/**
 * Reads what a person said, or a program in their place; an edit is validated as the model's own input was.
 *
 * @throws AgentError `invalid-option` when it is no decision; `tool-input` when an edit does not fit the tool
 */
export async function readDecision(
  tool: Tool,
  given: boolean | ApprovalDecision,
  { each }: Pick<ApprovalRequest, "each">,
): Promise<GivenAnswer> {
  const decision: ApprovalDecision = typeof given === "boolean" ? { type: given ? "approve" : "deny" } : given;
  const by = typeof decision?.by === "string" ? { by: decision.by } : {};
  switch (decision?.type) {
    case "approve":
      return { decision: { type: "approve" }, ...by };
    case "edit":
      return {
        decision: { type: "edit", input: await effectiveInput(tool, { args: [encodeValue(decision.input)] }) },
        ...by,
      };
    case "deny":
      return {
        decision: { type: "deny", ...(decision.reason === undefined ? {} : { reason: decision.reason }) },
        ...by,
      };
    case "always":
      if (each) throw invalid(`each call of "${tool.name}" needs a decision of its own`, 'write { type: "approve" }');
      return { decision: { type: "always", fields: decision.fields ?? [] }, ...by };
    default:
      decision satisfies never;
      throw invalid(
        "what came is no decision",
        'write { type: "approve" }, or "edit", "deny" or "always"; or true or false',
      );
  }
}

const invalid = (message: string, hint: string): AgentError => new AgentError("invalid-option", message, { hint });
