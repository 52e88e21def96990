import { AgentError } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";

/**
 * Looks at what every adapter takes.
 *
 * @throws AgentError `invalid-option` that names the option and what it may be
 */
export function checkOptions(modelId: string, options: AdapterOptions): void {
  const { extra, retries = {}, timeouts = {}, pricing = {}, requestsPerMinute = 1 } = options;
  if (modelId.trim() === "") throw invalidOption("the model id is empty", "write the id as the server knows it");
  if (extra && "messages" in extra) throw invalidOption("extra has messages", "pass messages with the request");
  const { attempts = 1 } = retries;
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw invalidOption(`retries.attempts is ${attempts}; expected a whole number >= 1`, "write 1 for no retry");
  }
  checkNumbers({ ...retries, ...timeouts }, "write it in ms, without quotes");
  checkNumbers({ ...pricing }, "write it in USD, without quotes");
  if (!(typeof requestsPerMinute === "number" && requestsPerMinute > 0)) {
    throw invalidOption(
      `requestsPerMinute is ${JSON.stringify(requestsPerMinute)}; expected a number > 0`,
      "leave it out for no limit",
    );
  }
}

function checkNumbers(numbers: Readonly<Record<string, unknown>>, hint: string): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === "number" && value >= 0) continue;
    throw invalidOption(`${name} is ${JSON.stringify(value)}; expected a number >= 0`, hint);
  }
}

const invalidOption = (message: string, hint: string): AgentError =>
  new AgentError("invalid-option", message, { hint });
