// Checks the input of a run: media, variables, earlier messages, and the task in each of its
// accepted forms. The input is checked immediately, before the run exists. The bytes of media are
// stored in the log when the run begins.

import {
  AgentError,
  type ChatMessage,
  type ContentPart,
  type EncodedValue,
  type EventOf,
  encodeValue,
  invalidOption,
  type MediaPart,
  type TextPart,
  thrownText,
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import { checkIdentifier } from "../agent/identifier.ts";
import type { LanguageWords } from "../languages/code-language.ts";
import { checkMessages } from "../media/check-messages.ts";
import { image, isStored, isUnstored, type MediaInput, type MediaSource, type UnstoredMedia } from "../media/media.ts";
import { type PutBlob, storeMedia } from "../media/store-media.ts";
import { isObject, shown } from "../shown-value.ts";

/** A part of a task: text, an image, a sound or a file. */
export type TaskPart = TextPart | MediaInput;

/** The task of an agent: a string, a list of parts, or a message of the user. */
export type Task = string | readonly TaskPart[] | { readonly role: "user"; readonly content: readonly TaskPart[] };

/** An earlier message of a conversation. It may have any role except `system`. */
export interface HistoryMessage {
  readonly role: ChatMessage["role"];
  readonly content: readonly (ContentPart | UnstoredMedia)[];
}

/** The options that belong to the input of a run, in addition to the task. */
export interface RunInputOptions {
  /** Images that are added after the task: sources of images, or results of `image()`. */
  readonly images?: readonly (MediaSource | MediaInput)[];
  /**
   * Variables by name. A code agent's code can use them as variables; the model sees their types
   * and sizes.
   */
  readonly additionalArgs?: { readonly [name: string]: unknown };
  /** Earlier messages, which are shown to the model before the task. */
  readonly history?: readonly HistoryMessage[];
}

/** The checked input of a run. */
export interface RunInput {
  readonly task: readonly TaskPart[];
  readonly history: readonly HistoryMessage[];
  readonly variables: { readonly [name: string]: EncodedValue };
}

/**
 * The parts of an agent that decide which variables it can use. If the agent has an executor, its
 * code sees the variables as bindings. Otherwise its tool calls can refer to the variables by name.
 */
type InputReader = Pick<AgentDefinition, "tools" | "executor" | "language">;

/** Checks the input of a run. @throws AgentError `invalid-option` that says what to change */
export function checkRunInput(
  task: unknown,
  { images = [], additionalArgs = {}, history = [] }: RunInputOptions,
  reader: InputReader,
): RunInput {
  const variables = encodeVariables(additionalArgs, reader);
  return {
    task: [...partsOfTask(task), ...partsOfImages(images), ...describeVariables(additionalArgs, reader)],
    history: messagesOf(history),
    variables,
  };
}

/** Stores the bytes of media in the log, and returns the input as `run-start` records it. */
export async function storeInput(
  { task, history, variables }: RunInput,
  putBlob: PutBlob,
): Promise<Pick<EventOf<"run-start">, "task" | "history" | "variables">> {
  const stored = (part: ContentPart | UnstoredMedia): Promise<ContentPart> | ContentPart =>
    isMedia(part) ? storeMedia(part, putBlob) : part;
  const messages = history.map(async ({ role, content }) => ({
    role,
    content: await Promise.all(content.map(stored)),
  }));
  return {
    task: await Promise.all(task.map(stored)),
    variables,
    ...(messages.length === 0 ? {} : { history: await Promise.all(messages) }),
  };
}

const isMedia = (part: unknown): part is UnstoredMedia | MediaPart => isUnstored(part) || isStored(part);

function partsOfTask(task: unknown): readonly TaskPart[] {
  if (typeof task === "string" && task.trim() !== "") return [{ type: "text", text: task }];
  const parts: readonly unknown[] | null = Array.isArray(task) ? task : contentOfUser(task);
  if (parts && areTaskParts(parts) && parts.some(saysSomething)) return parts;
  throw invalidOption(
    `the task is ${shown(task)}; expected a string that is not empty, or parts of text, images, audio and files`,
    task instanceof Promise
      ? "write await before the call that returns the promise"
      : hasMessages(task)
        ? 'write agent.run("your task", { history }), with the earlier messages in history'
        : 'write agent.run("your task"), or agent.run([{ type: "text", text: "What is this?" }, image(url)])',
  );
}

/**
 * Says whether a task contains the messages of a conversation. Other frameworks accept such tasks.
 */
const hasMessages = (task: unknown): boolean =>
  isObject(task) &&
  ("messages" in task || (Array.isArray(task) && task.some((item) => isObject(item) && "role" in item)));

function contentOfUser(task: unknown): readonly unknown[] | null {
  if (!isObject(task) || task["role"] !== "user") return null;
  return Array.isArray(task["content"]) ? task["content"] : null;
}

const areTaskParts = (parts: readonly unknown[]): parts is readonly TaskPart[] =>
  parts.every((part) => isMedia(part) || isText(part));

const isText = (part: unknown): part is TextPart =>
  isObject(part) && part["type"] === "text" && typeof part["text"] === "string";

const saysSomething = (part: TaskPart): boolean => part.type !== "text" || part.text.trim() !== "";

function partsOfImages(images: unknown): readonly MediaInput[] {
  if (Array.isArray(images))
    return images.map((item: MediaSource | MediaInput) => (isMedia(item) ? item : image(item)));
  throw invalidOption(`images is ${shown(images)}; expected a list`, "write images: [image(url)]");
}

function messagesOf(history: unknown): readonly HistoryMessage[] {
  checkMessages(history, "history", { roles: ["user", "assistant", "tool"], bytes: true });
  return history as readonly HistoryMessage[]; // each part was checked
}

function encodeVariables(additionalArgs: unknown, { tools, executor, language }: InputReader): RunInput["variables"] {
  if (!isObject(additionalArgs) || Array.isArray(additionalArgs)) {
    throw invalidOption(
      `additionalArgs is ${shown(additionalArgs)}; expected an object whose keys are the names of variables`,
      "write additionalArgs: { name: value }",
    );
  }
  const encoded = Object.entries(additionalArgs).map(([name, value]) => {
    checkIdentifier(name, "the name of a variable in additionalArgs");
    const { nameProblem, toolName } = language;
    const problem = executor && nameProblem(name);
    if (problem) throw invalidOption(`additionalArgs has a variable "${name}", which ${problem}`);
    if ([...tools.keys()].some((tool) => tool === name || toolName(tool) === name))
      throw invalidOption(
        `additionalArgs has a variable "${name}", which is the name of a tool`,
        "give the variable another name",
      );
    return [name, encodeVariable(name, value)] as const;
  });
  return Object.fromEntries(encoded);
}

function encodeVariable(name: string, value: unknown): EncodedValue {
  try {
    return encodeValue(value);
  } catch (error) {
    const why = thrownText(error);
    throw new AgentError("invalid-option", `additionalArgs.${name} cannot be passed to a run: ${why}`, {
      cause: error,
      hint: "pass plain data; the model's code calls functions that are tools",
    });
  }
}

function describeVariables(
  variables: { readonly [name: string]: unknown },
  { executor, language }: InputReader,
): readonly TextPart[] {
  const lines = Object.entries(variables).map(([name, value]) => `- ${name}: ${describeValue(value, language.words)}`);
  if (lines.length === 0) return [];
  const lead = executor
    ? "These variables are there for your code:"
    : 'These values can be passed to tools; write { "$var": "name" } in place of an argument:';
  return [{ type: "text", text: `\n\n${lead}\n${lines.join("\n")}` }];
}

// Describes a variable by type and size. The value may be large, so the model sees only this
// description. The model can read the value with code, or pass it on to a tool.

/**
 * Returns the type and size of a value, such as `{ id: number }[] (100 elements)`. If the value is
 * small, the text also contains the value itself.
 */
function describeValue(value: unknown, { shape, preview }: LanguageWords): string {
  const size = sizeOf(value);
  const shown = preview(value);
  return [shape(value), ...(size === null ? [] : [`(${size})`]), ...(shown === null ? [] : [`= ${shown}`])].join(" ");
}

function sizeOf(value: unknown): string | null {
  if (typeof value === "string") return counted(value.length, "character");
  if (Array.isArray(value)) return counted(value.length, "element");
  if (value instanceof Uint8Array) return counted(value.length, "byte");
  if (value instanceof Map || value instanceof Set) return counted(value.size, "entry", "entries");
  return null;
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
