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
  /** What the body of this request could do without. */
  fields(request: ModelRequest, refused: ReadonlySet<string>): readonly string[];
  open(client: OpenAI, body: RequestBody, signal: AbortSignal): Promise<AsyncIterable<object>>;
  createReader(callee: Callee): WireReader;
}

/** What is sent, as JSON. */
export type RequestBody = Readonly<Record<string, unknown>>;

/** Reads one answer. */
export interface WireReader {
  /** What one event of the wire says, without usage and end. */
  read(chunk: object): readonly ModelEvent[];
  /** Whether the model said that it has ended. */
  readonly hasEnded: boolean;
  /** What about the answer cannot be right; asked for at its end. */
  readonly flaw?: string | undefined;
  /** Whether nothing more is to come. */
  readonly isComplete: boolean;
  /** Usage, if it was told, and the end. */
  end(): readonly ModelEvent[];
}
