// Implements streamable HTTP as one function from `Request` to `Response`, for any HTTP server that
// uses these types.

import { createMcpHandler, isLegacyRequest, readRequestBody } from "@modelcontextprotocol/server";
import { checkRequest, invalidOption, type OptionTable, readOptions } from "@smolts/protocol";
import { ClientSession } from "./client-session.ts";
import { Endpoints } from "./endpoint.ts";
import { HttpAccess, type HttpAuth, refusal } from "./http-access.ts";
import { HttpSessions, type SessionLimits } from "./http-sessions.ts";
import { offerOf } from "./offer-of.ts";
import { type ServeOptions, serveOptions } from "./serve-options.ts";
import type { Servable } from "./served.ts";

/** Options of {@link mcpHandler}. */
export interface McpHandlerOptions extends ServeOptions {
  /**
   * Who may use the server: clients that send the key, or requests that your function accepts. With
   * `"none"`, everybody who can reach the server may use it. Two clients never share a session if
   * their keys differ, or if the function returns different names for them.
   */
  readonly auth: HttpAuth;
  /**
   * The host names of the server, without port. @defaultValue `localhost`, `127.0.0.1` and `[::1]`
   */
  readonly hosts?: readonly string[];
  /** The origins of other sites whose pages may call the server. @defaultValue none */
  readonly origins?: readonly string[];
  /** The maximum size of a request body, in bytes. @defaultValue 4 MiB */
  readonly maxBodyBytes?: number;
  /** The maximum number of sessions at the same time. @defaultValue 100 */
  readonly maxSessions?: number;
  /** How long a session may be idle before it ends, in ms. @defaultValue 30 minutes */
  readonly sessionIdleMs?: number;
}

/** A function that answers requests. `close` ends its sessions. */
export interface McpHandler {
  (request: Request): Promise<Response>;
  close(): Promise<void>;
}

const defaults = { maxBodyBytes: 4 * 2 ** 20, maxSessions: 100, sessionIdleMs: 30 * 60_000 } as const;

/**
 * Serves an agent, tools or code mode over streamable HTTP, inside your own HTTP server. Supports
 * the MCP version of 2026-07-28 and older versions.
 *
 * @throws AgentError `invalid-option` if the value cannot be served, or if a key is shorter than 16
 *   characters
 * @example
 * ```ts
 * import { mcpHandler } from "@smolts/mcp";
 * import { tool } from "smolts";
 *
 * const add = tool({
 *   name: "add",
 *   description: "Adds two numbers.",
 *   input: { left: "number", right: "number" },
 *   execute: ({ left, right }) => left + right,
 * });
 * const handler = mcpHandler([add], { auth: { key: "a-long-random-key" } });
 * const response = await handler(new Request("http://localhost/mcp", { method: "POST", body: "{}" }));
 * console.log(response.status); // 401
 * ```
 */
export function mcpHandler(served: Servable, given: McpHandlerOptions): McpHandler {
  const options = readOptions(given, "mcpHandler()", mcpHandlerOptions);
  const { auth, hosts, origins = [] } = options;
  checkAuth(auth);
  const maxBodyBytes = options.maxBodyBytes ?? defaults.maxBodyBytes;
  const limits = {
    maxBodyBytes,
    maxSessions: options.maxSessions ?? defaults.maxSessions,
    sessionIdleMs: options.sessionIdleMs ?? defaults.sessionIdleMs,
  };
  mustBePositive(limits);
  const access = new HttpAccess({ auth, hosts, origins });
  const { offer, ...endpointOptions } = offerOf(served, options);
  const endpoints = new Endpoints({ offer, ...endpointOptions });
  const sessions = new HttpSessions(endpoints, limits);
  const modern = createMcpHandler(
    ({ authInfo }) => endpoints.create(new ClientSession(authInfo?.clientId ?? "anyone"), false),
    { legacy: "reject", maxRequestBodySize: maxBodyBytes, maxSubscriptions: limits.maxSessions },
  );
  const answer = async (request: Request): Promise<Response> => {
    checkRequest(request, "the handler of mcpHandler()");
    const principal = await access.check(request);
    if (principal instanceof Response) return principal;
    if (request.method !== "POST") return sessions.answer(request, undefined, principal);
    const body = await bodyOf(request, maxBodyBytes);
    if (body instanceof Response) return body;
    if (await isLegacyRequest(request, body.json)) return sessions.answer(request, body.json, principal);
    const authInfo = { token: "", clientId: principal, scopes: [] };
    return modern.fetch(request, { parsedBody: body.json, authInfo });
  };
  const close = async (): Promise<void> => {
    await Promise.all([sessions.close(), modern.close(), offer.close?.()]);
  };
  return Object.assign(answer, { close });
}

/** The types of the options of {@link mcpHandler}. */
export const mcpHandlerOptions: OptionTable<McpHandlerOptions> = {
  ...serveOptions,
  auth: true,
  hosts: "texts",
  origins: "texts",
  maxBodyBytes: "number",
  maxSessions: "number",
  sessionIdleMs: "number",
};

/** Refuses limits with which no request could succeed. */
function mustBePositive({ sessionIdleMs: _, ...limits }: SessionLimits): void {
  const wrong = Object.entries(limits).find(([, limit]) => limit <= 0);
  if (wrong) throw invalidOption(`${wrong[0]} is ${wrong[1]}; expected a number above 0`, "leave it out");
}

function checkAuth(auth: HttpAuth): void {
  if (auth === "none" || typeof auth === "function") return;
  if (typeof auth?.key === "string" && auth.key.length >= 16) return;
  throw invalidOption("auth has no key of at least 16 characters", 'pass auth: { key: "..." }, a function, or "none"');
}

/** Returns the body as JSON, or the response that refuses it. */
async function bodyOf(request: Request, maxBytes: number): Promise<{ readonly json: unknown } | Response> {
  // Refuse other content types: a page of another site could send some of them without a CORS
  // check.
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    return refusal(415, "the content type is not application/json");
  }
  const read = await readRequestBody(request, maxBytes);
  if (read.tooLarge) return refusal(413, `the body has more than ${maxBytes} bytes`);
  try {
    return { json: JSON.parse(read.text) };
  } catch {
    return refusal(400, "the body is not JSON");
  }
}
