// A server between the agents and the scripted server. It passes requests on, and changes some of
// the answers.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fault, WireName } from "./fault.ts";
import type { Random } from "./random.ts";

/** The faults of one run. */
export interface Plan {
  readonly wire: WireName;
  readonly fault: Fault;
  /** The number of the model call in the run, 1-based. */
  readonly step: number;
  /** How many attempts in a row fail. */
  readonly times: number;
  readonly random: Random;
}

/** The address for one run, and the count of its requests. */
export interface Visit {
  readonly origin: string;
  /** The number of requests for each step. The index is the step's number. */
  readonly requests: readonly number[];
  /** Counts a request just before it is sent. */
  count(step: number): void;
  /** Says whether the last counted request gets a fault. */
  isLastSpoiled(): boolean;
  /** Says whether the next request gets a fault. */
  isNextSpoiled(): boolean;
}

/** A running server; see {@link startFaultyServer}. */
export interface FaultyServer extends AsyncDisposable {
  open(plan: Plan, upstream: string): Visit;
}

/**
 * Returns the step to which a request belongs. A request contains one answer of the model for each
 * earlier step.
 */
export const stepOf = (body: string): number => (body.match(/"role":"assistant"/g) ?? []).length + 1;

/** Starts the server on 127.0.0.1. */
export async function startFaultyServer(): Promise<FaultyServer> {
  const runs = new Map<string, { readonly plan: Plan; readonly visit: Visit; readonly upstream: string }>();
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The cast is safe: the server listens on a port, so its address is not a path.
  const { port } = server.address() as AddressInfo;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = "", path = ""] = /^\/(run-\d+)(\/.*)$/.exec(request.url ?? "") ?? [];
    const run = runs.get(name);
    if (!run) return void response.writeHead(404).end();
    const body = await textOf(request);
    const { plan, visit } = run;
    const good = await fetch(run.upstream + path, { method: "POST", body });
    const contentType = good.headers.get("content-type") ?? "";
    const text = await good.text();
    if (!visit.isLastSpoiled() || !good.ok)
      return void response.writeHead(good.status, { "content-type": contentType }).end(text);
    const pieces = text.split(plan.wire === "ollama" ? /(?<=\n)/ : /(?<=\n\n)/);
    await plan.fault.play?.({ wire: plan.wire, contentType, pieces }, response, plan.random);
  }

  return {
    open(plan, upstream) {
      const name = `run-${runs.size + 1}`;
      const requests: number[] = [];
      const lastStep = (): number => Math.max(0, requests.length - 1);
      const attemptsMade = (): number => requests[plan.step] ?? 0;
      const visit: Visit = {
        origin: `http://127.0.0.1:${port}/${name}`,
        requests,
        count(step) {
          requests[step] = (requests[step] ?? 0) + 1;
        },
        isLastSpoiled: () => lastStep() === plan.step && attemptsMade() <= plan.times,
        isNextSpoiled: () => lastStep() >= plan.step - 1 && attemptsMade() < plan.times,
      };
      runs.set(name, { plan, visit, upstream });
      return visit;
    },
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  // The cast is safe: no encoding is set, so the pieces are Buffers.
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}
