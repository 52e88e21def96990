// Checks messages that the user's code passes, part by part. Without this check, the provider would
// report a mistake in its own words, and only after the run has begun.

import { invalidOption, isRecord, type MessageRole } from "@smolts/protocol";
import { isStored, isUnstored } from "./media.ts";

/** Rules for a list of messages. */
export interface MessageRules {
  readonly roles: readonly MessageRole[];
  /** Whether media may contain its bytes. If not, media must be a URL or already be in the log. */
  readonly bytes: boolean;
}

/**
 * Checks messages.
 *
 * @param where - the name of the messages in errors, such as `history`
 * @throws AgentError `invalid-option` that names the message, the part and what is expected
 */
export function checkMessages(value: unknown, where: string, rules: MessageRules): void {
  if (!Array.isArray(value)) {
    throw invalidOption(
      `${where} is ${kindOf(value)}; expected a list of messages`,
      `write ${where}: [{ role: "user", content: [{ type: "text", text: "..." }] }]`,
    );
  }
  for (const [index, message] of value.entries()) checkMessage(message, `${where}[${index}]`, rules);
}

function checkMessage(message: unknown, where: string, { roles, bytes }: MessageRules): void {
  const role = isRecord(message) ? message["role"] : undefined;
  if (role === "system" && !roles.includes("system")) {
    throw invalidOption(`${where} is a system message`, "pass general instructions as the agent's option instructions");
  }
  if (!isRecord(message) || !roles.some((known) => known === role)) {
    throw invalidOption(
      `${where} is not a message; expected { role, content: [parts] } with a role of ${list(roles)}`,
      'write { role: "user", content: [{ type: "text", text: "..." }] }',
    );
  }
  const { content } = message;
  if (!Array.isArray(content)) {
    throw invalidOption(
      `${where}.content is ${typeof content === "string" ? "a string" : kindOf(content)}; expected a list of parts`,
      'write content: [{ type: "text", text: "..." }]',
    );
  }
  checkContent(content, `${where}.content`, role, bytes);
}

/**
 * Checks the parts of a user message. All media in it must already be in the log.
 *
 * @throws AgentError `invalid-option`
 */
export const checkParts = (value: unknown, where: string): void => checkContent(value, where, "user", false);

function checkContent(value: unknown, where: string, role: unknown, bytes: boolean): void {
  if (!Array.isArray(value)) throw invalidOption(`${where} is ${kindOf(value)}; expected a list of parts`);
  for (const [index, part] of value.entries()) {
    const place = `${where}[${index}]`;
    checkPart(part, place, role);
    if (!bytes && isUnstored(part))
      throw invalidOption(`${place} contains bytes; expected a url, or media of an earlier message`);
  }
}

/**
 * The required fields of each type of part, and the roles that may have such a part. If `roles` is
 * absent, all roles may.
 */
const partForms: {
  readonly [type: string]: { readonly form: string; readonly roles?: readonly unknown[]; fits(part: Fields): boolean };
} = {
  text: { form: "text: string", fits: ({ text }) => typeof text === "string" },
  reasoning: { form: "text: string", roles: ["assistant"], fits: ({ text }) => typeof text === "string" },
  "tool-call": {
    form: "id: string, name: string, input: JSON",
    roles: ["assistant"],
    fits: ({ id, name, input }) => isFilled(id) && isFilled(name) && isJson(input),
  },
  "tool-result": {
    form: "id: string, output: [parts of text or media], isError: boolean",
    roles: ["tool", "user"],
    fits: ({ id, output, isError }) =>
      isFilled(id) && typeof isError === "boolean" && Array.isArray(output) && output.every(isOutput),
  },
  image: { form: "source: { url } or bytes, as image(...) makes it", fits: isMedia },
  audio: { form: "source: { url } or bytes, as audio(...) makes it", fits: isMedia },
  file: { form: "source: { url } or bytes, as file(...) makes it", fits: isMedia },
};

function checkPart(part: unknown, where: string, role: unknown): void {
  const type = isRecord(part) ? part["type"] : undefined;
  const known = typeof type === "string" && Object.hasOwn(partForms, type) ? partForms[type] : undefined;
  if (!isRecord(part) || known === undefined) {
    throw invalidOption(`${where} is not a part of a message; expected a type of ${list(Object.keys(partForms))}`);
  }
  if (known.roles && !known.roles.includes(role)) {
    throw invalidOption(`${where} is a ${type} in a message of the ${role}; it belongs to ${list(known.roles)}`);
  }
  if (!known.fits(part))
    throw invalidOption(`${where} is not a valid ${type} part; expected { type: "${type}", ${known.form} }`);
}

type Fields = { readonly [name: string]: unknown };

function isMedia(part: Fields): boolean {
  if (isUnstored(part)) return true;
  if (!isStored(part)) return false;
  const source: Fields = { ...part.source };
  return typeof source["url"] === "string" || (typeof source["digest"] === "string" && isFilled(source["mediaType"]));
}

/**
 * Says whether a part may be in the result of a tool. Tool calls, other results and reasoning may
 * not, and media must already be stored.
 */
const isOutput = (part: unknown): boolean => {
  const type = isRecord(part) ? part["type"] : undefined;
  if (!isRecord(part) || type === "tool-call" || type === "tool-result" || type === "reasoning" || isUnstored(part))
    return false;
  return typeof type === "string" && Object.hasOwn(partForms, type) && partForms[type]?.fits(part) === true;
};

const isFilled = (value: unknown): boolean => typeof value === "string" && value !== "";

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    // The value has a cycle, or a bigint, which JSON cannot represent.
    return false;
  }
}

const kindOf = (value: unknown): string =>
  value === undefined ? "absent" : Array.isArray(value) ? "a list" : isRecord(value) ? "an object" : String(value);

const list = (words: readonly unknown[]): string => words.map((word) => JSON.stringify(word)).join(", ");
