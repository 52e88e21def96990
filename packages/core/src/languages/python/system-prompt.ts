// The system prompt for a model that writes Python.

import type { LanguageWords } from "../code-language.ts";

const taggedOpening = ([open, close]: readonly [open: string, close: string]): string =>
  `You solve tasks step by step by writing Python, which is run for you.

Each of your messages is one or two sentences of thought and then one block of code:
${open}
found = some_function(name="value")
print(found)
${close}
Stop after the block. The next message shows you what the code printed and the value of its last expression; never write that yourself.
When you know the answer, give it in code too:
${open}
final_answer(found)
${close}`;

const structuredOpening = `You solve tasks step by step by writing Python, which is run for you.

Each of your messages is one JSON object with two texts: "thought", one or two sentences, and "code", the Python to run:
{"thought": "I look it up first.", "code": "found = some_function(name=\\"value\\")\\nprint(found)"}
The next message shows you what the code printed and the value of its last expression.
When you know the answer, give it in code too:
{"thought": "That is the answer.", "code": "final_answer(found)"}`;

const rules = `Rules:
- Call functions with named arguments; a call waits for its result. Run calls that do not need each other together: import asyncio, then await asyncio.gather(one.aio(...), other.aio(...)). await works at top level.
- print(value) shows you a value. Look at a result before you rely on its shape, above all one of type Any: print it, and use it in your next message.
- final_answer(value) gives the answer and ends the task. Call it as soon as you know the answer, with a value in the form the task asks for.
- Do not guess: look facts up with the functions, and compute in code what can be computed.
- Variables, functions, classes and imports stay for your next messages. Do not repeat a call whose result you have.
- Do not give a variable the name of a function that you can call.`;

const importRule = (modules: readonly string[]): string =>
  modules.includes("*")
    ? "- You can import any module that is installed."
    : `- You can import these modules and no others: ${modules.join(", ")}.`;

/** The parts of the system prompt that depend on the language. */
export const systemPromptWords: Pick<LanguageWords, "opening" | "noFunctions" | "rules" | "importRule"> = {
  opening: (tags) => (tags === null ? structuredOpening : taggedOpening(tags)),
  noFunctions: "There are no functions to call but print and final_answer; compute with Python itself.",
  rules,
  importRule,
};
