import { AgentError } from "@smolts/protocol";

/** In characters; the oldest outputs go first. */
const maxKept = 8_000_000;

/** Results that were too long to show, whole, under their handles. */
export class OutputStore {
  readonly #texts = new Map<string, string>();
  #length = 0;
  #count = 0;

  /** Keeps a text and returns its handle. */
  keep(text: string): string {
    const kept = text.slice(0, maxKept);
    const id = `output${++this.#count}`;
    this.#texts.set(id, kept);
    this.#length += kept.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#length <= maxKept) break;
      this.#texts.delete(oldest);
      this.#length -= length;
    }
    return id;
  }

  /** Returns a kept text. @throws AgentError `tool-input` for an unknown handle */
  read(id: string): string {
    const text = this.#texts.get(id);
    if (text !== undefined) return text;
    const known = [...this.#texts.keys()];
    throw new AgentError("tool-input", `there is no output "${id.slice(0, 50)}"`, {
      hint: known.length === 0 ? "nothing has been cut in this session" : `there are ${known.join(", ")}`,
    });
  }
}
