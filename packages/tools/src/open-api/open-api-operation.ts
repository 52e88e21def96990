// Reads one operation of a document into the parts that a tool needs.

import { invalidOption, type JsonSchema } from "@smolts/protocol";
import { isSchemaObject } from "../input/walk-schema.ts";
import type { OpenApiSchemas } from "./open-api-schema.ts";

/** One operation of a service. */
export interface OpenApiOperation {
  /** The `operationId`, or otherwise method and path. */
  readonly id: string;
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path, with parameters in braces. */
  readonly path: string;
  readonly summary: unknown;
  readonly description: unknown;
  readonly isDeprecated: boolean;
  /** The server of this operation, if it differs from that of the document. */
  readonly server: string | undefined;
  readonly parameters: readonly OpenApiParameter[];
  readonly body: OpenApiBody | undefined;
  /**
   * The schema of a successful answer. Undefined if there is none, or if the answer is not JSON.
   */
  readonly answer: unknown;
}

/** An argument that is sent in the path, the query or the headers. */
export interface OpenApiParameter {
  /** The name of the argument. If possible, it is the name of the parameter. */
  readonly argument: string;
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
  /** How lists and objects are written: the parameter's `style`. */
  readonly style: string;
  readonly explode: boolean;
  /** Whether the value is written as JSON, whatever its style is. */
  readonly isJson: boolean;
}

/** An argument that is sent in the body. */
export interface OpenApiBody {
  readonly argument: string;
  readonly mediaType: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

/**
 * Returns the operations of a document, in the document's order.
 *
 * @throws AgentError `invalid-option` if it is not an OpenAPI 3 document, or if a reference has no
 *   target
 */
export function readOperations(document: JsonSchema, schemas: OpenApiSchemas): OpenApiOperation[] {
  checkVersion(document);
  const paths = isSchemaObject(document["paths"]) ? document["paths"] : {};
  return Object.entries(paths).flatMap(([path, given]) => {
    const item = schemas.resolved(given);
    const shared = listOf(item["parameters"]);
    return methods.flatMap((method) => {
      const operation = item[method];
      return isSchemaObject(operation) ? [readOperation({ method, path, item, operation, shared }, schemas)] : [];
    });
  });
}

/**
 * Returns the address of the first server of a document, a path or an operation. Variables in it
 * are replaced by their defaults.
 *
 * @returns undefined if there is no server, or if its address is relative to the document's address
 */
export function serverOf(holder: JsonSchema): string | undefined {
  const [server] = listOf(holder["servers"]);
  if (!isSchemaObject(server) || typeof server["url"] !== "string") return undefined;
  const variables = isSchemaObject(server["variables"]) ? server["variables"] : {};
  const url = server["url"].replace(/\{([^{}]{1,100})\}/g, (_whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isSchemaObject(variable) ? String(variable["default"] ?? "") : "";
  });
  return URL.canParse(url) ? url : undefined;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

function checkVersion(document: JsonSchema): void {
  const { openapi, swagger } = document;
  if (typeof openapi === "string" && /^3\.\d/.test(openapi)) return;
  const found = swagger === undefined ? "no OpenAPI document" : `a Swagger ${String(swagger).slice(0, 10)} document`;
  throw invalidOption(
    `fromOpenApi got ${found}; expected an OpenAPI 3 document`,
    swagger === undefined ? "pass the document, parsed from its JSON" : "convert it first, as with swagger2openapi",
  );
}

interface FoundOperation {
  readonly method: string;
  readonly path: string;
  readonly item: JsonSchema;
  readonly operation: JsonSchema;
  readonly shared: readonly unknown[];
}

function readOperation(
  { method, path, item, operation, shared }: FoundOperation,
  schemas: OpenApiSchemas,
): OpenApiOperation {
  const { operationId, summary, description, deprecated } = operation;
  const parameters = readParameters([...shared, ...listOf(operation["parameters"])], schemas);
  return {
    id: typeof operationId === "string" && operationId !== "" ? operationId : `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    isDeprecated: deprecated === true,
    server: serverOf(operation) ?? serverOf(item),
    parameters,
    body: readBody(operation["requestBody"], schemas, parameters),
    answer: readAnswer(operation["responses"], schemas),
  };
}

/** Headers that only the HTTP client or the program may set, never a model. */
const ownHeaders: ReadonlySet<string> = new Set(
  "accept content-type authorization cookie proxy-authorization host content-length transfer-encoding connection".split(
    " ",
  ),
);

function readParameters(values: readonly unknown[], schemas: OpenApiSchemas): OpenApiParameter[] {
  // A parameter of the operation replaces the same parameter of the path.
  const byPlace = new Map<string, JsonSchema>();
  for (const parameter of values.map(schemas.resolved))
    byPlace.set(`${parameter["in"]} ${parameter["name"]}`, parameter);
  const taken = new Set<string>();
  return [...byPlace.values()].flatMap((parameter) => {
    const { name, in: place } = parameter;
    if (typeof name !== "string" || !(place === "path" || place === "query" || place === "header")) return [];
    if (place === "header" && ownHeaders.has(name.toLowerCase())) return [];
    const argument = argumentName(name, place, taken);
    taken.add(argument);
    return [readParameter(parameter, { argument, name, in: place }, schemas)];
  });
}

function readParameter(
  parameter: JsonSchema,
  { argument, name, in: place }: Pick<OpenApiParameter, "argument" | "name" | "in">,
  schemas: OpenApiSchemas,
): OpenApiParameter {
  const {
    required,
    style = place === "query" ? "form" : "simple",
    explode = style === "form",
    description,
  } = parameter;
  const content = schemas.resolved(jsonContentOf(parameter["content"]));
  const schema = parameter["schema"] ?? content["schema"];
  return {
    argument,
    name,
    in: place,
    isRequired: place === "path" || required === true,
    schema: described(isSchemaObject(schema) ? schema : {}, description),
    style: String(style),
    explode: explode === true,
    isJson: parameter["schema"] === undefined && content["schema"] !== undefined,
  };
}

/** Returns a name for an argument with only the characters that model providers accept. */
function argumentName(name: string, place: string, taken: ReadonlySet<string>): string {
  const plain =
    name
      .replaceAll(/[^\w.-]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 60) || "argument";
  return taken.has(plain) ? `${plain}_${place}` : plain;
}

function readBody(
  given: unknown,
  schemas: OpenApiSchemas,
  parameters: readonly OpenApiParameter[],
): OpenApiBody | undefined {
  const { content, required, description } = schemas.resolved(given);
  if (!isSchemaObject(content)) return undefined;
  const mediaTypes = Object.keys(content);
  const mediaType =
    preferred.map((wanted) => mediaTypes.find((type) => wanted.test(type))).find(Boolean) ?? mediaTypes[0];
  if (mediaType === undefined) return undefined;
  const { schema } = schemas.resolved(content[mediaType]);
  const isTaken = parameters.some(({ argument }) => argument === "body");
  return {
    argument: isTaken ? "requestBody" : "body",
    mediaType,
    isRequired: required === true,
    schema: described(isSchemaObject(schema) ? schema : {}, description),
  };
}

/**
 * Adds a description to a schema. A schema with a reference gets none, because before OpenAPI 3.1
 * no other keyword may be next to `$ref`.
 */
const described = (schema: JsonSchema, description: unknown): JsonSchema =>
  typeof description !== "string" || "description" in schema || "$ref" in schema ? schema : { ...schema, description };

/** The media types for a body, in order of preference. */
const preferred = [
  /^application\/json\b/i,
  /[/+]json\b/i,
  /^application\/x-www-form-urlencoded/i,
  /^multipart\/form-data/i,
  /^text\//i,
];

function readAnswer(responses: unknown, schemas: OpenApiSchemas): unknown {
  if (!isSchemaObject(responses)) return undefined;
  const status = Object.keys(responses).find((key) => /^2(\d\d|XX)$/i.test(key)) ?? "default";
  const { content } = schemas.resolved(responses[status]);
  return schemas.resolved(jsonContentOf(content))["schema"];
}

function jsonContentOf(content: unknown): unknown {
  if (!isSchemaObject(content)) return undefined;
  const mediaType = Object.keys(content).find((type) => /[/+]json\b/i.test(type));
  return mediaType === undefined ? undefined : content[mediaType];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
