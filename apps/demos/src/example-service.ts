// A service that is made from an OpenAPI document alone. It answers each operation with the
// document's example for that operation.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The part of an OpenAPI document that this service reads. */
export interface ExampleDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ExampleOperation>>>>;
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown }>> };
}

interface ExampleOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, ExampleContent>> }>>;
}

interface ExampleContent {
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>;
}

/** A service that is running on loopback. */
export interface ExampleService extends AsyncDisposable {
  readonly origin: string;
  /** The requests that the service received, such as `GET /repos/octocat/Hello-World`. */
  readonly asked: readonly string[];
}

/**
 * Starts the service that a document describes.
 *
 * @param answers - answers by `operationId`, used instead of the document's examples
 */
export async function startExampleService(
  document: ExampleDocument,
  answers: Readonly<Record<string, unknown>> = {},
): Promise<ExampleService> {
  const routes = routesOf(document);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    asked.push(`${request.method} ${pathname}`);
    const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(pathname));
    const answer = route && (answers[route.id] ?? route.example);
    const status = answer === undefined ? 404 : 200;
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(answer ?? { message: "Not Found" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // safe cast: the server listens on a port
    asked,
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections();
    },
  };
}

interface Route {
  readonly id: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly example: unknown;
}

/** Returns the routes. A fixed path comes before a path with a parameter at the same position. */
function routesOf(document: ExampleDocument): readonly Route[] {
  const paths = Object.entries(document.paths).sort(([left], [right]) => parametersIn(left) - parametersIn(right));
  return paths.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
      example: exampleOf(operation, document),
    })),
  );
}

const parametersIn = (path: string): number => path.split("{").length - 1;

function exampleOf({ responses }: ExampleOperation, { components }: ExampleDocument): unknown {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const [example] = Object.values(success?.content?.["application/json"]?.examples ?? {});
  const name = example?.$ref?.split("/").at(-1);
  return name === undefined ? example?.value : components.examples[name]?.value;
}
