import { AgentError, sha256, toBase64 } from "@smolts/protocol";

/**
 * Returns the digest by which a log refers to bytes: `sha256-` and the SHA-256 hash in URL-safe
 * base64.
 */
export async function blobDigest(bytes: Uint8Array): Promise<string> {
  return `sha256-${toBase64(await sha256(bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")}`;
}

/**
 * Checks bytes that were read from a store, and returns them. Throws if they do not match the
 * digest.
 */
export async function mustMatchDigest(bytes: Uint8Array, digest: string): Promise<Uint8Array> {
  if ((await blobDigest(bytes)) === digest) return bytes;
  throw new AgentError("log-corrupt", `the bytes of "${digest}" in the run log are damaged`, {
    hint: "restore the session from a backup; nothing was changed in it",
  });
}

/** Returns the error for bytes that a log does not contain. */
export const missingBlob = (digest: string): AgentError =>
  new AgentError("log", `the log contains no bytes with the digest "${digest}"`, {
    hint: "put the bytes into this log with putBlob() first",
  });
