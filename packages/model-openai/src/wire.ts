import type { Callee } from "@smolts/models/adapting";
import type { ModelEvent, ModelRequest, ReadBlob } from "@smolts/protocol";
import type { OpenAI } from "openai";

/** One of OpenAI's two APIs: how a request is sent, and how its answer is read. */
export interface Wire {
  readonly path: "chat/completions" | "responses";
  /**
   * Returns the body of a request.
   *
   * @param refused - the names from {@link Wire.fields} that the server has refused
   */
  body(request: ModelRequest, refused: ReadonlySet<string>, readBlob: ReadBlob): Promise<RequestBody>;
  /** Returns the names of those parts of the body that the server may refuse. */
  fields(request: ModelRequest, refused: ReadonlySet<string>): readonly string[];
  open(client: OpenAI, body: RequestBody, signal: AbortSignal): Promise<AsyncIterable<object>>;
  createReader(callee: Callee): WireReader;
}

/** The body of a request, as JSON. */
export type RequestBody = Readonly<Record<string, unknown>>;

/** Reads one answer. */
export interface WireReader {
  /** Converts one event of the API to model events. Usage and end come from `end()` instead. */
  read(chunk: object): readonly ModelEvent[];
  /** Whether the model has reported its end. */
  readonly hasEnded: boolean;
  /**
   * Describes what is wrong with the answer. Read it after the last event. Undefined if nothing is
   * wrong.
   */
  readonly flaw?: string | undefined;
  /** Whether the answer is complete, so that no more events can follow. */
  readonly isComplete: boolean;
  /** Returns the last events: usage, if it was reported, and the end. */
  end(): readonly ModelEvent[];
}
