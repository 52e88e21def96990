import { wrongArgument } from "./option-kinds.ts";

/**
 * Checks the argument of a handler from `Request` to `Response`. A server of `node:http` has
 * requests of another kind.
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
