import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the service received. */
export interface SeenRequest {
  readonly method: string;
  /** The path, with the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer of the service. */
export interface ServiceAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A service on loopback that records its requests. */
export interface LoopbackService extends AsyncDisposable {
  readonly origin: string;
  readonly seen: SeenRequest[];
}

/** Starts a service. `answer` computes its answers. */
export async function startService(
  answer: (request: SeenRequest) => ServiceAnswer = () => ({}),
): Promise<LoopbackService> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url: path = "", headers } = request;
    const asked = { method, path, headers, body: Buffer.concat(chunks).toString() };
    seen.push(asked);
    const { status = 200, headers: own = { "content-type": "application/json" }, body = "{}" } = answer(asked);
    response.writeHead(status, own).end(status === 204 ? undefined : body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // The cast is safe: the server listens on a port.
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections();
    },
  };
}
