import { AgentError, toBase64 } from "@smolts/protocol";

/** The name of bytes in a log: `sha256-` and their hash in URL-safe base64. */
export async function blobDigest(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)); // never shared memory
  return `sha256-${toBase64(hash).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Returns bytes that were read back, unless they are others than were written. */
export async function mustMatchDigest(bytes: Uint8Array, digest: string): Promise<Uint8Array> {
  if ((await blobDigest(bytes)) === digest) return bytes;
  throw new AgentError("log-corrupt", `the bytes of "${digest}" in the run log are damaged`, {
    hint: "restore the session from a backup; nothing was changed in it",
  });
}

/** The error for bytes that a log does not hold. */
export const missingBlob = (digest: string): AgentError =>
  new AgentError("log", `the log holds no bytes with the digest "${digest}"`, {
    hint: "put the bytes into this log with putBlob() first",
  });
