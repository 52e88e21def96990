// Tests signing in to an MCP server. The authorization server in these tests is a real one: it
// registers clients, requires PKCE, and issues tokens that name their audience.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { type McpAuthorization, mcpTools } from "@smolts/mcp";
import { expect, onTestFinished, test, vi } from "vitest";

// Hide a warning of the authorization server's library: its settings are for tests only.
vi.spyOn(console, "warn").mockImplementation(() => {});
vi.spyOn(console, "info").mockImplementation(() => {});

/** The part of the authorization server that these tests use. */
interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
}
const moduleName = "oidc-provider";
const { Provider } = (await import(moduleName)) as {
  readonly Provider: new (issuer: string, options: object) => Provider;
};

const redirectUrl = "http://127.0.0.1:9/back";

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts an authorization server, and an MCP server that accepts its tokens. */
async function place() {
  const seen = { registrations: 0, verifiers: [] as string[], tokens: [] as string[] };
  let provider: Provider | undefined;
  const issuer = await listen(
    createServer((request, response) => {
      if (request.url === "/reg") seen.registrations++;
      provider?.callback()(request, response);
    }),
  );
  const resourceServer = createServer();
  const origin = await listen(resourceServer);
  const resource = `${origin}/mcp`;
  provider = new Provider(issuer, {
    features: {
      registration: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, indicator: string) => ({
          scope: "notes",
          audience: indicator,
          accessTokenTTL: 60,
          accessTokenFormat: "jwt",
        }),
        useGrantedResource: () => true,
      },
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    clientDefaults: { grant_types: ["authorization_code", "refresh_token"], token_endpoint_auth_method: "none" },
    scopes: ["openid", "offline_access", "notes"],
  });
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "notes", version: "1.0.0" });
    server.registerTool("whoami", { description: "Says who." }, () => ({
      content: [{ type: "text", text: "signed in" }],
    }));
    return server;
  });
  resourceServer.on("request", async (request, response) => {
    const url = `${origin}${request.url}`;
    if (request.url?.startsWith("/.well-known/oauth-protected-resource")) {
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify({ resource, authorization_servers: [issuer], scopes_supported: ["notes"] }));
    }
    const token = request.headers.authorization?.replace("Bearer ", "");
    const claims =
      token === undefined
        ? undefined
        : JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString() || "{}");
    if (claims?.aud !== resource || claims.iss !== issuer) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      return response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}"` }).end();
    }
    seen.tokens.push(String(token));
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const answer = await handler.fetch(
      new Request(url, {
        method: request.method ?? "GET",
        headers: request.headers as never,
        ...(body.length === 0 ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).flushHeaders();
    // Copy the body piece by piece, because the answer to a subscription does not end.
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
  return { url: resource, issuer, seen };
}

/**
 * Imitates a person with a browser, who follows the pages, signs in, agrees, and returns to the
 * program.
 */
async function signIn(page: URL): Promise<string> {
  const cookies = new Map<string, string>();
  let url = page.href;
  let body: string | undefined;
  for (let hops = 0; hops < 20; hops++) {
    if (url.startsWith(redirectUrl)) return url;
    const response: Response = await fetch(url, {
      redirect: "manual",
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(body === undefined ? {} : { method: "POST", body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location !== null) {
      url = new URL(location, url).href;
      body = undefined;
      continue;
    }
    const html = await response.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(html)?.[1];
    if (action === undefined) throw new Error(`no form at ${url}: ${html.slice(0, 300)}`);
    url = new URL(action, url).href;
    body = `prompt=${prompt}&login=ada&password=x`;
  }
  throw new Error("the pages have no end");
}

test("signing in to a server finds the authorization server, registers, uses PKCE, and keeps the tokens in the store", async () => {
  const { url, issuer, seen } = await place();
  const store = new Map<string, string>();
  const pages: URL[] = [];
  const authorization: McpAuthorization = {
    store,
    redirectUrl,
    signIn: (page) => {
      pages.push(page);
      return signIn(page);
    },
  };
  {
    await using mcp = await mcpTools({ url, authorization });
    expect(await mcp.tools[0]?.execute({}, { signal: new AbortController().signal, emit: () => {} } as never)).toBe(
      "signed in",
    );
  }
  expect(pages).toHaveLength(1);
  expect(Object.fromEntries(pages[0]?.searchParams ?? [])).toMatchObject({
    code_challenge_method: "S256",
    resource: url,
  });
  expect(seen.registrations).toBe(1);
  expect([...store.keys()].sort()).toEqual([`mcp client ${url}`, `mcp tokens ${url}`]);
  await using again = await mcpTools({ url, authorization });
  expect([again.tools.length, pages.length, seen.registrations]).toEqual([1, 1, 1]);
  expect(issuer).not.toBe(new URL(url).origin);
});

test("an answer to another request, and a page without https, sign nobody in", async () => {
  const { url, seen } = await place();
  const store = new Map<string, string>();
  const forged = {
    store,
    redirectUrl,
    signIn: async (page: URL) => (await signIn(page)).replace(/state=[^&]*/, "state=other"),
  };
  await expect(mcpTools({ url, authorization: forged })).rejects.toThrow("its state differs");
  expect(seen.tokens).toEqual([]);
});

test("the token of one server is not sent to another", async () => {
  const [first, second] = [await place(), await place()];
  const store = new Map<string, string>();
  const authorization = { store, redirectUrl, signIn };
  {
    await using mcp = await mcpTools({ url: first.url, authorization });
    expect(mcp.tools).toHaveLength(1);
  }
  const refusing = { ...authorization, signIn: () => Promise.reject(new Error("asked again")) };
  await expect(mcpTools({ url: second.url, authorization: refusing })).rejects.toThrow("asked again");
  expect(second.seen.tokens).toEqual([]);
});

test("an expired token is renewed without a person", async () => {
  const { url, seen } = await place();
  const store = new Map<string, string>();
  const authorization = { store, redirectUrl, signIn };
  {
    await using mcp = await mcpTools({ url, authorization });
    expect(mcp.tools).toHaveLength(1);
  }
  const key = `mcp tokens ${url}`;
  const kept = JSON.parse(store.get(key) ?? "{}");
  store.set(key, JSON.stringify({ ...kept, value: { ...kept.value, access_token: "a.e30.b" } }));
  const refusing = { ...authorization, signIn: () => Promise.reject(new Error("asked again")) };
  await using mcp = await mcpTools({ url, authorization: refusing });
  expect(mcp.tools).toHaveLength(1);
  expect(new Set(seen.tokens).size).toBe(2);
});

test("calls that are refused at the same time share one renewal of the token, or one sign-in", async () => {
  const { url } = await place();
  const store = new Map<string, string>();
  const pages: URL[] = [];
  const authorization: McpAuthorization = {
    store,
    redirectUrl,
    signIn: (page) => {
      pages.push(page);
      return signIn(page);
    },
  };
  await using mcp = await mcpTools({ url, authorization });
  const key = `mcp tokens ${url}`;
  const context = { signal: new AbortController().signal, emit: () => {} } as never;
  const callAll = () => Promise.all([1, 2, 3, 4].map(() => mcp.tools[0]?.execute({}, context)));
  for (const refresh of [{}, { refresh_token: undefined }]) {
    const kept = JSON.parse(store.get(key) ?? "{}");
    store.set(key, JSON.stringify({ ...kept, value: { ...kept.value, access_token: "a.e30.b", ...refresh } }));
    expect(await callAll()).toEqual(Array(4).fill("signed in"));
  }
  // The first sign-in page was for the connection, the second for the token that could not be
  // renewed.
  expect(pages).toHaveLength(2);
});

test("a sign-in that never ends is given up when the program stops", async () => {
  const { url } = await place();
  const stop = new AbortController();
  const signIn = (): Promise<string> => {
    stop.abort(new Error("enough"));
    return new Promise(() => {});
  };
  const authorization = { store: new Map<string, string>(), redirectUrl, signIn };
  await expect(mcpTools({ url, authorization }, { signal: stop.signal })).rejects.toThrow("enough");
});

test.each(["a-token-that-is-not-json", "", "null", "[]"])(
  "a damaged entry in the store (%j) counts as absent",
  async (text) => {
    const { url } = await place();
    const store = new Map([
      [`mcp tokens ${url}`, text],
      [`mcp client ${url}`, text],
    ]);
    await using mcp = await mcpTools({ url, authorization: { store, redirectUrl, signIn } });
    expect(mcp.tools).toHaveLength(1);
  },
);
