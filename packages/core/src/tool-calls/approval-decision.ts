import {
  type ApprovalDecision,
  type ApprovalRequest,
  type DoubtDecision,
  decodeValue,
  type EncodedValue,
  type EventOf,
  encodeValue,
  type RecordedDecision,
  type Tool,
} from "@smolts/protocol";
import { invalidOption } from "../invalid-option.ts";
import { digestOf } from "../run/digest.ts";
import { effectiveInput } from "./effective-input.ts";

/** A person's decision, ready for the log. */
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
  ...(event.expiresAt === undefined ? {} : { expiresAt: event.expiresAt }),
  ...(event.problem === undefined ? {} : { problem: event.problem }),
  ...(event.form === undefined ? {} : { form: event.form }),
});

/** Whether it is too late to decide. */
export const hasExpired = ({ expiresAt }: Pick<EventOf<"approval-request">, "expiresAt">): boolean =>
  expiresAt !== undefined && Date.now() >= expiresAt;

/** A recorded doubt, as people are asked. */
export const doubtRequestOf = (event: EventOf<"doubt-request">): ApprovalRequest => ({
  kind: "doubt",
  id: event.callId,
  runId: event.runId,
  path: event.path,
  name: event.name,
  input: decodeValue(event.input),
  digest: event.digest,
  each: true,
  ...(event.problem === undefined ? {} : { problem: event.problem }),
});

const toolDigests = new WeakMap<Tool, Promise<string>>();

/** Hash of a tool's description of itself: a person's decision is about that. */
export function toolDigest(tool: Tool): Promise<string> {
  const { name, description, inputSchema, outputSchema, effects } = tool;
  const digest = toolDigests.get(tool) ?? digestOf([name, description, inputSchema, outputSchema, effects]);
  toolDigests.set(tool, digest);
  return digest;
}

/**
 * Reads what a person said, or a program in their place; an edit is validated as the model's own input was.
 *
 * @throws AgentError `invalid-option` when it is not a decision; `tool-input` when an edit does not fit the tool
 */
export async function readDecision(
  tool: Tool,
  given: boolean | ApprovalDecision | DoubtDecision,
  { each, input }: Pick<ApprovalRequest, "each" | "input">,
): Promise<GivenAnswer> {
  const decision: ApprovalDecision | DoubtDecision =
    typeof given === "boolean" ? { type: given ? "approve" : "deny" } : given;
  const by = typeof decision?.by === "string" ? { by: decision.by } : {};
  switch (decision?.type) {
    case "approve":
      return { decision: { type: "approve" }, ...by };
    case "edit":
      return {
        decision: { type: "edit", input: await effectiveInput(tool, { args: argumentsIn(tool, decision.input) }) },
        ...by,
      };
    case "deny":
      if (decision.reason !== undefined && typeof decision.reason !== "string") {
        throw invalidOption(
          "the reason of a denial is not a text",
          'write { type: "deny", reason: "..." }, or leave it out',
        );
      }
      return {
        decision: { type: "deny", ...(decision.reason === undefined ? {} : { reason: decision.reason }) },
        ...by,
      };
    case "always":
      if (each)
        throw invalidOption(`each call of "${tool.name}" needs a decision of its own`, 'write { type: "approve" }');
      return { decision: { type: "always", fields: fieldsOf(tool, decision.fields ?? [], input) }, ...by };
    default:
      throw invalidOption(
        `the answer is not a decision: expected true, false or { type: "approve" | "edit" | "deny" | "always" }, got ${given === undefined ? "nothing" : (JSON.stringify(given) ?? typeof given)}`,
        'write { type: "approve" }, or return true',
      );
  }
}

/** The input of a function of a host module is the list of its arguments. */
export const argumentsIn = ({ inputSchema }: Tool, input: unknown): readonly EncodedValue[] =>
  inputSchema["type"] === "array" && Array.isArray(input)
    ? input.map((argument) => encodeValue(argument))
    : [encodeValue(input)];

/** A field that the tool does not have is in no call, so it would hold nothing fast: the consent would be one to everything. */
function fieldsOf({ name, inputSchema }: Tool, fields: unknown, input: unknown): readonly string[] {
  if (!Array.isArray(fields)) throw invalidOption("fields is not a list", 'write { type: "always", fields: ["..."] }');
  const known = [...Object.keys(inputSchema["properties"] ?? {}), ...Object.keys(input ?? {})];
  const unknown = fields.filter((field) => !known.includes(field));
  if (unknown.length === 0) return fields;
  throw invalidOption(
    `"${name}" has no field ${unknown.map((field) => JSON.stringify(field)).join(", ")}`,
    `its fields are: ${[...new Set(known)].join(", ")}`,
  );
}
