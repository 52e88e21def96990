import { AgentError, thrownText } from "@smolts/protocol";

/** Returns why a person's decision could not be used, with the hint of the error. */
export function problemOf(error: unknown): string {
  const hint = AgentError.is(error) ? error.hint : undefined;
  return hint === undefined ? thrownText(error) : `${thrownText(error)}; ${hint}`;
}
