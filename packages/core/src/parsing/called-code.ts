// Reads tool calls in the text of a code agent's model. A model may fall back to the tool calls
// that it was trained on. The meaning of a call is clear if it is in such a trained format, or if
// it is the whole message. Then the equivalent line of code is run, which saves a step.

import { isRecord } from "@smolts/protocol";
import type { LanguageWords } from "../languages/code-language.ts";
import { languageNames } from "../languages/languages.ts";
import type { CodeFormat } from "./code-tags.ts";
import { markedCalls } from "./text-tool-calls.ts";
import { isCallLike, jsonCalls } from "./tool-calls/json-calls.ts";
import { parseLooseJson } from "./tool-calls/loose-json.ts";
import { saidText } from "./tool-calls/said-text.ts";
import type { TextToolCall } from "./tool-calls/text-tool-call.ts";
import { spokenText } from "./without-thoughts.ts";

/**
 * Returns the tool calls of a text as code, in a list with one block. The list is empty if the text
 * has no calls, or if one of the calls is unclear.
 */
export function calledCode(text: string, { language: { words } }: CodeFormat): readonly string[] {
  const said = saidText(spokenText(text));
  const command = commandCode(said) ?? interpreterCode(said);
  if (command !== null) return [command];
  const codes = callsOf(said).map((call) => codeOf(call, words));
  return codes.length === 0 || codes.includes(null) ? [] : [codes.join("\n")];
}

/**
 * Returns the code of a command such as `{"cmd": ["node", "-e", "..."]}`. Models that were trained
 * with a shell write such commands.
 */
function commandCode(said: string): string | null {
  const value = said.startsWith("{") ? parseLooseJson(said) : undefined;
  const command = isRecord(value) ? (value["cmd"] ?? value["command"]) : undefined;
  if (!Array.isArray(command) || command.length !== 3) return null;
  const [program, flag, code] = command;
  const runs = programs.test(String(program)) && /^-(?:c|e|-eval|p)$/.test(String(flag));
  return runs && typeof code === "string" ? code : null;
}

const toInterpreter = /\bto=(\w+)[^<{]*<\|message\|>(?!\s*\{)([\s\S]*?)(?:<\|(?:call|end|return)\|>|$)/;

/**
 * Returns the code of a message to an interpreter in the harmony format:
 * `to=python code<|message|>...<|call|>`.
 */
function interpreterCode(said: string): string | null {
  const [, name = "", code = ""] = toInterpreter.exec(said) ?? [];
  return codeRunner.test(name) && code.trim() !== "" ? code : null;
}

const programs = new RegExp(`^(?:node|deno|bun|tsx|ts-node|python3?|${languageNames.join("|")})$`, "i");

function callsOf(said: string): readonly TextToolCall[] {
  try {
    return markedCalls(said) ?? (isWholeCall(said) ? jsonCalls(said) : []);
  } catch {
    // The text contains no valid call. The model gets the error that its text has no code.
    return [];
  }
}

function isWholeCall(said: string): boolean {
  const inner = /^```(?:json|tool_call)?\s*\n([\s\S]*)\n```$/.exec(said)?.[1] ?? said;
  return /^\s*[[{]/.test(inner) && isCallLike(parseLooseJson(inner));
}

function codeOf({ name, input }: TextToolCall, words: LanguageWords): string | null {
  const code = codeRunner.test(name) ? codeIn(input) : null;
  if (code !== null) return code;
  if (hasPrototypeKey(input)) return null;
  const isAnswer = name === "finalAnswer" || name === "final_answer";
  if (isAnswer && !isRecord(input)) return words.answer(input);
  if (!/^[A-Za-z_$][\w$]*$/.test(name) || !isRecord(input)) return null;
  if (name === "finalAnswer") return "answer" in input ? words.answer(input["answer"]) : null;
  return words.call(name, input);
}

/** Names that models use for a tool that runs code. */
const codeRunner = new RegExp(
  `^(?:(?:${languageNames.join("|")}|code)(?:[_.-]?(?:interpreter|executor|runner|exec))?|(?:execute|run|exec)[_-]?(?:code|${languageNames.join("|")})?|container\\.exec|ipython|repl)$`,
  "i",
);

function codeIn(input: unknown): string | null {
  if (typeof input === "string") return input;
  const code = isRecord(input) ? (input["code"] ?? input["script"] ?? input["source"]) : undefined;
  return typeof code === "string" ? code : null;
}

/** Says whether a value has the key `__proto__`, which has a special meaning in code. */
const hasPrototypeKey = (value: unknown): boolean => JSON.stringify(value).includes('"__proto__"');
