import {
  AgentError,
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
   * The service's address, as `"https://api.example.com/v2"`. You vouch for it: it may be private,
   * and it alone is sent `headers`.
   *
   * @defaultValue the document's first server, which is reached as any public address that somebody
   *   else chose: by `guardedFetch`
   */
  readonly server?: string;
  /**
   * Headers for every request, a key among them; or a function that returns them for each. Needs
   * `server`.
   */
  readonly headers?: Readonly<Record<string, string>> | (() => HeadersByName | Promise<HeadersByName>);
  /**
   * What calls do to the world, by tool. A tool that is not named here is `once` and needs
   * approval, whatever its method.
   */
  readonly effects?: EffectsByTool;
  /** How long one request may take, in ms. @defaultValue 60_000 */
  readonly timeoutMs?: number;
  /** The largest answer, in bytes. @defaultValue 10_000_000 */
  readonly maxBytes?: number;
  /**
   * How the service is reached. @defaultValue the platform's for `server`, `guardedFetch` for a
   * server of the document
   */
  readonly fetch?: EndpointFetch;
}

type HeadersByName = Readonly<Record<string, string>>;

/**
 * Makes each operation of an OpenAPI 3 document a tool, named after its `operationId`:
 * `issues/list-for-repo` is `issuesListForRepo`.
 *
 * Parameters are arguments by their names, and the body is the argument `body`. The answer's JSON
 * is given back as it is, text as text, anything else as `{ mediaType, bytes }`. Nothing but the
 * service is ever fetched: a reference to another document is refused.
 *
 * @param document - the document, parsed; descriptions in it are shown to the model, so it should
 *   come from somebody you trust that far
 * @throws AgentError `invalid-option` when it is no OpenAPI 3 document, when two operations would
 * have the same name, when `effects` names none of them, and when `headers` come without a `server`
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
export function fromOpenApi(document: object, given: FromOpenApiOptions = {}): ToolCollection {
  const options = readOptions(given, "fromOpenApi()", fromOpenApiOptions);
  const { effects = {} } = options;
  // Nothing is believed of it: each part is looked at before it is used.
  const root = document as JsonSchema;
  checkOptions(options);
  const schemas = readSchemas(root);
  const operations = readOperations(root, schemas).map((operation) => withoutOwn(operation, options));
  checkNames(operations);
  const tools = operations.map((operation) => toTool(operation, { root, schemas, options }));
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
    throw new AgentError("invalid-option", `fromOpenApi: server is ${JSON.stringify(server)}; expected an address`, {
      hint: 'write server: "https://api.example.com"',
    });
  }
  if (headers === undefined || server !== undefined) return;
  throw new AgentError(
    "invalid-option",
    "fromOpenApi: headers may hold a key, and a document does not say who gets it",
    {
      hint: 'name the service yourself: server: "https://api.example.com"',
    },
  );
}

function checkNames(operations: readonly OpenApiOperation[]): void {
  const idOf = new Map<string, string>();
  for (const { id } of operations) {
    const name = toToolName(id);
    const other = idOf.get(name);
    idOf.set(name, id);
    if (other === undefined) continue;
    throw new AgentError("invalid-option", `fromOpenApi: "${other}" and "${id}" would both be the tool "${name}"`, {
      hint: "give one of them another operationId in the document",
    });
  }
}

/** The model is not asked for what the program sends anyway. */
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
    input: inputOf(operation, schemas) as InputForm, // its type is "object"
    ...(answer === undefined ? {} : { output: schemas.outputOf(answer) }),
    timeoutMs,
    execute: async (input, context) => {
      if (server === undefined) throw noServer(name);
      const request = await toRequest(operation, input as OpenApiInput, server); // it was validated as an object
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

/** Services that know the header do not do the same thing twice. */
const keyOf = (method: string, { idempotencyKey }: ToolContext): HeadersByName =>
  method === "POST" || method === "PATCH" ? { "idempotency-key": idempotencyKey } : {};

/** In small letters, as those of a request are: so the program's replace the model's. */
async function ownHeaders({ headers = {} }: FromOpenApiOptions): Promise<HeadersByName> {
  const given = typeof headers === "function" ? await headers() : headers;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
}

function noServer(name: string): AgentError {
  return new AgentError(
    "tool-execution",
    `"${name}" cannot be called: its document names no server with a whole address`,
    {
      hint: "the program has to pass server to fromOpenApi()",
    },
  );
}

export type { EffectsByTool } from "../foreign-tool.ts";
