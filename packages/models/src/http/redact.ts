// Takes secrets out of texts that came from elsewhere: a provider's error body may echo the key it
// was sent, in whatever clothes.

import { toBase64 } from "@smolts/protocol";

/** Takes the secrets out of a text. */
export type Redact = (text: string) => string;

/** Some secrets, to be taken out of texts that come whole or in pieces. */
export interface Secrets {
  readonly isEmpty: boolean;
  readonly redact: Redact;
  /** How many characters at the end of a text may be the beginning of a secret. */
  openEnd(text: string): number;
}

/** Secrets shorter than this are words that also stand elsewhere, such as "none". */
const shortestSecret = 6;

/**
 * A {@link Redact} for some secrets, also where they are in base64 (alone or in the middle of
 * something), URL-escaped or JSON-escaped.
 */
export function createRedact(secrets: readonly string[]): Redact {
  return createSecrets(secrets).redact;
}

/** {@link Secrets} in all forms that {@link createRedact} knows. */
export function createSecrets(secrets: readonly string[]): Secrets {
  const forms = new Set(secrets.filter((secret) => secret.length >= shortestSecret).flatMap(formsOf));
  // Longest first, so that no form is spoiled by a shorter one within it.
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
 * Whether a value can be nothing but a secret, so that it may be taken out of what a model says,
 * too. A stand-in for a key, such as "ollama" or "not-needed", is a word that an answer may well
 * have.
 */
export function isUnmistakable(secret: string): boolean {
  return secret.length >= 16 && /\d/.test(secret) && !/\s/.test(secret);
}

/**
 * The error without anything secret: names, messages and codes down its causes; stacks and all
 * other fields stay behind.
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
 * The characters of base64 that depend on nothing but the secret when it stands `offset` bytes
 * (modulo 3) into what was encoded.
 */
function base64At(secret: string, offset: number): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const padded = new Uint8Array(offset + bytes.length);
  padded.set(bytes, offset);
  const wholeCharacters = Math.floor((padded.length * 8) / 6);
  return [toBase64(padded).slice(Math.ceil((offset * 8) / 6), wholeCharacters)];
}
