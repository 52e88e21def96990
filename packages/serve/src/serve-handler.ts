// Serves an agent with one function from `Request` to `Response`, for any server that uses the
// Fetch API's types.

import { checkRequest, invalidOption, isClass, type OptionTable, readOptions } from "@smolts/protocol";
import { Hono } from "hono";
import { A2AEndpoint } from "./a2a/a2a-endpoint.ts";
import { agentCard } from "./a2a/agent-card.ts";
import { rpcError } from "./a2a/json-rpc.ts";
import { type Authenticate, authenticator, clientOf } from "./access.ts";
import { listApprovals, showRun, takeDecision } from "./approvals-endpoint.ts";
import { answerChat, type OpenAICall } from "./openai/chat-endpoint.ts";
import { openAIError } from "./openai/openai-error.ts";
import { answerResponses, cancelResponse, showResponse } from "./openai/responses-endpoint.ts";
import { RefusedRequest } from "./refused-request.ts";
import { isLarge, NotJson, type RequestBody, readBody } from "./request-body.ts";
import { clientError, type OnError } from "./runs/client-errors.ts";
import { RunService } from "./runs/run-service.ts";
import { defaultLimits, type ServeHandlerOptions, type ServeLimits, serveOptions } from "./serve-options.ts";
import { isAgent, type Servable } from "./served-agent.ts";

/** Answers requests. */
export interface ServeHandler {
  (request: Request): Promise<Response>;
  /**
   * Refuses new runs, waits for the active runs to end, and aborts those that remain.
   *
   * @param options - `graceMs`: how long to wait, in ms; 10,000 if absent
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Serves an agent inside your own server: OpenAI's Chat Completions, Responses and models at `/v1`,
 * and the approvals of calls.
 *
 * @param served - an agent, or a function that creates one for each run
 * @throws AgentError `invalid-option` if it is neither, or a key is shorter than 16 characters
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { serveHandler } from "@smolts/serve";
 *
 * const agent = new CodeAgent({ model: modelFromFunction(() => "<code>finalAnswer(6 * 7)</code>") });
 * const handler = serveHandler(agent, { auth: { key: "a-long-random-key" } });
 * const response = await handler(new Request("http://localhost/v1/models"));
 * console.log(response.status); // 401
 * ```
 */
export function serveHandler(served: Servable, given: ServeHandlerOptions): ServeHandler {
  const options = readOptions(given, "serveHandler()", serveHandlerOptions);
  mustBeServed(served);
  const limits = { ...defaultLimits, ...options.limits };
  mustBePositive(limits);
  const { store, keptRuns = 1_000, approvalWaitMs = 60_000 } = options;
  const onError = harmless(options.onError);
  const service = new RunService({ served, store, limits, keptRuns, approvalWaitMs, onError });
  // Reports nothing if the client disconnected during its request, because the server did not fail.
  const reporter = ({ signal }: Request): OnError => (signal.aborted ? () => {} : onError);
  const authenticate = authenticator(options.auth);
  const publicUrl = readPublicUrl(options.publicUrl);
  const name = options.name ?? (isAgent(served) ? served.name : undefined) ?? "agent";

  const enter = async (request: Request): Promise<string> => {
    const client = await clientOf(request, authenticate);
    service.slots.count(client);
    return client;
  };
  const bodyOf = async (request: Request, client: string): Promise<RequestBody> => {
    const release = isLarge(request) ? service.slots.receive(client) : null;
    try {
      return await readBody(request, { maxBytes: limits.bodyBytes, timeoutMs: limits.bodyTimeoutMs });
    } finally {
      release?.();
    }
  };
  const readCall = async (request: Request): Promise<OpenAICall & Pick<RequestBody, "body">> => {
    const client = await enter(request);
    service.mustBeOpen();
    const given = await bodyOf(request, client);
    mustBeModel(given.body["model"], name);
    return { ...given, service, client, signal: request.signal, stalledMs: limits.stalledMs };
  };

  const app = new Hono().basePath(options.basePath ?? "/");
  app.get("/v1/models", async (context) => {
    await enter(context.req.raw);
    return Response.json({ object: "list", data: [modelOf(name)] });
  });
  app.get("/v1/models/:name", async (context) => {
    await enter(context.req.raw);
    mustBeModel(context.req.param("name"), name);
    return Response.json(modelOf(name));
  });
  app.post("/v1/chat/completions", async ({ req: { raw } }) => {
    const { body, ...call } = await readCall(raw);
    return answerChat(body, call);
  });
  app.post("/v1/responses", async ({ req: { raw } }) => {
    const { body, ...call } = await readCall(raw);
    return answerResponses(body, call);
  });
  app.get("/v1/responses/:id", async ({ req }) => showResponse(req.param("id"), await enter(req.raw), service));
  app.post("/v1/responses/:id/cancel", async ({ req }) =>
    cancelResponse(req.param("id"), await enter(req.raw), service),
  );
  app.get("/v1/runs/:id", async ({ req }) => showRun(req.param("id"), service, await enter(req.raw)));

  const a2a = new A2AEndpoint(service);
  const description = options.description ?? (isAgent(served) ? served.description : undefined) ?? `The agent ${name}.`;
  app.get("/.well-known/agent-card.json", ({ req: { raw } }) => {
    // The handler may be mounted at any path, so the endpoint's address is derived from the card's
    // address.
    const url =
      publicUrl === undefined ? raw.url.replace(/\.well-known\/agent-card\.json.*$/, "a2a") : `${publicUrl}/a2a`;
    // The card contains the address of this request. A cache must not return it for another
    // address.
    const headers = { "cache-control": "no-store" };
    return Response.json(agentCard({ name, description, url, needsKey: options.auth !== "none" }), { headers });
  });
  app.post("/a2a", async ({ req: { raw } }) => {
    try {
      const client = await enter(raw);
      const { body, bytes } = await bodyOf(raw, client);
      return await a2a.answer(body, {
        client,
        signal: raw.signal,
        stalledMs: limits.stalledMs,
        bytes,
        onError: reporter(raw),
      });
    } catch (error) {
      // Send a null id, because the request's id could not be read. JSON-RPC has one code for text
      // that is not JSON, and another for JSON that is not a request.
      const isBad = error instanceof RefusedRequest && error.reason === "bad-request";
      return rpcError(
        clientError(error, reporter(raw)),
        null,
        isBad ? { code: error instanceof NotJson ? -32_700 : -32_600 } : undefined,
      );
    }
  });

  const approver = approverOf(options.approvers, enter);
  app.get("/v1/approvals", async ({ req: { raw } }) => listApprovals(service, await approver(raw)));
  app.post("/v1/approvals", async ({ req: { raw } }) => {
    const client = await approver(raw);
    return takeDecision((await bodyOf(raw, client ?? "")).body, service, client);
  });
  app.notFound(() => openAIError(new RefusedRequest("not-found", "there is nothing at this address")));
  app.onError((error, { req }) => openAIError(clientError(error, reporter(req.raw))));
  const answer = async (request: Request): Promise<Response> => {
    checkRequest(request, "the handler of serveHandler()");
    return app.fetch(request);
  };
  return Object.assign(answer, { close: ({ graceMs = 10_000 } = {}) => service.stop(graceMs) });
}

/**
 * Throws if a limit other than `queued` is 0 or less, because no request could succeed with such a
 * limit.
 */
function mustBePositive({ queued: _, ...limits }: ServeLimits): void {
  const wrong = Object.entries(limits).find(([, limit]) => limit <= 0);
  if (wrong) throw invalidOption(`limits.${wrong[0]} is ${wrong[1]}; expected a number above 0`, "leave it out");
}

/** Wraps `onError`, so that an error in it does not end the server. */
function harmless(onError: ServeHandlerOptions["onError"]): OnError {
  return (error, about) => {
    try {
      onError?.(error, about);
    } catch {
      // There is nobody to report an error of `onError` to.
    }
  };
}

/** Reads `publicUrl`, and removes slashes at its end. */
function readPublicUrl(given: unknown): string | undefined {
  if (given === undefined) return undefined;
  const url = typeof given === "string" && URL.canParse(given) ? new URL(given) : null;
  if (url && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "" && url.username === "") {
    return url.href.replace(/\/+$/, "");
  }
  throw invalidOption(
    `publicUrl is ${JSON.stringify(given)}, which is not a web address`,
    'write it as clients see it: publicUrl: "https://agents.example.org"',
  );
}

const serveHandlerOptions: OptionTable<ServeHandlerOptions> = { ...serveOptions, auth: true, basePath: true };

/**
 * Returns a function that takes a request. The function returns the client whose calls the request
 * may approve or deny, or null if it may decide about the calls of all clients.
 */
function approverOf(
  approvers: ServeHandlerOptions["approvers"],
  enter: (request: Request) => Promise<string>,
): (request: Request) => Promise<string | null> {
  if (approvers === "clients") return enter;
  const authenticate: Authenticate = approvers === undefined ? () => null : authenticator(approvers, "approvers");
  return async (request) => {
    await clientOf(request, authenticate);
    return null;
  };
}

function mustBeServed(served: unknown): asserts served is Servable {
  if (isAgent(served) || (typeof served === "function" && !isClass(served))) return;
  throw invalidOption(
    "the served value is neither an agent nor a function that returns one",
    "write serve(new CodeAgent({ ... })), or serve(({ client }) => agentFor(client))",
  );
}

function mustBeModel(given: unknown, name: string): void {
  if (given === undefined || given === name) return;
  throw new RefusedRequest(
    "not-found",
    `there is no model ${JSON.stringify(given)}; this server has "${name}"`,
    "model",
  );
}

const modelOf = (id: string): object => ({ id, object: "model", created: 0, owned_by: "smolts" });
