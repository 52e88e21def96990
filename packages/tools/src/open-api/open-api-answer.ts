import { AgentError, redact } from "@smolts/protocol";
import type { OpenApiRequest } from "./open-api-request.ts";

/** The longest quote of an error's body, in characters. A model seldom needs more. */
const maxErrorLength = 1_000;

/**
 * Returns a service's answer as plain data.
 *
 * @throws AgentError `tool-execution` with status and body for every status that is not a success
 */
export async function readAnswer(response: Response, { method, url }: OpenApiRequest): Promise<unknown> {
  const mediaType = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok)
    throw failure(response.status, `${method} ${new URL(url).pathname}`, new TextDecoder().decode(bytes));
  if (bytes.byteLength === 0) return null;
  if (/[/+]json$/.test(mediaType)) return parsed(new TextDecoder().decode(bytes));
  return /^text\/|[/+](?:xml|yaml|csv)$/.test(mediaType) ? new TextDecoder().decode(bytes) : { mediaType, bytes };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AgentError("tool-execution", "the service answered with something that is not JSON, though it says so", {
      cause: error,
    });
  }
}

function failure(status: number, what: string, body: string): AgentError {
  // Remove secrets, because some services quote the request with its key.
  const said = redact(body.replace(/\s+/g, " ").trim().slice(0, maxErrorLength));
  return new AgentError("tool-execution", `${what} answered with status ${status}${said === "" ? "" : `: ${said}`}`, {
    hint: hints[status],
  });
}

const hints: Readonly<Record<number, string>> = {
  401: "the service requires a key, which only the program can pass",
  403: "the program's key does not permit this",
  404: "it does not exist; look up its name or id first",
  429: "it gets too many requests; wait, or send fewer",
};
