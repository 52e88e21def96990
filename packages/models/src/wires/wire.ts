import type { ModelEvent, ModelRequest, ReadBlob } from "@smolts/protocol";
import type { LooseObject } from "./loose-json.ts";

/**
 * One way of speaking to a server: how a request is written, and how its answer is read. Made once
 * for each model, so that it may keep what it wrote.
 *
 * Everything else (keys, redirects, time-outs, retries, stop texts, costs) is the same for all
 * wires and is in `httpModel`.
 */
export interface Wire {
  /**
   * How the pieces of a streamed answer are separated: server-sent events, or a JSON text on each
   * line.
   */
  readonly framing: "events" | "lines";
  /** The headers that only this wire has, the key's among them. */
  headers(key: string | undefined): Readonly<Record<string, string>>;
  /**
   * The JSON text of a request.
   *
   * @param refused - names of {@link Wire.fields} that the server has refused before: they are left
   *   out, or said in another way
   * @throws AgentError `invalid-option` for what the wire cannot carry
   */
  body(request: ModelRequest, refused: ReadonlySet<string>, readBlob: ReadBlob): Promise<string>;
  /** The names of the fields that the body of this request has and could do without. */
  fields(request: ModelRequest, refused: ReadonlySet<string>): readonly string[];
  /** A reader for one answer. */
  read(headers: Headers): AnswerReader;
}

/** Reads one answer, piece by piece. */
export interface AnswerReader {
  /**
   * The events of a piece, without usage and end. A whole (not streamed) answer is one piece.
   *
   * @throws AgentError when the piece shows that the answer cannot be relied on
   */
  read(piece: LooseObject): readonly ModelEvent[];
  /** Whether anything of an answer came. */
  readonly hasBegun: boolean;
  /** Whether the model said that it has ended. */
  readonly hasEnded: boolean;
  /** What about the answer cannot be right, as the end of a sentence; asked for at its end. */
  readonly flaw?: string | undefined;
  /** Whether nothing can come any more, so that the end of the stream need not be waited for. */
  readonly isComplete: boolean;
  /** The last events: usage, if any was reported, and the end. */
  end(): readonly ModelEvent[];
}
