import {
  type AgentError,
  type ChatMessage,
  type ContentPart,
  invalidOption,
  type ModelRequest,
  textOf,
} from "@smolts/protocol";

/** A message of a chat template. */
export interface ChatTemplateMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/**
 * Converts the messages of a request to the text messages that a chat template takes. Adjacent
 * messages of one role are joined, because many templates require that roles alternate.
 *
 * @throws AgentError `invalid-option` for parts that a local model does not support: native tools,
 *   a response format, images
 */
export function toChat({ messages, tools = [], responseFormat }: ModelRequest): readonly ChatTemplateMessage[] {
  if (tools.length > 0) throw unable("native tools", "use a CodeAgent: its tools are in the prompt");
  if (responseFormat) throw unable("a response format", "leave responseFormat out, and check the answer");
  const chat: ChatTemplateMessage[] = [];
  for (const message of messages) {
    const { role, content } = toTemplateMessage(message);
    const last = chat.at(-1);
    if (last?.role === role) chat[chat.length - 1] = { role, content: `${last.content}\n\n${content}` };
    else chat.push({ role, content });
  }
  return chat;
}

function toTemplateMessage({ role, content }: ChatMessage): ChatTemplateMessage {
  return { role: role === "tool" ? "user" : role, content: content.map(plainText).join("") };
}

function plainText(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "reasoning":
      return "";
    case "tool-call":
      return `Calling ${part.name}(${part.rawInput ?? JSON.stringify(part.input)})`;
    case "tool-result":
      return textOf(part.output);
    case "image":
    case "audio":
    case "file":
      throw unable(`the type of part "${part.type}"`, "pass text");
    default:
      return part satisfies never;
  }
}

const unable = (what: string, hint: string): AgentError =>
  invalidOption(`a local text model does not accept ${what}`, hint);
