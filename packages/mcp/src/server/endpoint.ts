// One MCP server object of the SDK for each connection or request, over what is offered.

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
import { longestShownInput, shownInput } from "./approval-form.ts";
import type { ClientSession } from "./client-session.ts";
import { failure, type Offer, type OfferedTool, type ProgressReport } from "./offer.ts";
import { PendingCall, type Round } from "./pending-call.ts";
import type { ApproveCall } from "./served.ts";

/** What all connections of one served thing share. */
export interface EndpointOptions {
  readonly offer: Offer;
  readonly name: string;
  readonly version: string;
  /** Decides instead of the client's person. */
  readonly approve: ApproveCall | undefined;
  /** Calls of one session that may run at once. */
  readonly maxCalls: number;
}

/** Calls that wait for answers, over the requests of all clients. */
export class Endpoints {
  readonly #options: EndpointOptions;
  /** How many calls run now, by session, or by principal where requests belong to no session. */
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<
    string,
    { readonly call: PendingCall; readonly principal: string; readonly tool: string }
  >();

  constructor(options: EndpointOptions) {
    this.#options = options;
  }

  /**
   * Makes the server object for a connection or a request.
   *
   * @param session - kept over the connection's requests; `hasSession` is false when it lasts for
   *   one request
   */
  create(session: ClientSession, hasSession: boolean): Server {
    const { offer, name, version } = this.#options;
    const tools = new Map(offer.tools(hasSession).map((tool) => [tool.definition.name, tool]));
    const server = new Server(
      { name, version },
      {
        capabilities: { tools: {} },
        // Each question of a call is a round.
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
      // Since 2026-07-28 each round is a request of its own.
      livesOn: context.mcpReq.envelope === undefined,
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
   * The call that a client's answers are for. A state of another principal is as unknown as one
   * that never was.
   */
  #resume(state: unknown, { principal }: ClientSession, tool: string): PendingCall {
    const found = typeof state === "string" ? this.#waiting.get(state) : undefined;
    if (!found || found.principal !== principal || found.tool !== tool) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the call that was asked about has ended, or never was");
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
    if (shownInput(request.input).length > longestShownInput) {
      return {
        type: "deny",
        reason: `its input is longer than ${longestShownInput} characters, which nobody can review`,
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

/** Many clients read the first page only, so it is a large one. */
const toolsPerPage = 1_000;

function pageOf(tools: readonly OfferedTool[], cursor: string | undefined): ListToolsResult {
  const start = cursor === undefined ? 0 : Number(/^[1-9]\d{0,8}$/.exec(cursor)?.[0]);
  if (!(start === 0 || start < tools.length)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the cursor is not one of this list");
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

function toDecision(given: Awaited<ReturnType<ApproveCall>>): ApprovalDecision {
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

/** The progress notifications of one request, in order. */
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
    // Progress must grow from one notification to the next.
    this.#count = progress === undefined ? this.#count + 1 : progress;
    const params = {
      progressToken,
      progress: this.#count,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message: message.slice(0, 1_000) }),
    };
    this.#last = this.#last
      .then(() => notify({ method: "notifications/progress", params }))
      // A client that went away gets nothing.
      .catch(() => {});
  }

  async sent(): Promise<void> {
    await this.#last;
  }
}
