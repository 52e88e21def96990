// Models of one server differ in what they take: some know no temperature, some no stop texts, some no encrypted thoughts. No table of names tells; the refusal does.

import type { RequestBody } from "./wire.ts";

/** The parameters that a model is known to refuse. */
export interface Refusals {
  has(parameter: string): boolean;
  /** Whether the refusal names a parameter of the body that can be done without; it is left out from now on. */
  learn(refusal: Refusal, body: RequestBody): boolean;
  /** The body without what is refused. */
  without(body: RequestBody): RequestBody;
}

/** What a server says when it refuses a request. */
export interface Refusal {
  readonly status: number | undefined;
  readonly param?: string | null | undefined;
  readonly message: string;
}

/** {@link Refusals} that knows of none yet. */
export function createRefusals(): Refusals {
  const refused = new Set<string>();
  return {
    has: (parameter) => refused.has(parameter),
    learn(refusal, body) {
      const parameter = refusedParameter(refusal);
      if (parameter === undefined || !(parameter in body) || refused.has(parameter)) return false;
      refused.add(parameter);
      return true;
    },
    without: (body) =>
      Object.fromEntries(Object.entries(body).flatMap(([name, value]) => fieldsInstead(name, value, refused))),
  };
}

/** What an answer can be had without. */
const dispensable = new Set(["temperature", "stop", "include", "reasoning", "stream_options", ...tokenLimits()]);

/** One limit has two names. */
function tokenLimits(): readonly string[] {
  return ["max_completion_tokens", "max_tokens", "max_output_tokens"];
}

function refusedParameter({ status, param, message }: Refusal): string | undefined {
  if (status !== 400 && status !== 422) return undefined;
  if (/encrypted content is not supported/i.test(message)) return "include";
  if (!/unsupported|not support|unrecognized|unknown|not permitted|not allowed/i.test(message)) return undefined;
  const [, quoted] = /['"`](\w+)(?:\.\w+)*['"`]/.exec(message) ?? [];
  const parameter = param?.split(".")[0] ?? quoted;
  return parameter !== undefined && dispensable.has(parameter) ? parameter : undefined;
}

function fieldsInstead(name: string, value: unknown, refused: ReadonlySet<string>): readonly [string, unknown][] {
  if (!refused.has(name)) return [[name, value]];
  if (name === "max_completion_tokens" && !refused.has("max_tokens")) return [["max_tokens", value]];
  return [];
}
