import { invalidOption } from "@smolts/protocol";
import { shown } from "../shown-value.ts";

/**
 * Checks that code can use a name.
 *
 * @throws AgentError `invalid-option` that suggests a valid name
 */
export function checkIdentifier(name: unknown, what: string): void {
  const isIdentifier = typeof name === "string" && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
  if (isIdentifier && !reservedNames.has(name)) return;
  const why = isIdentifier ? "which is a reserved word" : "which is not a JavaScript identifier";
  throw invalidOption(`${what} is ${shown(name)}, ${why}`, `write a name such as "${identifierFrom(name)}"`);
}

function identifierFrom(name: unknown): string {
  const words = String(name)
    .split(/[^\p{ID_Continue}]+/u)
    .filter((word) => word !== "");
  const joined = words.map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join("");
  return /^[\p{ID_Start}]/u.test(joined) && !reservedNames.has(joined)
    ? joined
    : `my${joined[0]?.toUpperCase() ?? "Tool"}${joined.slice(1)}`;
}

// Names that a tool must not have. Code calls a tool by its name, and words such as `print` already
// have a meaning in code.
const reservedNames = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements
  import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void
  while with yield print console final_answer __proto__`.split(/\s+/),
);
