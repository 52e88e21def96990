// Lists calls that wait for people, and takes their decisions: `GET /v1/approvals`,
// `POST /v1/approvals`, `GET /v1/runs/{id}`.

import { AgentError, type ApprovalRequest, encodeValue, isRecord, readApprovalDecision } from "@smolts/protocol";
import type { Fields } from "./openai/content-parts.ts";
import { badRequest, RefusedRequest } from "./refused-request.ts";
import { answerText, endOf, type KeptRun, usageOf } from "./runs/kept-run.ts";
import type { Decision } from "./runs/questions.ts";
import type { RunService } from "./runs/run-service.ts";

/** Lists the waiting calls of one client, or of all clients if `client` is null. */
export async function listApprovals(service: RunService, client: string | null): Promise<Response> {
  return Response.json({ object: "list", data: (await service.waiting(client)).map(shown) });
}

/** Records a person's decision about a call. */
export async function takeDecision(body: Fields, service: RunService, client: string | null): Promise<Response> {
  const at = { runId: text(body, "run_id"), callId: text(body, "call_id"), digest: text(body, "digest") };
  await service.decide(at, readDecision(body), client);
  return Response.json({ object: "approval", run_id: at.runId, call_id: at.callId, decided: true });
}

/** Answers with the status of a run. */
export async function showRun(runId: string, service: RunService, client: string | null): Promise<Response> {
  const kept = await service.find(runId, client);
  if (!kept) throw new RefusedRequest("not-found", "there is no such run");
  return Response.json(runOf(kept));
}

function runOf(kept: KeptRun): object {
  const end = endOf(kept);
  const usage = usageOf(kept);
  return {
    id: kept.runId,
    object: "run",
    status: kept.status,
    created: Math.floor(kept.startTime / 1000),
    answer: end?.answer === undefined ? null : answerText(end.answer),
    error: end?.error ? { code: end.error.code, message: end.error.message } : null,
    waiting: kept.pending.map(({ id, name, digest }) => ({ run_id: kept.runId, call_id: id, tool: name, digest })),
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.totalTokens,
    },
  };
}

const shown = ({ kind, id, runId, path, name, input, digest, each, problem }: ApprovalRequest): object => ({
  object: "approval",
  kind: kind ?? "approval",
  run_id: runId,
  call_id: id,
  agent: path.join(" > "),
  tool: name,
  input: encodeValue(input),
  digest,
  each,
  ...(problem === undefined ? {} : { problem }),
});

function readDecision({ decision, by }: Fields): Decision {
  const given = typeof decision === "string" ? { type: decision } : isRecord(decision) ? decision : {};
  const { type, input, reason, output } = given as Fields;
  const said = typeof by === "string" && by !== "" ? { by } : {};
  const why = typeof reason === "string" ? { reason } : {};
  switch (type) {
    case "approve":
    case "again":
    case "again-as-new":
      return { type, ...said };
    case "edit":
      return { type, input, ...said };
    case "deny":
    case "fail":
      return { type, ...why, ...said };
    case "happened":
      return { type, output, ...said };
    case "always":
      return { ...standingConsent(given), ...said };
    default:
      throw badRequest(
        "decision is not one of approve, deny, edit, always, happened, again, again-as-new and fail",
        "decision",
      );
  }
}

/**
 * Reads a decision for all calls of a tool. Throws for unknown fields: ignoring a limit with a
 * misspelt name would allow too much.
 */
function standingConsent(given: Fields): Decision {
  try {
    return readApprovalDecision(given);
  } catch (error) {
    throw badRequest(AgentError.is(error) ? error.message : String(error), "decision");
  }
}

function text(body: Fields, name: string): string {
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  throw badRequest(`${name} is missing`, name);
}
