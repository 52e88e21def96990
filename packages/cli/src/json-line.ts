import { hiddenCharacter, type JsonValue, type PassingBody, type RunEvent } from "@smolts/protocol";

const passing = {
  "text-delta": true,
  "plan-delta": true,
  "reasoning-delta": true,
  "code-delta": true,
  "tool-call-delta": true,
  "tool-progress": true,
  retry: true,
} as const satisfies Record<PassingBody["type"], true>;

/** Whether the log keeps the event, so that it belongs into the output of `--json`. */
export const isDurable = (event: RunEvent): boolean => !Object.hasOwn(passing, event.type);

/**
 * Data as one line of JSON that can be read in a terminal: each control, format and bidi character,
 * line separator and lone surrogate is escaped, so that it neither steers the terminal nor ends the
 * line.
 */
export function jsonLine(data: JsonValue | RunEvent): string {
  return JSON.stringify(data).replace(hiddenCharacter, escapeUnits);
}

const escapeUnits = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
