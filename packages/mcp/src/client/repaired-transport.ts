// Repairs small mistakes in the answers of servers before the SDK validates them. The SDK refuses a
// whole answer because of one wrong field. For example, if one tool in a server's list is invalid,
// the server would have no tools at all. Many servers write `null` for each absent field, because
// their JSON library does.

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isRecord } from "@smolts/protocol";
import { cleanText } from "./foreign-schema.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Makes a transport deliver repaired answers. `warn` is called for each tool that is left out. */
export function repairAnswers<Kind extends Transport>(transport: Kind, warn: (message: string) => void): Kind {
  let deliver: Transport["onmessage"];
  const receive: NonNullable<Transport["onmessage"]> = (message, extra) => deliver?.(repaired(message, warn), extra);
  return Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: () => deliver && receive,
    set: (given: Transport["onmessage"]) => {
      deliver = given;
    },
  });
}

function repaired(message: JSONRPCMessage, warn: (message: string) => void): JSONRPCMessage {
  if (!("result" in message) || !isRecord(message.result)) return message;
  const isNewer = "resultType" in message.result;
  const { structuredContent, ...given } = message.result;
  const { tools, nextCursor, ...rest } = withoutNulls(given);
  const lists = Object.entries(rest).map(([name, value]) => [name, itemLists.has(name) ? items(value) : value]);
  const result = {
    ...Object.fromEntries(lists),
    ...(tools === undefined ? {} : { tools: Array.isArray(tools) ? usableTools(tools, isNewer, warn) : tools }),
    // Some servers write an empty cursor on the last page. An empty cursor must not request another
    // page.
    ...(nextCursor === undefined || nextCursor === "" ? {} : { nextCursor }),
    // In the newer protocol, a tool may return null as its structured content. In the older
    // protocol, null means that there is none.
    ...(structuredContent === undefined || (structuredContent === null && !isNewer) ? {} : { structuredContent }),
  };
  return { ...message, result };
}

/**
 * The lists whose items may be repaired, because the protocol defines their format. Other lists in
 * results contain the server's own data and stay unchanged.
 */
const itemLists: ReadonlySet<string> = new Set([
  "content",
  "contents",
  "messages",
  "prompts",
  "resources",
  "resourceTemplates",
]);

const items = (list: unknown): unknown => (Array.isArray(list) ? list.map(item) : list);

function item(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const { resource, content, text, arguments: inputs, ...rest } = withoutNulls(given);
  return {
    ...rest,
    // Some servers write a number or data in a field for text. Convert such values to text.
    ...(text === undefined ? {} : { text: typeof text === "string" ? text : JSON.stringify(text) }),
    ...(resource === undefined ? {} : { resource: item(resource) }),
    ...(content === undefined ? {} : { content: item(content) }),
    ...(inputs === undefined ? {} : { arguments: items(inputs) }),
  };
}

/**
 * Returns the tools that the SDK accepts. One invalid tool must not make the other tools unusable.
 */
function usableTools(tools: readonly unknown[], isNewer: boolean, warn: (message: string) => void): readonly unknown[] {
  return tools.flatMap((given, index) => {
    const { outputSchema, ...tool } = isRecord(given) ? withoutNulls(given) : {};
    const { name, inputSchema } = tool as Fields;
    const called = typeof name === "string" ? `"${cleanText(name, 80)}"` : `number ${index + 1}`;
    const leaveOut = (why: string): readonly [] => {
      warn(`its tool ${called} is left out: ${why}`);
      return [];
    };
    if (typeof name !== "string") return leaveOut("it has no name");
    if (!isRecord(inputSchema)) return leaveOut("it has no input schema");
    const { type = "object" } = inputSchema;
    if (type !== "object") return leaveOut("its input is not an object");
    const isKept = isRecord(outputSchema) && (isNewer || outputSchema["type"] === "object");
    return [{ ...tool, inputSchema: { ...inputSchema, type }, ...(isKept ? { outputSchema } : {}) }];
  });
}

const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
