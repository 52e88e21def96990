// Creates tools for the resources and prompts of a server. Resources get one tool that lists them
// and one tool that reads one. Prompts get two such tools. The content is written by the server,
// and is returned as data.

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import type { Tool } from "@smolts/protocol";
import { jsonSchema, tool } from "@smolts/tools";
import { partOf, resourcePart } from "./call-result.ts";
import type { ServerConnection } from "./connection.ts";
import { codeName } from "./foreign-definition.ts";
import { cleanText } from "./foreign-schema.ts";

const promptInput = jsonSchema<{ readonly name: string; readonly arguments?: Record<string, string> }>({
  type: "object",
  properties: {
    name: { type: "string", description: "from listPrompts" },
    arguments: { type: "object", additionalProperties: { type: "string" } },
  },
  required: ["name"],
});

/**
 * Returns tools for the resources and prompts that a server offers, or none if it offers neither.
 */
export async function resourceTools(connection: ServerConnection): Promise<readonly Tool[]> {
  const capabilities = (await connection.client()).getServerCapabilities() ?? {};
  return [
    ...(capabilities.resources ? resources(connection) : []),
    ...(capabilities.prompts ? prompts(connection) : []),
  ];
}

function resources(connection: ServerConnection): readonly Tool[] {
  const { name, server } = connection;
  const { effects, needsApproval } = readingOf(connection);
  const list = tool({
    name: codeName("listResources", server.prefix),
    description: `Lists the resources of ${JSON.stringify(name)}: addresses and templates for readResource.`,
    effects,
    needsApproval,
    execute: (_input, { signal }) =>
      connection.request(async (client, limits) => {
        const listed = await client.listResources(undefined, limits).catch(noneIfUnknown);
        const templates = await client.listResourceTemplates(undefined, limits).catch(noneIfUnknown);
        return [
          ...(listed?.resources ?? []).map(({ uri, ...rest }) => ({ uri, ...described(rest) })),
          ...(templates?.resourceTemplates ?? []).map(({ uriTemplate, ...rest }) => ({
            uriTemplate,
            ...described(rest),
          })),
        ];
      }, signal),
  });
  const read = tool({
    name: codeName("readResource", server.prefix),
    description: `Reads a resource of ${JSON.stringify(name)}: its text, or a file.`,
    input: { uri: "string — from listResources" },
    effects,
    needsApproval,
    execute: ({ uri }, { signal }) =>
      connection.request(async (client, limits) => {
        const { contents } = await client.readResource({ uri }, limits);
        const parts = contents.map(resourcePart);
        return parts.length === 1 ? parts[0] : parts;
      }, signal),
  });
  // The cast is safe: each tool gets only the input that its own parseInput returned.
  return [list, read] as readonly Tool[];
}

function prompts(connection: ServerConnection): readonly Tool[] {
  const { name, server } = connection;
  const { effects, needsApproval } = readingOf(connection);
  const list = tool({
    name: codeName("listPrompts", server.prefix),
    description: `Lists the prompts that ${JSON.stringify(name)} offers, with their arguments.`,
    effects,
    needsApproval,
    execute: (_input, { signal }) =>
      connection.request(async (client, limits) => {
        const { prompts } = await client.listPrompts(undefined, limits);
        return prompts.map(({ arguments: given = [], ...rest }) => ({
          ...described(rest),
          arguments: given.map((argument) => ({ ...described(argument), required: argument.required === true })),
        }));
      }, signal),
  });
  const get = tool({
    name: codeName("getPrompt", server.prefix),
    description: `Fills in a prompt of ${JSON.stringify(name)} and returns its messages.`,
    input: promptInput,
    effects,
    needsApproval,
    execute: ({ name: prompt, arguments: given }, { signal }) =>
      connection.request(async (client, limits) => {
        const { messages } = await client.getPrompt({ name: prompt, ...(given ? { arguments: given } : {}) }, limits);
        return messages.map(({ role, content }) => ({ role, content: partOf(content) }));
      }, signal),
  });
  // The cast is safe: each tool gets only the input that its own parseInput returned.
  return [list, get] as readonly Tool[];
}

/**
 * Returns the effects of reading a resource or prompt. Reading changes nothing, but the request
 * itself sends data to a server that is not trusted. So reading needs approval like any call,
 * unless the server is trusted.
 */
const readingOf = ({ server: { trust = false } }: ServerConnection) => ({
  effects: "none" as const,
  needsApproval: !trust,
});

/**
 * Returns undefined if the error says that the server does not know the request; throws all other
 * errors. Many servers have only resources or only templates, and cannot list the others.
 */
function noneIfUnknown(error: unknown): undefined {
  if (error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound) return undefined;
  throw error;
}

function described(given: {
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}): { name: string; description?: string; mimeType?: string } {
  const { name, description, mimeType } = given;
  return {
    name: cleanText(name, 200),
    ...(description === undefined ? {} : { description: cleanText(description, 1_000) }),
    ...(mimeType === undefined ? {} : { mimeType: cleanText(mimeType, 100) }),
  };
}
