// A server between agents and the scripted one: it passes requests on, and spoils the chosen
// answers.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fault, WireName } from "./fault.ts";
import type { Random } from "./random.ts";

/** The faults of one run. */
export interface Plan {
  readonly wire: WireName;
  readonly fault: Fault;
  /** Which model call of the run, 1-based. */
  readonly step: number;
  /** How many attempts in a row. */
  readonly times: number;
  readonly random: Random;
}

/** A run's own address, and the requests to it. */
export interface Visit {
  readonly origin: string;
  /** How many requests were made for each step; the index is the step's number. */
  readonly requests: readonly number[];
  /** Counts a request that is about to be made. */
  count(step: number): void;
  /** Whether the last request that was counted is one to spoil. */
  isLastSpoiled(): boolean;
  /** Whether the one after it is. */
  isNextSpoiled(): boolean;
}

/** A running {@link startFaultyServer}. */
export interface FaultyServer extends AsyncDisposable {
  open(plan: Plan, upstream: string): Visit;
}

/** The number of the step that a request is for: the model has answered once for each before it. */
export const stepOf = (body: string): number => (body.match(/"role":"assistant"/g) ?? []).length + 1;

/** Starts it on 127.0.0.1. */
export async function startFaultyServer(): Promise<FaultyServer> {
  const runs = new Map<string, { readonly plan: Plan; readonly visit: Visit; readonly upstream: string }>();
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, so its address is not a path

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
  for await (const piece of request) pieces.push(piece as Buffer); // no encoding is set, so that pieces are Buffers
  return Buffer.concat(pieces).toString("utf8");
}
