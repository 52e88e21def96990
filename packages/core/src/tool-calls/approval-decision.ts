import {
  type ApprovalDecision,
  type ApprovalRequest,
  type EncodedValue,
  type EventOf,
  encodeValue,
  invalidOption,
  type RecordedDecision,
  readApprovalDecision,
  type Tool,
} from "@smolts/protocol";
import { digestOf } from "../run/digest.ts";
import { effectiveInput } from "./effective-input.ts";

/** A person's decision, ready for the log. */
export interface RecordableDecision {
  readonly decision: RecordedDecision;
  readonly by?: string;
}

/** Says whether the time for a decision is over. */
export const hasExpired = ({ expiresAt }: Pick<EventOf<"approval-request">, "expiresAt">): boolean =>
  expiresAt !== undefined && Date.now() >= expiresAt;

const toolDigests = new WeakMap<Tool, Promise<string>>();

/**
 * Returns a hash of a tool's declaration. A person's decision counts only for a tool with this
 * hash.
 */
export function toolDigest(tool: Tool): Promise<string> {
  const { name, description, inputSchema, outputSchema, effects } = tool;
  const digest = toolDigests.get(tool) ?? digestOf([name, description, inputSchema, outputSchema, effects]);
  toolDigests.set(tool, digest);
  return digest;
}

/**
 * Reads the decision of a person, or of a program that decides instead. The input of an edit is
 * validated like the model's own input.
 *
 * @throws AgentError `invalid-option` when the value is not a decision; `tool-input` when an edit
 * does not fit the tool; the signal's reason when it aborts
 */
export async function readDecision(
  tool: Tool,
  value: unknown,
  request: Pick<ApprovalRequest, "each" | "input">,
  signal: AbortSignal,
): Promise<RecordableDecision> {
  if (typeof value === "boolean") return { decision: { type: value ? "approve" : "deny" } };
  const { by, ...decision } = readApprovalDecision(value);
  return { decision: await recordedDecision(tool, decision, request, signal), ...(by === undefined ? {} : { by }) };
}

async function recordedDecision(
  tool: Tool,
  decision: ApprovalDecision,
  { each, input }: Pick<ApprovalRequest, "each" | "input">,
  signal: AbortSignal,
): Promise<RecordedDecision> {
  switch (decision.type) {
    case "approve":
    case "deny":
      return decision;
    case "edit":
      return {
        type: "edit",
        input: await effectiveInput(tool, { args: argumentsIn(tool, decision.input) }, { signal }),
      };
    case "always":
      if (each) throw invalidOption(`each call of "${tool.name}" needs its own decision`, 'write { type: "approve" }');
      return { type: "always", fields: fieldsOf(tool, decision.fields ?? [], input) };
    default:
      return decision satisfies never;
  }
}

/**
 * Returns the input as a list of arguments. A function of a host module takes such a list as its
 * input. For any other tool, the input is the only argument.
 */
export const argumentsIn = ({ inputSchema }: Tool, input: unknown): readonly EncodedValue[] =>
  inputSchema["type"] === "array" && Array.isArray(input)
    ? input.map((argument) => encodeValue(argument))
    : [encodeValue(input)];

/**
 * Checks the fields of an `always` decision. The decision approves later calls that have the same
 * values in these fields. A field that the tool does not have is refused, because it would restrict
 * nothing, and the decision would approve every call.
 */
function fieldsOf({ name, inputSchema }: Tool, fields: readonly string[], input: unknown): readonly string[] {
  const known = [...Object.keys(inputSchema["properties"] ?? {}), ...Object.keys(input ?? {})];
  const unknown = fields.filter((field) => !known.includes(field));
  if (unknown.length === 0) return fields;
  throw invalidOption(
    `"${name}" has no field ${unknown.map((field) => JSON.stringify(field)).join(", ")}`,
    `its fields are: ${[...new Set(known)].join(", ")}`,
  );
}
