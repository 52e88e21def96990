import { createInterface } from "node:readline/promises";
import { AgentError, type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { tool } from "../tool.ts";
import { savedAs } from "./saved-as.ts";

/** Asks a person a question and returns the answer. */
export type AskPerson = (question: string, options: { readonly signal: AbortSignal }) => string | Promise<string>;

/** Options of {@link userInput}. */
export interface UserInputOptions {
  /** The function that asks. @defaultValue reads a line from the terminal */
  readonly ask?: AskPerson;
}

/**
 * Creates a tool that asks a person, at the terminal or through the function `ask`. The tool has no
 * time limit.
 *
 * @example
 * ```ts
 * import { userInput } from "@smolts/tools/user-input";
 *
 * const input = userInput({ ask: async (question) => (question.includes("colour") ? "green" : "no idea") });
 * console.log(input.name); // userInput
 * ```
 */
export function userInput(options: UserInputOptions = {}): Tool<{ readonly question: string }, string> {
  const settings = readOptions(options, "userInput()", userInputOptions);
  const { ask = askOnTerminal } = settings;
  return tool({
    name: "userInput",
    description: "Asks the user a question and gives their answer. Only for what nobody else can know.",
    input: { question: "string — one question, whole and plain" },
    output: "string",
    effects: "none",
    timeoutMs: 0,
    ...savedAs("user-input", "userInput", settings, []),
    execute: ({ question }, { signal }) => ask(question, { signal }),
  });
}

const userInputOptions: OptionTable<UserInputOptions> = { ask: "function" };

async function askOnTerminal(question: string, { signal }: { readonly signal: AbortSignal }): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While the person types, Ctrl-C reaches only the line reader. But the person wants to stop the
  // program, so send the signal to the whole process.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const ended = new Promise<never>((_resolve, reject) => {
      terminal.once("close", () => reject(new AgentError("tool-execution", "there is nobody to answer the question")));
    });
    return await Promise.race([terminal.question(`${visible(question)}\n> `, { signal }), ended]);
  } finally {
    terminal.close();
  }
}

/**
 * Makes control characters visible. A model wrote the question, and its text must not control the
 * terminal.
 */
const visible = (text: string): string =>
  text.replace(/[^\P{C}\n]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
