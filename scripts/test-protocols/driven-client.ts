// The client that MCP's conformance suite starts. Its last argument is the server's address. The
// client lists the tools and calls each of them.

import { mcpTools } from "@smolts/mcp";
import type { Tool, ToolContext } from "@smolts/protocol";

const { argv, env } = process;
const url = argv.at(-1) ?? "";
const scenario = env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const given = JSON.parse(env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Readonly<Record<string, string>>;

/**
 * Acts as a browser whose user agrees to the sign-in. The suite's page redirects immediately, so
 * reading the redirect is enough.
 */
async function signIn(page: URL): Promise<string> {
  const response = await fetch(page, { redirect: "manual" });
  return response.headers.get("location") ?? "";
}

const authorization = {
  store: new Map<string, string>(),
  redirectUrl: "http://localhost:3000/callback",
  signIn,
  clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
  ...(given["client_id"] === undefined ? {} : { clientId: given["client_id"] }),
  ...(given["client_secret"] === undefined ? {} : { clientSecret: given["client_secret"] }),
};

const context = {
  signal: new AbortController().signal,
  runId: "conformance",
  emit: () => {},
  ask: async () => ({ type: "approve" }),
} as unknown as ToolContext;

/** Returns the smallest input that a schema allows. */
function inputFor({ inputSchema }: Tool): object {
  const { properties = {}, required = [] } = inputSchema as {
    readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
    readonly required?: readonly string[];
  };
  const example = (type = "string") =>
    type === "number" || type === "integer" ? 2 : type === "boolean" ? true : "text";
  return Object.fromEntries(required.map((name) => [name, example(properties[name]?.type)]));
}

await using mcp = await mcpTools({
  url,
  ...(scenario.startsWith("auth/") ? { authorization } : {}),
});
for (const tool of mcp.tools) await tool.execute(inputFor(tool), context);
