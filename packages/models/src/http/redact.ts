// Removes secrets from texts that come from a server. For example, a provider's error may contain
// the key from the request, in some encoding.

import { toBase64 } from "@smolts/protocol";

/** Removes the secrets from a text. */
export type Redact = (text: string) => string;

/** Removes a list of secrets from texts that arrive whole or in pieces. */
export interface Secrets {
  readonly isEmpty: boolean;
  readonly redact: Redact;
  /** Returns how many characters at the end of a text may be the beginning of a secret. */
  openEnd(text: string): number;
}

/**
 * The minimum length of a secret, in characters. Shorter values, such as "none", also occur as
 * ordinary words.
 */
const minSecretLength = 6;

/**
 * Creates a {@link Redact} for these secrets. The returned function also finds secrets in base64
 * (alone or inside a longer text), and with URL or JSON escapes.
 */
export function createRedact(secrets: readonly string[]): Redact {
  return createSecrets(secrets).redact;
}

/** Creates {@link Secrets}, which find the same encodings of secrets as {@link createRedact}. */
export function createSecrets(secrets: readonly string[]): Secrets {
  const forms = new Set(secrets.filter((secret) => secret.length >= minSecretLength).flatMap(formsOf));
  // Replace the longest encodings first, because a shorter one may be a part of a longer one.
  const sorted = [...forms].sort((one, other) => other.length - one.length);
  const longest = sorted[0]?.length ?? 0;
  return {
    isEmpty: sorted.length === 0,
    redact: (text) => sorted.reduce((redacted, form) => redacted.replaceAll(form, "[redacted]"), text),
    openEnd(text) {
      for (let start = Math.max(0, text.length - longest + 1); start < text.length; start++) {
        const end = text.slice(start);
        if (sorted.some((form) => form.length > end.length && form.startsWith(end))) return end.length;
      }
      return 0;
    },
  };
}

/**
 * Says whether a value is certainly a secret, so that it may also be removed from a model's
 * answers. A placeholder for a key, such as "ollama" or "not-needed", may be an ordinary word in an
 * answer.
 */
export function isCertainSecret(secret: string): boolean {
  return secret.length >= 16 && /\d/.test(secret) && !/\s/.test(secret);
}

/**
 * Returns a copy of the error without secrets. It keeps the names, messages and codes of the error
 * and its causes, and drops stacks and all other fields.
 */
export function redactError(error: unknown, redact: Redact, depth = 0): Error {
  if (!(error instanceof Error)) return new Error(redact(String(error)));
  const { name, message, cause } = error;
  const safe = new Error(
    redact(message),
    cause === undefined || depth > 4 ? {} : { cause: redactError(cause, redact, depth + 1) },
  );
  safe.name = name;
  const { code } = error as { readonly code?: unknown };
  safe.stack = `${name}: ${safe.message}`;
  return typeof code === "string" ? Object.assign(safe, { code }) : safe;
}

function formsOf(secret: string): readonly string[] {
  const encoded = [0, 1, 2].flatMap((offset) => base64At(secret, offset));
  const escaped = encodeURIComponent(secret);
  return [
    secret,
    escaped,
    escaped.replace(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase()),
    JSON.stringify(secret).slice(1, -1),
    ...encoded,
    ...encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    ...encoded.map(encodeURIComponent),
  ];
}

/**
 * Returns the base64 text of a secret that has `offset` bytes (0 to 2) in front of it. Characters
 * that also depend on the bytes around the secret are left out.
 */
function base64At(secret: string, offset: number): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const padded = new Uint8Array(offset + bytes.length);
  padded.set(bytes, offset);
  const wholeCharacters = Math.floor((padded.length * 8) / 6);
  return [toBase64(padded).slice(Math.ceil((offset * 8) / 6), wholeCharacters)];
}
