// A text with edits. For each character it knows the position in the original text.

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits of one text. They must not overlap. */
export class EditedText {
  readonly #original: string;
  readonly #edits: Edit[] = [];

  constructor(original: string) {
    this.#original = original;
  }

  /**
   * Replaces a range. Line breaks of the range are kept, so that later lines keep their numbers.
   */
  replace(start: number, end: number, text: string): void {
    const breaks = this.#original.slice(start, end).replace(/[^\r\n\u2028\u2029]/g, "");
    this.#edits.push({ start, end, text: text + breaks });
  }

  insert(at: number, text: string): void {
    this.#edits.push({ start: at, end: at, text });
  }

  /**
   * Returns the edited text, and a function that maps its offsets to offsets in the original text.
   */
  finish(): { readonly text: string; readonly originalOffset: (offset: number) => number } {
    const edits = this.#edits
      .map((edit, order) => ({ ...edit, order }))
      .sort((left, right) => left.start - right.start || left.order - right.order);
    const copies: { readonly from: number; readonly at: number }[] = [];
    let text = "";
    let position = 0;
    for (const { start, end, text: replacement } of edits) {
      copies.push({ from: position, at: text.length });
      text += this.#original.slice(position, start) + replacement;
      position = Math.max(position, end);
    }
    copies.push({ from: position, at: text.length });
    text += this.#original.slice(position);
    const originalOffset = (offset: number): number => {
      const copy = copies.findLast(({ at }) => at <= offset) ?? { from: 0, at: 0 };
      return Math.min(copy.from + offset - copy.at, this.#original.length);
    };
    return { text, originalOffset };
  }
}
