import type { Callee } from "@smolts/models/adapting";
import type { ModelEvent, ModelRequest, ReadBlob } from "@smolts/protocol";
import type { OpenAI } from "openai";

/** One of OpenAI's two interfaces. */
export interface Wire {
  readonly path: "chat/completions" | "responses";
  /**
   * The fields of a request.
   *
   * @param refused - what of {@link Wire.fields} the server does not take
   */
  body(request: ModelRequest, refused: ReadonlySet<string>, readBlob: ReadBlob): Promise<RequestBody>;
  /** The optional parts of this request's body. */
  fields(request: ModelRequest, refused: ReadonlySet<string>): readonly string[];
  open(client: OpenAI, body: RequestBody, signal: AbortSignal): Promise<AsyncIterable<object>>;
  createReader(callee: Callee): WireReader;
}

/** The body of the request, as JSON. */
export type RequestBody = Readonly<Record<string, unknown>>;

/** Reads one answer. */
export interface WireReader {
  /** The events of one event of the wire, without usage and end. */
  read(chunk: object): readonly ModelEvent[];
  /** Whether the model said that it has ended. */
  readonly hasEnded: boolean;
  /** What about the answer cannot be right; asked for at its end. */
  readonly flaw?: string | undefined;
  /** Whether nothing more is to come. */
  readonly isComplete: boolean;
  /** Usage, if it was reported, and the end. */
  end(): readonly ModelEvent[];
}
