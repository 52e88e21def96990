// Servers quote their keys in errors and on standard error. These texts become part of our
// messages, which the model sees and the log keeps. Secrets must therefore be removed first.

import { redact } from "@smolts/protocol";
import { isStdio, type McpServer } from "./mcp-server.ts";

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/**
 * Returns a function that removes secrets from a text: the secrets in the server's configuration,
 * and everything else that looks like a secret.
 */
export function redactSecretsOf(server: McpServer): Redact {
  // Remove the longest secrets first, because one secret may contain another.
  const secrets = secretsIn(server).toSorted((left, right) => right.length - left.length);
  return (text) => redact(secrets.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text));
}

/**
 * The minimum length of a secret. Shorter values are not removed, because a text may also contain
 * them as ordinary words or numbers.
 */
const minLength = 6;
const secretName = /key|token|secret|pass|pwd|auth|cred|cookie|session|dsn|_url$|_uri$/i;

function secretsIn(server: McpServer): readonly string[] {
  const named = Object.entries((isStdio(server) ? server.env : server.headers) ?? {});
  const values = named.filter(([name]) => secretName.test(name)).map(([, value]) => value);
  const clientSecret = isStdio(server) ? undefined : server.authorization?.clientSecret;
  return [...values, clientSecret ?? ""]
    .map((value) => value.replace(/^(?:bearer|basic|token)\s+/i, "").trim())
    .filter((value) => value.length >= minLength);
}
