import { invalidOption } from "@smolts/protocol";

// A tool is a function in the model's program and a name in the API of every provider. This pattern
// matches the names that are valid in both.
const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

// The words that cannot name a function in a JavaScript module, and the global names that programs
// rely on.
const reservedWords: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function " +
    "globalThis if implements import in Infinity instanceof interface let NaN new null package private protected public return static super " +
    "switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/**
 * Checks that a name can be called in code and sent to every provider.
 *
 * @throws AgentError `invalid-option` that suggests a valid name
 */
export function checkToolName(name: unknown): asserts name is string {
  if (typeof name !== "string" || name === "") {
    throw invalidOption("a tool has no name", 'write name: "searchWeb"');
  }
  if (reservedWords.has(name)) {
    throw invalidOption(`tool name "${name}" is a reserved word of JavaScript`, `write name: "${name}Tool"`);
  }
  if (!namePattern.test(name)) {
    throw invalidOption(
      `tool name "${name}" is not a name that code and providers can use`,
      `letters a-z, digits and _ only, 64 at most, no digit first; write name: "${toToolName(name)}"`,
    );
  }
}

/**
 * Creates a valid tool name from any text, using its letters and digits: `issues/list-for-repo`
 * becomes `issuesListForRepo`.
 */
export function toToolName(name: string): string {
  const words = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9_]+/)
    .filter((word) => word !== "");
  const joined = words.map((word, index) => (index === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join("");
  const started = /^[0-9]/.test(joined) ? `tool${joined}` : joined;
  return reservedWords.has(started) ? `${started}Tool` : cutMiddle(started) || "myTool";
}

/**
 * Shortens a long name in the middle, because long names of one service often differ only at their
 * ends.
 */
const cutMiddle = (name: string): string => (name.length <= 64 ? name : `${name.slice(0, 32)}${name.slice(-32)}`);
