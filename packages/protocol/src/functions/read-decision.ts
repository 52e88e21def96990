// People's decisions arrive from programs, forms and web pages. A misspelt field must not widen
// what a person consents to, so unknown fields are refused.

import type { ApprovalDecision, ApprovalRequest, DoubtDecision } from "../approval.ts";
import { isRecord } from "../json.ts";
import { invalidOption } from "../options/invalid-option.ts";
import { nearestName } from "./nearest-name.ts";

/**
 * Reads unchecked input as a decision about an approval request. Fields of the request are ignored,
 * so `{ ...request, type: "approve" }` is accepted.
 *
 * @throws AgentError `invalid-option` when the input is not such a decision; the message says what
 * to write
 * @example
 * ```ts
 * import { readApprovalDecision } from "@smolts/protocol";
 *
 * console.log(readApprovalDecision({ type: "deny", reason: "too much" }).type); // deny
 * ```
 */
export function readApprovalDecision(input: unknown): ApprovalDecision {
  const { type, ...fields } = fieldsOf(input);
  switch (type) {
    case "approve":
      return { type, ...read(type, fields, []) };
    case "edit":
      if (!Object.hasOwn(fields, "input")) throw invalidOption("an edit has no input", 'write { type: "edit", input }');
      return { type, ...read(type, fields, ["input"]), input: fields["input"] };
    case "deny":
      return { type, ...read(type, fields, ["reason"]), ...textIn(type, fields, "reason") };
    case "always":
      return { type, ...read(type, fields, ["fields"]), ...namesIn(fields) };
    default:
      throw invalidOption(
        `the decision is ${shown(input)}; expected { type: "approve" | "edit" | "deny" | "always" }`,
        'write { type: "approve" }; a function that is asked may also return true or false',
      );
  }
}

/**
 * Reads unchecked input as a decision about a call that may already have happened. Refuses
 * `approve`, because it could repeat an effect by mistake.
 *
 * @throws AgentError `invalid-option` when the input is not such a decision; the message says what
 * to write
 * @example
 * ```ts
 * import { readDoubtDecision } from "@smolts/protocol";
 *
 * console.log(readDoubtDecision({ type: "happened", output: 42 }).type); // happened
 * ```
 */
export function readDoubtDecision(input: unknown): DoubtDecision {
  const { type, ...fields } = fieldsOf(input);
  switch (type) {
    case "happened":
      return { type, ...read(type, fields, ["output"]), output: fields["output"] };
    case "again":
    case "again-as-new":
      return { type, ...read(type, fields, []) };
    case "fail":
      return { type, ...read(type, fields, ["reason"]), ...textIn(type, fields, "reason") };
    default:
      throw invalidOption(
        `the decision is ${shown(input)}; expected one about what happened to a call in doubt`,
        'write { type: "happened", output }, { type: "again" }, { type: "again-as-new" } or { type: "fail", reason }',
      );
  }
}

type Fields = { readonly [name: string]: unknown };

const fieldsOf = (input: unknown): Fields => (isRecord(input) ? input : {});

/** Refuses unknown fields, and returns the `by` field: the person who decided. */
function read(type: string, fields: Fields, known: readonly string[]): { readonly by?: string } {
  const names = [...known, "by"];
  // A form may send all fields, with `undefined` for those that the decision does not need.
  const unknown = Object.keys(fields).find(
    (name) => fields[name] !== undefined && !names.includes(name) && !Object.hasOwn(requestFields, name),
  );
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, names);
    const hint = `its fields are ${names.join(", ")}`;
    throw invalidOption(
      `a decision of the type "${type}" has no field ${JSON.stringify(unknown.slice(0, 60))}`,
      nearest === undefined ? hint : `write ${nearest}; ${hint}`,
    );
  }
  return textIn(type, fields, "by");
}

/**
 * The fields of a request. A decision may have them too, because programs spread the request into
 * it. With this type, the compiler reports a field that is missing here.
 */
const requestFields: { readonly [Name in keyof Required<ApprovalRequest>]: true } = {
  kind: true,
  id: true,
  runId: true,
  path: true,
  name: true,
  input: true,
  digest: true,
  each: true,
  expiresAt: true,
  problem: true,
  form: true,
};

function textIn<Name extends string>(type: string, fields: Fields, name: Name): { readonly [Key in Name]?: string } {
  const value = fields[name];
  if (value === undefined || value === null) return {};
  if (typeof value === "string") return { [name]: value } as { readonly [Key in Name]?: string };
  throw invalidOption(
    `${name} of a decision of the type "${type}" is not a string`,
    `write a string, or leave ${name} out`,
  );
}

function namesIn({ fields }: Fields): { readonly fields?: readonly string[] } {
  if (fields === undefined) return {};
  if (Array.isArray(fields) && fields.every((field) => typeof field === "string")) return { fields };
  throw invalidOption("fields is not a list of names", 'write { type: "always", fields: ["..."] }');
}

function shown(input: unknown): string {
  if (input === undefined) return "nothing";
  const { type } = fieldsOf(input);
  if (typeof type === "string") return `{ type: ${JSON.stringify(type.slice(0, 60))} }`;
  return typeof input === "string"
    ? JSON.stringify(input.slice(0, 60))
    : Array.isArray(input)
      ? "a list"
      : typeof input;
}
