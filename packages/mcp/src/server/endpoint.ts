// Creates one server object of the SDK for each connection or request. All of them offer the same
// tools.

import {
  type CallToolResult,
  type InputRequiredResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import { AgentError, type ApprovalDecision, type ApprovalRequest, nearestName } from "@smolts/protocol";
import { maxShownInputLength, shownInput } from "./approval-form.ts";
import type { ClientSession } from "./client-session.ts";
import { failure, type Offer, type OfferedTool, type ProgressReport } from "./offer.ts";
import { PendingCall, type Round } from "./pending-call.ts";
import type { ApproveHandler } from "./served.ts";

/** The options that all connections of a server share. */
export interface EndpointOptions {
  readonly offer: Offer;
  readonly name: string;
  readonly version: string;
  /** Decides about approvals, instead of a person at the client. */
  readonly approve: ApproveHandler | undefined;
  /** The maximum number of calls that may run at the same time in one session. */
  readonly maxCalls: number;
}

/**
 * Creates server objects, and keeps calls that wait for answers. An answer may arrive in a later
 * request.
 */
export class Endpoints {
  readonly #options: EndpointOptions;
  /** The number of running calls of each session, or of each user if requests have no session. */
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<
    string,
    { readonly call: PendingCall; readonly principal: string; readonly tool: string }
  >();

  constructor(options: EndpointOptions) {
    this.#options = options;
  }

  /**
   * Creates the server object for a connection or a request.
   *
   * @param session - the state of the client; `hasSession` is false if the state lasts for only one
   *   request
   */
  create(session: ClientSession, hasSession: boolean): Server {
    const { offer, name, version } = this.#options;
    const tools = new Map(offer.tools(hasSession).map((tool) => [tool.definition.name, tool]));
    const server = new Server(
      { name, version },
      {
        capabilities: { tools: {} },
        // The default limit of the SDK is too low, because each question of a call takes one round.
        inputRequired: { maxRounds: 1_000 },
        jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
        ...(offer.instructions === undefined ? {} : { instructions: offer.instructions }),
      },
    );
    server.setRequestHandler("tools/list", ({ params }) => pageOf([...tools.values()], params?.cursor));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const tool = toolNamed(tools, params.name);
      const reports = new Reports(context);
      const result = await this.#call(tool, params.arguments, { server, session, hasSession, context, reports });
      await reports.sent();
      return isResult(result) ? server.projectCallToolResult(result, tool.definition.outputSchema) : result;
    });
    return server;
  }

  async #call(
    tool: OfferedTool,
    input: unknown,
    request: RequestContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { session, context, reports } = request;
    const { signal, inputResponses, requestState } = context.mcpReq;
    const round: Round = {
      signal,
      // Requests with an envelope follow the protocol version 2026-07-28 or later. In these
      // versions, a client answers a question in a new request. The request before it has then
      // ended, and this end must not stop the call.
      observesSignal: context.mcpReq.envelope === undefined,
      answers: inputResponses,
      report: (progress) => reports.add(progress),
    };
    const state = requestState();
    const call =
      state === undefined ? this.#start(tool, input, request) : this.#resume(state, session, tool.definition.name);
    if (call === null) return failure("too many calls run at once in this session", "wait for some of them to end");
    const result = await call.next(round);
    if (!isResult(result)) {
      this.#waiting.set(call.id, { call, principal: session.principal, tool: tool.definition.name });
    }
    return result;
  }

  #start(tool: OfferedTool, input: unknown, { server, session, hasSession }: RequestContext): PendingCall | null {
    const key = hasSession ? session.id : session.principal;
    const running = this.#running.get(key) ?? 0;
    if (running >= this.#options.maxCalls) return null;
    this.#running.set(key, running + 1);
    const canAsk = server.getClientCapabilities()?.elicitation !== undefined;
    const call = new PendingCall(session.signal, (pending) =>
      tool.call(input ?? {}, {
        signal: pending.signal,
        session,
        report: pending.report,
        ask: (request) => this.#decide(request, pending.signal, canAsk ? pending.ask : null),
      }),
    );
    void call.settled.then(() => {
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left === 0) this.#running.delete(key);
      else this.#running.set(key, left);
      this.#waiting.delete(call.id);
    });
    return call;
  }

  /**
   * Returns the waiting call to which a client's answers belong. A call of another user is treated
   * like an unknown call.
   */
  #resume(state: unknown, { principal }: ClientSession, tool: string): PendingCall {
    const found = typeof state === "string" ? this.#waiting.get(state) : undefined;
    if (!found || found.principal !== principal || found.tool !== tool) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the call of this question has ended, or never existed");
    }
    this.#waiting.delete(found.call.id);
    return found.call;
  }

  async #decide(
    request: ApprovalRequest,
    signal: AbortSignal,
    askClient: ((request: ApprovalRequest) => Promise<ApprovalDecision>) | null,
  ): Promise<ApprovalDecision> {
    const { approve } = this.#options;
    if (approve) return toDecision(await approve(request, { signal }));
    if (askClient === null) return { type: "deny", reason: nobodyToAsk };
    if (shownInput(request.input).length > maxShownInputLength) {
      return {
        type: "deny",
        reason: `its input is longer than ${maxShownInputLength} characters, which nobody can review`,
      };
    }
    return askClient(request);
  }
}

const nobodyToAsk =
  "it needs a person's approval, and this client cannot ask one (it has no elicitation). Use a client with elicitation, or let the server's owner decide: by an approve handler, or by --trust of smolts mcp";

interface RequestContext {
  readonly server: Server;
  readonly session: ClientSession;
  readonly hasSession: boolean;
  readonly context: ServerContext;
  readonly reports: Reports;
}

const isResult = (result: CallToolResult | InputRequiredResult): result is CallToolResult => "content" in result;

/**
 * The maximum number of tools on one page. It is large because many clients read only the first
 * page.
 */
const toolsPerPage = 1_000;

function pageOf(tools: readonly OfferedTool[], cursor: string | undefined): ListToolsResult {
  const start = cursor === undefined ? 0 : Number(/^[1-9]\d{0,8}$/.exec(cursor)?.[0]);
  if (!(start === 0 || start < tools.length)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the cursor does not belong to this list");
  }
  const end = start + toolsPerPage;
  return {
    tools: tools.slice(start, end).map(({ definition }) => definition),
    ...(end < tools.length ? { nextCursor: `${end}` } : {}),
  };
}

function toolNamed(tools: ReadonlyMap<string, OfferedTool>, name: string): OfferedTool {
  const tool = tools.get(name);
  if (tool) return tool;
  const nearest = nearestName(name, [...tools.keys()]);
  const hint = nearest ? `; did you mean "${nearest}"?` : "";
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool "${name.slice(0, 100)}"${hint}`);
}

function toDecision(given: Awaited<ReturnType<ApproveHandler>>): ApprovalDecision {
  if (given === true) return { type: "approve" };
  if (given === false) return { type: "deny" };
  switch (given.type) {
    case "approve":
    case "edit":
    case "always":
    case "deny":
      return given;
    default:
      throw new AgentError(
        "stale-decision",
        `approve returned "${given.type}"; expected approve, edit, always or deny`,
      );
  }
}

/** Sends the progress notifications of one request in order. */
class Reports {
  readonly #context: ServerContext;
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: ServerContext) {
    this.#context = context;
  }

  add({ message, progress, total }: ProgressReport): void {
    const { _meta, notify } = this.#context.mcpReq;
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return;
    // The protocol requires that progress grows with each notification.
    this.#count = progress === undefined ? this.#count + 1 : progress;
    const params = {
      progressToken,
      progress: this.#count,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message: message.slice(0, 1_000) }),
    };
    this.#last = this.#last
      .then(() => notify({ method: "notifications/progress", params }))
      // If the client has disconnected, the progress is dropped.
      .catch(() => {});
  }

  async sent(): Promise<void> {
    await this.#last;
  }
}
