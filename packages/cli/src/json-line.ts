import { hiddenCharacter, type JsonValue, type RunEvent } from "@smolts/protocol";

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
