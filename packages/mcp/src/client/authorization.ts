// Signs in to a server by OAuth. The SDK implements the protocol: it finds the authorization
// server, registers the client, uses PKCE and refreshes tokens. This file adds what the program
// decides: where tokens are kept, and how a person gets to the sign-in page and back.

import type {
  OAuthClientInformationContext,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { AgentError, isLoopback, randomHex, untilAborted } from "@smolts/protocol";
import type { McpAuthorization } from "./mcp-authorization.ts";
import type { McpHttpServer } from "./mcp-server.ts";

/** The SDK's provider interface, plus a method that waits for the end of the sign-in. */
export interface AuthorizationProvider extends OAuthClientProvider {
  /**
   * Returns the parameters of the address to which the server sent the person back.
   *
   * @throws AgentError `tool-execution` if the parameters do not belong to this sign-in
   */
  callback(): Promise<URLSearchParams>;
}

/** Returns the provider for a server; undefined if no authorization is configured for it. */
export function authorizationProvider(
  { url, authorization }: McpHttpServer,
  signal: AbortSignal | undefined,
): AuthorizationProvider | undefined {
  return authorization && new StoredAuthorization(authorization, String(url), signal);
}

class StoredAuthorization implements AuthorizationProvider {
  readonly clientMetadataUrl?: string;
  readonly #options: McpAuthorization;
  /**
   * The server's address. The keys of the store contain the address, so that a token of one server
   * is never used for another server.
   */
  readonly #place: string;
  readonly #signal: AbortSignal | undefined;
  readonly #state = randomHex();
  #verifier: string | undefined;
  #page: URL | undefined;
  #discovered: OAuthDiscoveryState | undefined;

  constructor(options: McpAuthorization, url: string, signal: AbortSignal | undefined) {
    this.#options = options;
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl;
    this.#place = url;
    this.#signal = signal;
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientProvider["clientMetadata"] {
    const { redirectUrl, clientName = "smolts", clientSecret, scope } = this.#options;
    return {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: clientSecret === undefined ? "none" : "client_secret_basic",
      ...(scope === undefined ? {} : { scope }),
    };
  }

  state(): string {
    return this.#state;
  }

  async clientInformation(context?: OAuthClientInformationContext): Promise<StoredOAuthClientInformation | undefined> {
    const { clientId, clientSecret } = this.#options;
    if (clientId === undefined) return await this.#read<StoredOAuthClientInformation>("client", context);
    return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
  }

  async saveClientInformation(
    client: StoredOAuthClientInformation,
    context?: OAuthClientInformationContext,
  ): Promise<void> {
    await this.#write("client", client, context);
  }

  async tokens(context?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    return await this.#read<StoredOAuthTokens>("tokens", context);
  }

  async saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): Promise<void> {
    await this.#write("tokens", tokens, context);
  }

  redirectToAuthorization(page: URL): void {
    this.#page = page;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier ?? "";
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    if (scope === "all" || scope === "client") await this.#options.store.delete(this.#key("client"));
    if (scope === "all" || scope === "tokens") await this.#options.store.delete(this.#key("tokens"));
    if (scope === "all" || scope === "verifier") this.#verifier = undefined;
    if (scope === "all" || scope === "discovery") this.#discovered = undefined;
  }

  async callback(): Promise<URLSearchParams> {
    const page = this.#page;
    if (page === undefined) throw failure("the server did not say where to sign in");
    if (page.protocol !== "https:" && !isLoopback(page.hostname))
      throw failure(`the page to sign in is not https: ${page.origin}`);
    const signal = this.#signal;
    const signingIn = Promise.resolve(this.#options.signIn(page, { signal }));
    const given = String(await (signal ? untilAborted(signingIn, signal) : signingIn));
    if (!URL.canParse(given)) throw failure("signIn() did not return an address");
    const { searchParams } = new URL(given);
    // Refuse the answer to another sign-in: it could sign this program in as another user.
    if (searchParams.get("state") !== this.#state)
      throw failure("the answer belongs to another sign-in (its state differs)");
    return searchParams;
  }

  #key(kind: "client" | "tokens"): string {
    return `mcp ${kind} ${this.#place}`;
  }

  async #read<Value>(
    kind: "client" | "tokens",
    context: OAuthClientInformationContext | undefined,
  ): Promise<Value | undefined> {
    const text = await this.#options.store.get(this.#key(kind));
    const { issuer, value } = stored<Value>(text);
    // Do not show data of one authorization server to another.
    if (context !== undefined && issuer !== undefined && issuer !== context.issuer) return undefined;
    return value;
  }

  async #write(
    kind: "client" | "tokens",
    value: object,
    context: OAuthClientInformationContext | undefined,
  ): Promise<void> {
    const issuer = context?.issuer;
    await this.#options.store.set(
      this.#key(kind),
      JSON.stringify({ ...(issuer === undefined ? {} : { issuer }), value }),
    );
  }
}

interface Stored<Value> {
  readonly issuer?: string;
  readonly value?: Value;
}

/**
 * Reads an entry of the store. A damaged entry counts as absent, so the person signs in again. No
 * error is thrown, because its message would quote the entry, which may contain a token.
 */
function stored<Value>(text: string | undefined): Stored<Value> {
  try {
    const entry: unknown = JSON.parse(text ?? "null");
    // The cast is safe: this file wrote the entry, and the SDK checks what it contains.
    return typeof entry === "object" && entry !== null ? (entry as Stored<Value>) : {};
  } catch {
    return {};
  }
}

const failure = (message: string): AgentError => new AgentError("tool-execution", `signing in failed: ${message}`);
