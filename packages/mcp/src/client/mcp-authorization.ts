/** Stores tokens and client registrations. The values are secrets. A `Map` can be used. */
export interface McpTokenStore {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
}

/** Options for signing in to a server. */
export interface McpAuthorization {
  /**
   * Stores the tokens and the registration. If the same store is used again, nobody has to sign in
   * again.
   */
  readonly store: McpTokenStore;
  /** The address to which the authorization server sends the person back. */
  readonly redirectUrl: string;
  /**
   * Shows a person the sign-in page. Returns the full address to which the person was sent back.
   */
  readonly signIn: (
    page: URL,
    options: { readonly signal: AbortSignal | undefined },
  ) => string | URL | Promise<string | URL>;
  /** The name of this client on the sign-in page. @defaultValue "smolts" */
  readonly clientName?: string;
  /**
   * An https address of a document that describes this client, for servers that accept such an
   * address as the client's id.
   */
  readonly clientMetadataUrl?: string;
  /** The id of a client that is already registered. @defaultValue the client registers itself */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The scopes to request. @defaultValue those that the server names */
  readonly scope?: string;
}
