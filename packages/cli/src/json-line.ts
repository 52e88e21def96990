import { hiddenCharacter, type JsonValue, type RunEvent, type TransientBody } from "@smolts/protocol";

const passing = {
  "text-delta": true,
  "plan-delta": true,
  "reasoning-delta": true,
  "code-delta": true,
  "tool-call-delta": true,
  "tool-progress": true,
  retry: true,
} as const satisfies Record<TransientBody["type"], true>;

/** Says whether the log keeps an event. Only such events are part of the output of `--json`. */
export const isDurable = (event: RunEvent): boolean => !Object.hasOwn(passing, event.type);

/**
 * Returns data as one line of JSON. Control, format and bidi characters, line separators and lone
 * surrogates are escaped. So the data can neither control the terminal nor end the line.
 */
export function jsonLine(data: JsonValue | RunEvent): string {
  return JSON.stringify(data).replace(hiddenCharacter, escapeUnits);
}

const escapeUnits = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
