// The endpoints of the Responses API: `POST /v1/responses`, `GET /v1/responses/{id}` and
// `POST /v1/responses/{id}/cancel`.

import { type ResponseEvent, toResponses } from "@smolts/streams";
import { eventStreamResponse } from "../event-stream.ts";
import { RefusedRequest } from "../refused-request.ts";
import type { KeptRun } from "../runs/kept-run.ts";
import type { ActiveRun, RunService } from "../runs/run-service.ts";
import { abortedWith, type OpenAICall, readerCallOf, startOrContinue } from "./chat-endpoint.ts";
import type { Fields } from "./content-parts.ts";
import { readResponsesRequest } from "./responses-request.ts";

/** Answers a request of the Responses API. */
export async function answerResponses(body: Fields, call: OpenAICall): Promise<Response> {
  const { service, client, signal, stalledMs } = call;
  const request = await readResponsesRequest(body, (id) => service.find(runIdOf(id), client));
  const run = await startOrContinue(request.requestedRun, call);
  const events = toResponses(run.events(), { model: request.model, readerCall: readerCallOf(run) });
  if (!request.isStream) return Response.json(await abortedWith(run, signal, lastResponse(events)));
  return eventStreamResponse({ frames: framesOf(events), onDisconnect: (why) => run.abort(why), stalledMs });
}

/** Answers with the current state of a response. */
export async function showResponse(id: string, client: string, service: RunService): Promise<Response> {
  const kept = await service.find(runIdOf(id), client);
  if (!kept) throw notFound();
  return Response.json(await responseOf(kept));
}

/** Aborts the run of a response. */
export async function cancelResponse(id: string, client: string, service: RunService): Promise<Response> {
  const run: ActiveRun | null = service.live(runIdOf(id), client);
  run?.abort("the client cancelled it");
  await run?.result;
  return showResponse(id, client, service);
}

/** Returns the id of a run from the id of its response, which is the same id with a prefix. */
const runIdOf = (id: string): string => id.replace(/^(?:resp_|chatcmpl-)/, "");

async function responseOf(kept: KeptRun): Promise<object> {
  const resumed = kept.events.findLastIndex(({ type, path }) => type === "run-resume" && path.length === 1);
  const last = kept.events.slice(Math.max(0, resumed));
  if (kept.status !== "open" && kept.status !== "suspended") return lastResponse(toResponses(last));
  let started: object = {};
  for await (const { type, response } of toResponses(last)) {
    if (type === "response.created") started = response as object; // safe cast: `toResponses` makes an object
  }
  return started;
}

async function lastResponse(events: AsyncIterable<ResponseEvent>): Promise<object> {
  let last: unknown;
  for await (const { response } of events) last = response ?? last;
  if (typeof last === "object" && last !== null) return last;
  throw new Error("a run without events");
}

async function* framesOf(events: AsyncIterable<ResponseEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const notFound = (): RefusedRequest => new RefusedRequest("not-found", "there is no such response", "response_id");
