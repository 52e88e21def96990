import { AgentError } from "@smolts/protocol";

/**
 * Converts an error of the SDK to an AgentError that says what is wrong and what to do. Compares
 * the names of classes instead of using `instanceof`, because there may be two copies of the SDK.
 */
export function failureOf(error: unknown, apiKey: string | undefined): AgentError {
  if (AgentError.is(error)) return error;
  const name = error instanceof Error ? error.name : "";
  const why = withoutKey(reasonOf(error), apiKey);
  const [what, hint] = explanation(name, why);
  return new AgentError("executor", what, { cause: error, hint });
}

/**
 * Returns the error's message, and that of its cause if it says more. For example, `fetch failed`
 * alone is not helpful.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? `${error.message}: ${cause.message}` : error.message;
}

function explanation(name: string, why: string): readonly [what: string, hint: string] {
  switch (name) {
    case "AuthenticationError":
      return why.startsWith("API key is required")
        ? ["E2B needs an API key, and none was given", "set E2B_API_KEY, or pass { apiKey } to e2b()"]
        : [`E2B refused the API key: ${why}`, "check the key in E2B's dashboard; it may have been revoked"];
    case "RateLimitError":
      return [
        `E2B refuses more requests for now: ${why}`,
        "wait, open fewer sandboxes at once, or raise your plan's limit",
      ];
    case "ServiceBusyError":
      return [`E2B has no room for a sandbox now: ${why}`, "try again later"];
    case "TemplateError":
      return [`the template does not fit this version of the SDK: ${why}`, "build the template again"];
    case "NotFoundError":
    case "SandboxNotFoundError":
      return [
        "the sandbox of this run is gone, and its variables with it",
        "resume with { emptySandbox: true } to continue without them; raise timeoutMs in e2b() for the next time",
      ];
    case "SandboxError":
      return /template/i.test(why)
        ? [`E2B has no such template: ${why}`, "check { template } in e2b(), or leave it out for the base template"]
        : [`E2B refused the request: ${why}`, "check the options of e2b()"];
    default:
      return [`E2B cannot be reached: ${why}`, "check the network, and { domain } or { apiUrl } if you set them"];
  }
}

const withoutKey = (text: string, apiKey: string | undefined): string =>
  apiKey ? text.replaceAll(apiKey, "(key)") : text;
