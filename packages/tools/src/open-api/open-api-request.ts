// Creates an HTTP request from one call. The model's values go only into the places that the
// document names. Each value is encoded, so that it cannot send the request to another server.

import { AgentError } from "@smolts/protocol";
import type { OpenApiBody, OpenApiOperation, OpenApiParameter } from "./open-api-operation.ts";

/** A request that is ready to be sent. */
export interface OpenApiRequest {
  readonly url: string;
  readonly method: string;
  /** The headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A call's arguments after validation, keyed by name. */
export type OpenApiInput = Readonly<Record<string, unknown>>;

/**
 * Creates the request for a call.
 *
 * @param server - the address that the operation's path is added to
 * @throws AgentError `tool-input` for a value that would change the path of the request
 */
export async function toRequest(
  { method, path, parameters, body }: OpenApiOperation,
  input: OpenApiInput,
  server: string,
): Promise<OpenApiRequest> {
  const given = parameters.flatMap((parameter) => {
    const value = input[parameter.argument];
    return value === undefined || value === null ? [] : [{ parameter, value }];
  });
  const inside = (place: OpenApiParameter["in"]): readonly ParameterValue[] =>
    given.filter(({ parameter }) => parameter.in === place);
  const url = serverUrl(server, filledPath(path, inside("path")));
  for (const { parameter, value } of inside("query")) {
    for (const [name, text] of queryPairs(parameter, value)) url.searchParams.append(name, text);
  }
  const headers = inside("header").map(
    ({ parameter, value }) => [parameter.name.toLowerCase(), headerText(parameter, value)] as const,
  );
  const content =
    body && input[body.argument] !== undefined ? await encodedBody(body, input[body.argument]) : undefined;
  return {
    url: url.href,
    method,
    headers: { accept: "application/json, */*;q=0.5", ...Object.fromEntries(headers), ...content?.headers },
    body: content?.body,
  };
}

interface ParameterValue {
  readonly parameter: OpenApiParameter;
  readonly value: unknown;
}

function serverUrl(server: string, path: string): URL {
  const url = new URL(`${server.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`);
  if (url.origin === new URL(server).origin) return url;
  throw new AgentError("tool-input", `the path "${path.slice(0, 200)}" leads away from its server`);
}

function filledPath(path: string, given: readonly ParameterValue[]): string {
  return path.replace(/\{([^{}]{1,200})\}/g, (_whole, name: string) => {
    const found = given.find(({ parameter }) => parameter.name === name);
    const text = found ? simpleText(found.parameter, found.value) : "";
    // In a URL, "." and ".." are steps between folders, so the request would go to another path.
    if (text !== "" && !/^\.{1,2}$/.test(text)) return encodeURIComponent(text);
    const argument = found?.parameter.argument ?? name;
    throw new AgentError(
      "tool-input",
      `"${argument}" is ${JSON.stringify(text)}, which is not allowed in the path ${path}`,
      {
        hint: "give the name or id of one thing",
      },
    );
  });
}

function queryPairs(parameter: OpenApiParameter, value: unknown): readonly (readonly [name: string, text: string])[] {
  const { name, style, explode, isJson } = parameter;
  if (isJson) return [[name, toText(value)]];
  if (Array.isArray(value)) {
    const texts = value.map(toText);
    return explode ? texts.map((text) => [name, text]) : [[name, texts.join(separators[style] ?? ",")]];
  }
  if (typeof value !== "object" || value === null) return [[name, toText(value)]];
  const entries = Object.entries(value).map(([key, item]) => [key, toText(item)] as const);
  if (style === "deepObject") return entries.map(([key, text]) => [`${name}[${key}]`, text]);
  return explode ? entries : [[name, entries.flat().join(",")]];
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

function simpleText({ explode, isJson }: OpenApiParameter, value: unknown): string {
  if (isJson || typeof value !== "object" || value === null) return toText(value);
  if (Array.isArray(value)) return value.map(toText).join(",");
  const entries = Object.entries(value).map(([key, item]) => [key, toText(item)]);
  return explode ? entries.map((entry) => entry.join("=")).join(",") : entries.flat().join(",");
}

function headerText(parameter: OpenApiParameter, value: unknown): string {
  const text = simpleText(parameter, value);
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
  throw new AgentError("tool-input", `"${parameter.argument}" contains a character that is not allowed in a header`, {
    hint: "pass it on one line, in plain letters",
  });
}

type EncodedBody = Pick<OpenApiRequest, "headers" | "body">;

async function encodedBody({ mediaType }: OpenApiBody, value: unknown): Promise<EncodedBody> {
  const headers = { "content-type": mediaType };
  if (/[/+]json\b/i.test(mediaType)) return { headers, body: JSON.stringify(value, withoutBigInts) };
  if (/^application\/x-www-form-urlencoded/i.test(mediaType)) {
    return { headers, body: new URLSearchParams(fieldsOf(value)).toString() };
  }
  return /^multipart\//i.test(mediaType) ? encodedForm(fieldsOf(value)) : { headers, body: toText(value) };
}

const fieldsOf = (value: unknown): [name: string, text: string][] =>
  Object.entries(value ?? {}).flatMap(([name, item]) =>
    [item].flat().map((one): [string, string] => [name, toText(one)]),
  );

async function encodedForm(fields: readonly (readonly [name: string, text: string])[]): Promise<EncodedBody> {
  const form = new FormData();
  for (const [name, text] of fields) form.append(name, text);
  // The content type of a multipart form must contain the boundary that separates the form's parts.
  // The platform chooses it when it encodes the form. So let `Response` encode the form, and read
  // the content type from its headers.
  const written = new Response(form);
  const contentType = written.headers.get("content-type") ?? "multipart/form-data";
  return { headers: { "content-type": contentType }, body: new Uint8Array(await written.arrayBuffer()) };
}

const toText = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value, withoutBigInts) : String(value);

const withoutBigInts = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);
