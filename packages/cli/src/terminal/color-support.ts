/** What decides about colours and cursor movement. */
export interface TerminalFacts {
  /** Whether the output is a terminal. */
  readonly isTerminal: boolean;
  /** Environment variables: `FORCE_COLOR`, `NO_COLOR` and `TERM` count. */
  readonly environment: { readonly [name: string]: string | undefined };
}

/** Whether to print colours: `FORCE_COLOR` decides first, then `NO_COLOR` and `TERM=dumb` forbid them, then only a terminal gets them. */
export function wantsColor({ isTerminal, environment }: TerminalFacts): boolean {
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (environment["NO_COLOR"]) return false;
  return isTerminal && environment["TERM"] !== "dumb";
}

/** Whether a line may be drawn again: only on a terminal that knows how. */
export function canRedraw({ isTerminal, environment }: TerminalFacts): boolean {
  return isTerminal && environment["TERM"] !== "dumb";
}
