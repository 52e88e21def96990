// The two forms in which a model writes its actions: a thought and then code between tags, or a
// JSON object with a thought and code.

import { AgentError, type ChatMessage, type FinishReason, type ModelRequest } from "@smolts/protocol";
import type { TextSorter } from "../agent/agent-definition.ts";
import type { CodeSearch } from "../parsing/code-search.ts";
import { createCodeStream } from "../parsing/code-stream.ts";
import { type CodeFormat, type CodeTags, stopSequences } from "../parsing/code-tags.ts";
import { completeCode, isWholeCode, type SearchOptions, searchCode } from "../parsing/parse-code.ts";
import { isStoppedInside } from "../parsing/stopped-inside.ts";
import { createStructuredStream } from "../parsing/structured-stream.ts";
import { endsInThought } from "../parsing/without-thoughts.ts";
import { cutReason } from "../run/cut-answer.ts";

/** Everything that differs between the two forms of a code agent's messages. */
export interface CodeForm {
  readonly actions: "code" | "structured-code";
  readonly request: Pick<ModelRequest, "stop" | "responseFormat">;
  openStream(): TextSorter;
  /** Returns the model's text as the history stores it: complete, with a closing tag. */
  readonly completeText?: (text: string) => string;
  /**
   * Says whether the server stopped at a stop sequence in the wrong place, such as inside a
   * thought.
   */
  readonly isStoppedInside?: (message: ChatMessage) => boolean;
  /** Writes a message in this form with the given thought and code. */
  write(thought: string, code: string): string;
  /** Says whether a message that was cut off still contains its whole code. */
  isWhole(text: string): boolean;
  /**
   * Finds the code in a message.
   *
   * @throws AgentError `parsing` if the text has no code; its hint says what to write instead
   */
  search(text: string, options: Pick<SearchOptions, "isChecked">): CodeSearch;
}

/** Returns the form with a thought, followed by code between tags. */
export function taggedForm(format: CodeFormat): CodeForm {
  const { tags, language } = format;
  return {
    actions: "code",
    request: { stop: stopSequences(tags) },
    openStream: () => createCodeStream(tags, language.id),
    completeText: (text) => completeCode(text, tags, language.id),
    isStoppedInside: (message) => isStoppedInside(message, format),
    write: (text, code) => `${thoughtIn(text, tags)}${tags[0]}\n${code}\n${tags[1]}`,
    isWhole: (text) => isWholeCode(text, format),
    search: (text, { isChecked }) => searchCode(text, { format, isChecked }),
  };
}

/**
 * Returns the form `{ thought, code }`. The model's server is asked to enforce the JSON schema of
 * this object.
 */
export function structuredForm(format: CodeFormat): CodeForm {
  const { tags, language } = format;
  return {
    actions: "structured-code",
    request: { responseFormat: { name: "thought_and_code", schema: schemaFor(language.name) } },
    openStream: () => createStructuredStream(tags, language.id),
    write: (text, code) => JSON.stringify({ thought: structuredThought(text), code }),
    isWhole: isJson,
    search: (text, { isChecked }) => searchStructured(text, { format, isChecked }),
  };
}

/** Returns the text before the code. */
function thoughtIn(text: string, [open]: CodeTags): string {
  const thought = text.split(open, 1)[0]?.trim() ?? "";
  return thought === "" ? "" : `${thought}\n`;
}

function structuredThought(text: string): string {
  const stream = createStructuredStream();
  const pieces = [...stream.push(text), ...stream.end()];
  return pieces.flatMap((piece) => (piece.type === "text" ? [piece.text] : [])).join("");
}

/**
 * Refuses a message that was cut off before its code was complete. Half a program must not run.
 *
 * @throws AgentError `parsing` if the code is not complete
 */
export function mustBeWhole(form: CodeForm, text: string, finishReason: FinishReason): void {
  const reason = cutReason(finishReason);
  if (reason === null || (form.isWhole(text) && !endsInThought(text))) return;
  const hint =
    finishReason === "length"
      ? "write a shorter thought and less code at a time; long texts can be put together over several messages"
      : "send the whole message again; reword it if it was stopped because of its content";
  throw new AgentError("parsing", `your message was cut before its code ended, so nothing was run: ${reason}`, {
    hint,
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const schemaFor = (language: string): NonNullable<ModelRequest["responseFormat"]>["schema"] => ({
  type: "object",
  properties: {
    thought: { type: "string", description: "one or two sentences on what to do next and why" },
    code: { type: "string", description: `the ${language} to run` },
  },
  required: ["thought", "code"],
  additionalProperties: false,
});

/**
 * Finds the code in a message that should be a JSON object `{ thought, code }`, even if the object
 * was cut off. If the text is not such an object, searches the whole text for code.
 */
function* searchStructured(text: string, options: SearchOptions): CodeSearch {
  const stream = createStructuredStream();
  const pieces = [...stream.push(text), ...stream.end()];
  const code = pieces.flatMap((piece) => (piece.type === "code" ? [piece.text] : [])).join("");
  const isWrapped = /^\s*(?:```|<code>)/.test(code);
  if (code.trim() !== "" && text.trimStart().startsWith("{") && !isWrapped) return code.trim();
  try {
    return yield* searchCode(isWrapped ? code : text, options);
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    const message = error.message.replace(/ between ".*$/, ' under "code"');
    const example = JSON.stringify({ thought: "I know the answer.", code: options.format.language.words.answer(42) });
    const hint = `write one JSON object and nothing else, such as ${example.replaceAll(/(?<=":|,)(?=")/g, " ")}`;
    throw new AgentError("parsing", message, { hint, cause: error });
  }
}
