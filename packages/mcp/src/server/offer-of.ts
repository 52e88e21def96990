import { invalidOption } from "@smolts/protocol";
import { codeMode } from "./code-mode/code-mode.ts";
import { offerCodeMode } from "./code-mode/offer-code-mode.ts";
import type { EndpointOptions } from "./endpoint.ts";
import type { Offer } from "./offer.ts";
import { offerAgent } from "./offer-agent.ts";
import { offerTools } from "./offer-tools.ts";
import type { ServeOptions } from "./serve-options.ts";
import { kindOf, type Servable } from "./served.ts";

/**
 * Returns the options of the endpoints that serve a value, including the tools that clients see.
 *
 * @throws AgentError `invalid-option` if the value cannot be served
 */
export function offerOf(
  served: Servable,
  { name, version = "0.0.0", approve, maxCalls = 16 }: ServeOptions,
): EndpointOptions {
  if (maxCalls < 1) throw invalidOption(`maxCalls is ${maxCalls}; expected at least 1`, "leave it out");
  const offer = offerFor(served);
  return { offer, name: name ?? offer.name, version, approve, maxCalls };
}

function offerFor(served: Servable): Offer {
  const kind = kindOf(served);
  switch (kind?.type) {
    case "agent":
      return offerAgent(kind.agent);
    case "tools":
      return offerTools(kind.tools);
    case "code-mode":
      return offerCodeMode(kind.codeMode);
    case "sandbox":
      return offerCodeMode(codeMode([], { executor: kind.executor }));
    case undefined:
      throw invalidOption(
        "this value cannot be served",
        "write serveMcp([tool]), or pass an agent, codeMode(tools), or an executor such as interpreter()",
      );
    default:
      return kind satisfies never;
  }
}
