// The question that a person is asked through the client, and how the answer is read: anything but
// a clear yes is a no.

import type { ElicitRequestFormParams, InputResponseView } from "@modelcontextprotocol/server";
import { type ApprovalDecision, type ApprovalRequest, type QuestionForm, visible } from "@smolts/protocol";
import { toJson } from "./content.ts";

/** A person sees all of what is decided on; longer inputs are denied. In characters. */
export const longestShownInput = 20_000;

const allow = "allow";
const allowAll = "allow all calls of this tool";
const deny = "deny";

/** The form for a call that needs approval, or for the values that a tool asks for. */
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
        reason: { type: "string", title: "Reason", description: "Told to the model when you deny" },
      },
      required: ["decision"],
    },
  };
}

/** The person sees who asks: the words of the form are a stranger's. */
function valuesForm({ message, schema }: QuestionForm, name: string): ElicitRequestFormParams {
  return {
    mode: "form",
    message: visible(`${name}\n${message}`, { newlines: true }),
    // A client refuses a form that it cannot show, and then the question is declined.
    requestedSchema: schema as ElicitRequestFormParams["requestedSchema"],
  };
}

/** How an input is shown to a person. */
export function shownInput(input: unknown): string {
  return typeof input === "string" ? input : (JSON.stringify(toJson(input), null, 1) ?? "nothing");
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
