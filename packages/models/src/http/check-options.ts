import { invalidOption } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";

/**
 * Checks the values of the options that every adapter has.
 *
 * @throws AgentError `invalid-option` with the name of the option and its valid values
 */
export function checkOptions(options: AdapterOptions): void {
  const { extra, retries = {}, timeouts = {}, pricing = {}, requestsPerMinute = 1 } = options;
  if (extra && "messages" in extra) throw invalidOption("extra has messages", "pass messages with the request");
  const { attempts = 1 } = retries;
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw invalidOption(`retries.attempts is ${attempts}; expected a whole number >= 1`, "write 1 for no retry");
  }
  checkNumbers({ ...retries, ...timeouts }, "write it in ms, without quotes");
  checkNumbers({ ...pricing }, "write it in USD, without quotes");
  checkNumbers({ ...options.defaults }, "write it without quotes");
  checkHeaders(options.headers);
  if (!(typeof requestsPerMinute === "number" && requestsPerMinute > 0)) {
    throw invalidOption(
      `requestsPerMinute is ${JSON.stringify(requestsPerMinute)}; expected a number > 0`,
      "leave it out for no limit",
    );
  }
}

function checkHeaders(headers: unknown): void {
  if (headers === undefined) return;
  const isRecord = typeof headers === "object" && headers !== null && !(Symbol.iterator in headers);
  const wrong = isRecord ? Object.entries(headers).find(([, value]) => typeof value !== "string") : undefined;
  if (isRecord && wrong === undefined) return;
  // The message does not quote the value, because it may be an API key.
  const found = wrong ? `headers.${wrong[0]} is a ${typeof wrong[1]}` : "headers is not a plain object";
  throw invalidOption(`${found}; expected an object of strings`, 'write headers: { "x-name": "value" }');
}

function checkNumbers(numbers: Readonly<Record<string, unknown>>, hint: string): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === "number" && value >= 0) continue;
    throw invalidOption(`${name} is ${JSON.stringify(value)}; expected a number >= 0`, hint);
  }
}
