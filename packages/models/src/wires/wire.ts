import type { ModelEvent, ModelRequest, ReadBlob } from "@smolts/protocol";
import type { LooseObject } from "./loose-json.ts";

/**
 * A wire format: how a request is written, and how its answer is read. It is created once for each
 * model, so that it can keep the texts of messages.
 *
 * Everything else (keys, redirects, time-outs, retries, stop sequences, costs) is the same for all
 * wire formats and is in `httpModel`.
 */
export interface Wire {
  /**
   * How the pieces of a streamed answer are separated: as server-sent events, or as one JSON text
   * on each line.
   */
  readonly framing: "events" | "lines";
  /** Returns the headers that this wire format needs, including the header with the key. */
  headers(key: string | undefined): Readonly<Record<string, string>>;
  /**
   * Returns the JSON text of a request.
   *
   * @param refused - names from {@link Wire.fields} that the server has refused before; they are
   *   left out, or written in another way
   * @throws AgentError `invalid-option` for a part that the format cannot express
   */
  body(request: ModelRequest, refused: ReadonlySet<string>, readBlob: ReadBlob): Promise<string>;
  /** Returns the names of the fields in this request's body that could be left out. */
  fields(request: ModelRequest, refused: ReadonlySet<string>): readonly string[];
  /** Creates a reader for one answer. */
  read(headers: Headers): AnswerReader;
}

/** Reads one answer, piece by piece. */
export interface AnswerReader {
  /**
   * Returns the events of a piece of the answer, except the usage and the `end` event. An answer
   * that is not streamed is one piece.
   *
   * @throws AgentError if the piece shows that the answer is wrong
   */
  read(piece: LooseObject): readonly ModelEvent[];
  /** Whether any part of an answer has arrived. */
  readonly hasBegun: boolean;
  /** Whether the model has reported its end. */
  readonly hasEnded: boolean;
  /**
   * Describes what is wrong with the answer, for an error message. Undefined if nothing is wrong.
   * Read this property after the last piece.
   */
  readonly flaw?: string | undefined;
  /** Whether the answer is complete, so that the caller need not wait for the end of the stream. */
  readonly isComplete: boolean;
  /** Returns the last events: usage, if the server reported it, and the end. */
  end(): readonly ModelEvent[];
}
