// Creates the form in which the client asks a person for approval, and reads the answer. Any answer
// except a clear yes means no.

import type { ElicitRequestFormParams, InputResponseView } from "@modelcontextprotocol/server";
import { type ApprovalDecision, type ApprovalRequest, type QuestionForm, toPlainJson, visible } from "@smolts/protocol";

/**
 * The longest input that a person can approve, in characters. Longer inputs are denied, because the
 * person must see the whole input.
 */
export const maxShownInputLength = 20_000;

const allow = "allow";
const allowAll = "allow all calls of this tool";
const deny = "deny";

/** Returns the form for a call that needs approval, or for values that a tool asks for. */
export function approvalForm(request: ApprovalRequest): ElicitRequestFormParams {
  const { path, name, each, problem, form } = request;
  const who = path.length === 0 ? "The client" : `The agent ${path.join(" > ")}`;
  if (form) return valuesForm(form, name);
  const lines = [
    `${who} wants to call "${name}" with this input:`,
    shownInput(request.input),
    ...(problem === undefined ? [] : [`The last decision could not be used: ${problem}`]),
  ];
  return {
    mode: "form",
    message: visible(lines.join("\n"), { newlines: true }),
    requestedSchema: {
      type: "object",
      properties: {
        decision: {
          type: "string",
          title: `Allow "${name}"?`,
          enum: each ? [allow, deny] : [allow, allowAll, deny],
          default: deny,
        },
        reason: { type: "string", title: "Reason", description: "The model sees this if you deny" },
      },
      required: ["decision"],
    },
  };
}

/**
 * Returns a form in which a person enters values for a tool. The tool's author wrote the text of
 * the form, so the tool's name is added: the person sees which tool asks.
 */
function valuesForm({ message, schema }: QuestionForm, name: string): ElicitRequestFormParams {
  return {
    mode: "form",
    message: visible(`${name}\n${message}`, { newlines: true }),
    // The cast is harmless: a client that cannot show the form refuses it, and the question counts
    // as declined.
    requestedSchema: schema as ElicitRequestFormParams["requestedSchema"],
  };
}

/** Returns the text that shows an input to a person. */
export function shownInput(input: unknown): string {
  if (input === undefined) return "nothing";
  return typeof input === "string" ? input : JSON.stringify(toPlainJson(input), null, 1);
}

/** Reads the answer to {@link approvalForm}. */
export function readDecision(given: InputResponseView, { each, form }: ApprovalRequest): ApprovalDecision {
  if (given.kind !== "elicit") return { type: "deny", reason: "the client did not answer the question" };
  if (given.action !== "accept") return { type: "deny", reason: "the person did not agree" };
  if (form) return { type: "edit", input: given.content ?? {} };
  const { decision, reason } = given.content ?? {};
  if (decision === allow) return { type: "approve" };
  if (decision === allowAll && !each) return { type: "always" };
  const said = typeof reason === "string" && reason !== "" ? reason.slice(0, 1_000) : "the person did not agree";
  return { type: "deny", reason: said };
}
