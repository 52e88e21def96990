import { wrongArgument } from "./option-kinds.ts";

/**
 * Checks that the argument of a handler is a `Request` of the platform. A common mistake is to pass
 * the handler to `node:http`, which has requests of another kind.
 *
 * @throws AgentError `invalid-option` that says what to write
 */
export function checkRequest(request: unknown, handler: string): asserts request is Request {
  const { headers } = (request ?? {}) as { readonly headers?: Partial<Headers> };
  if (typeof headers?.get === "function") return;
  throw wrongArgument(
    handler,
    request,
    "a Request, as fetch takes it",
    "for node:http write createServer(getRequestListener(handler)), with @hono/node-server",
  );
}
