import {
  AgentError,
  invalidOption,
  type JsonSchema,
  type OptionTable,
  readOptions,
  type Tool,
  type ToolContext,
} from "@smolts/protocol";
import { checkEffects, type EffectsByTool, foreignDescription, foreignEffects } from "../foreign-tool.ts";
import type { InputForm } from "../input/input-form.ts";
import { tool } from "../tool.ts";
import { type ToolCollection, toolCollection } from "../tool-collection.ts";
import { toToolName } from "../tool-name.ts";
import { type EndpointFetch, requestEndpoint } from "../toolbox/endpoint-fetch.ts";
import { publicFetch } from "../toolbox/public-fetch.ts";
import { readAnswer } from "./open-api-answer.ts";
import { type OpenApiOperation, readOperations, serverOf } from "./open-api-operation.ts";
import { type OpenApiInput, type OpenApiRequest, toRequest } from "./open-api-request.ts";
import { type OpenApiSchemas, readSchemas } from "./open-api-schema.ts";

/** Options of {@link fromOpenApi}. */
export interface FromOpenApiOptions {
  /**
   * The service's address, such as `"https://api.example.com/v2"`. An address that you pass here is
   * trusted: it may be private, and it gets the `headers`.
   *
   * @defaultValue the document's first server. The document's author chose that address, so it is
   *   fetched with `guardedFetch`
   */
  readonly server?: string;
  /**
   * Headers for every request, such as a header with a key, or a function that returns them for
   * each request. Needs `server`.
   */
  readonly headers?: Readonly<Record<string, string>> | (() => HeadersByName | Promise<HeadersByName>);
  /**
   * The effects of calls, keyed by the name of the tool. Any other tool has the effects `once` and
   * needs approval, whatever its HTTP method is.
   */
  readonly effects?: EffectsByTool;
  /** How long one request may take, in ms. @defaultValue 60_000 */
  readonly timeoutMs?: number;
  /** The largest answer, in bytes. @defaultValue 10_000_000 */
  readonly maxBytes?: number;
  /**
   * The `fetch` for requests to the service.
   *
   * @defaultValue the platform's `fetch` if you pass `server`, else `guardedFetch`
   */
  readonly fetch?: EndpointFetch;
}

type HeadersByName = Readonly<Record<string, string>>;

/**
 * Creates a tool from each operation of an OpenAPI 3 document. The tool is named after the
 * `operationId`: `issues/list-for-repo` becomes `issuesListForRepo`.
 *
 * Each parameter becomes an argument of the same name, and the body becomes the argument `body`. A
 * JSON answer is returned as data, text as a string, anything else as `{ mediaType, bytes }`.
 * Requests go only to the service. A reference to another document is refused and not fetched.
 *
 * @param document - the parsed document; the model sees its descriptions, so its source must be
 *   trustworthy
 * @throws AgentError `invalid-option` if it is not an OpenAPI 3 document, if two operations would
 *   have the same name, if `effects` names an unknown tool, or if there are `headers` without a
 *   `server`
 * @example
 * ```ts
 * import { fromOpenApi } from "@smolts/tools/from-open-api";
 *
 * const document = {
 *   openapi: "3.1.0",
 *   servers: [{ url: "https://pets.example" }],
 *   paths: { "/pets/{id}": { get: { operationId: "getPet", parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }] } } },
 * };
 * const [getPet] = fromOpenApi(document, { effects: { getPet: "none" } });
 * console.log(getPet?.name, getPet?.effects); // getPet none
 * ```
 */
export function fromOpenApi(document: object, options: FromOpenApiOptions = {}): ToolCollection {
  const settings = readOptions(options, "fromOpenApi()", fromOpenApiOptions);
  const { effects = {} } = settings;
  // The cast is safe: each part of the document is checked before it is used.
  const root = document as JsonSchema;
  checkOptions(settings);
  const schemas = readSchemas(root);
  const operations = readOperations(root, schemas).map((operation) => withoutOwn(operation, settings));
  checkNames(operations);
  const tools = operations.map((operation) => toTool(operation, { root, schemas, options: settings }));
  checkEffects(
    effects,
    tools.map(({ name }) => name),
    "fromOpenApi",
  );
  return toolCollection(tools);
}

const fromOpenApiOptions: OptionTable<FromOpenApiOptions> = {
  server: "text",
  headers: "object | function",
  effects: "object",
  timeoutMs: "number",
  maxBytes: "number",
  fetch: "function",
};

function checkOptions({ server, headers }: FromOpenApiOptions): void {
  if (server !== undefined && !URL.canParse(server)) {
    throw invalidOption(
      `fromOpenApi: server is ${JSON.stringify(server)}; expected an address`,
      'write server: "https://api.example.com"',
    );
  }
  if (headers === undefined || server !== undefined) return;
  throw invalidOption(
    "fromOpenApi: headers may contain a key, and only the program may decide who gets it",
    'name the service yourself: server: "https://api.example.com"',
  );
}

function checkNames(operations: readonly OpenApiOperation[]): void {
  const idOf = new Map<string, string>();
  for (const { id } of operations) {
    const name = toToolName(id);
    const other = idOf.get(name);
    idOf.set(name, id);
    if (other === undefined) continue;
    throw invalidOption(
      `fromOpenApi: "${other}" and "${id}" would both be the tool "${name}"`,
      "give one of them another operationId in the document",
    );
  }
}

/**
 * Removes the parameters that the program's own headers already set, so that the model is not asked
 * for them.
 */
function withoutOwn(operation: OpenApiOperation, { headers = {} }: FromOpenApiOptions): OpenApiOperation {
  const own = Object.keys(typeof headers === "function" ? {} : headers).map((name) => name.toLowerCase());
  const parameters = operation.parameters.filter((one) => one.in !== "header" || !own.includes(one.name.toLowerCase()));
  return { ...operation, parameters };
}

interface ToolSource {
  readonly root: JsonSchema;
  readonly schemas: OpenApiSchemas;
  readonly options: FromOpenApiOptions;
}

function toTool(operation: OpenApiOperation, { root, schemas, options }: ToolSource): Tool {
  const { id, answer } = operation;
  const { effects = {}, timeoutMs = 60_000 } = options;
  const name = toToolName(id);
  const server = options.server ?? operation.server ?? serverOf(root);
  return tool({
    name,
    ...foreignEffects(name, effects),
    description: descriptionOf(operation),
    input: inputOf(operation, schemas) as InputForm, // the schema's type is "object"
    ...(answer === undefined ? {} : { output: schemas.outputOf(answer) }),
    timeoutMs,
    execute: async (input, context) => {
      if (server === undefined) throw noServer(name);
      // The cast is safe: the input was validated as an object.
      const request = await toRequest(operation, input as OpenApiInput, server);
      return await readAnswer(await send(request, context, options), request);
    },
  });
}

function descriptionOf({ summary, description, isDeprecated, method, path }: OpenApiOperation): string {
  const said = foreignDescription(isDeprecated ? "Deprecated" : undefined, summary, description);
  return said === "" ? `${method} ${path}` : said;
}

function inputOf({ parameters, body }: OpenApiOperation, schemas: OpenApiSchemas): JsonSchema {
  const all = body ? [...parameters, body] : parameters;
  const required = all.filter(({ isRequired }) => isRequired).map(({ argument }) => argument);
  return schemas.inputOf(Object.fromEntries(all.map(({ argument, schema }) => [argument, schema])), required);
}

async function send(request: OpenApiRequest, context: ToolContext, options: FromOpenApiOptions): Promise<Response> {
  const { server, timeoutMs = 60_000, maxBytes = 10_000_000, fetch: send } = options;
  const { url, method, body } = request;
  const bounds = { signal: context.signal, timeoutMs, maxBytes };
  const headers = { ...request.headers, ...keyOf(method, context), ...(await ownHeaders(options)) };
  const sent = { method, headers, ...bounds, ...(body === undefined ? {} : { body }) };
  if (server === undefined && send === undefined) return await publicFetch(url, sent);
  return await requestEndpoint({ service: "the service", url, ...sent, fetch: send });
}

/**
 * Returns the header `idempotency-key`. Services that support it do not execute the same request
 * twice.
 */
const keyOf = (method: string, { idempotencyKey }: ToolContext): HeadersByName =>
  method === "POST" || method === "PATCH" ? { "idempotency-key": idempotencyKey } : {};

/**
 * Returns the headers of the option `headers` with lower-case names. The headers that the model
 * chose also have lower-case names, so that the option's headers replace the model's headers of the
 * same names.
 */
async function ownHeaders({ headers = {} }: FromOpenApiOptions): Promise<HeadersByName> {
  const given = typeof headers === "function" ? await headers() : headers;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
}

function noServer(name: string): AgentError {
  return new AgentError(
    "tool-execution",
    `"${name}" cannot be called: its document does not name a server with a full address`,
    {
      hint: "the program has to pass server to fromOpenApi()",
    },
  );
}

export type { EffectsByTool } from "../foreign-tool.ts";
