// Writes Markdown from the events of an HTML parser. A stack has one frame for each open inline
// element, such as a link. A new block closes all of them. The text itself is not escaped, because
// the reader is a model: a stray asterisk disturbs it less than a page full of backslashes.

/** Receives the events of a parser and returns Markdown. */
export interface MarkdownWriter {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
  /** Says whether the writer has enough text. Further text is ignored. */
  isFull(): boolean;
  markdown(): string;
}

/** An open inline element: its text so far, and what to do with it at its end. */
interface Frame {
  readonly name: string;
  readonly wrap: (text: string) => string;
  text: string;
}

interface TableRow {
  readonly cells: string[];
}

/** Creates a writer that stops after about `maxLength` characters. */
export function createMarkdownWriter(maxLength: number): MarkdownWriter {
  return new PageMarkdown(maxLength);
}

const blocks: ReadonlySet<string> = new Set(
  "p div section article main header aside figure figcaption address details summary dl dt dd fieldset center body html".split(
    " ",
  ),
);
const maxFrames = 50;
const maxListDepth = 10;

class PageMarkdown implements MarkdownWriter {
  readonly #maxLength: number;
  readonly #blocks: string[] = [];
  #length = 0;
  /** The first frame holds the text of the block itself. */
  #frames: Frame[] = [root()];
  #lists: { readonly ordered: boolean; count: number }[] = [];
  #marker = "";
  #quotes = 0;
  #preformatted = 0;
  #tables = 0;
  #rows: TableRow[] = [];

  constructor(maxLength: number) {
    this.#maxLength = maxLength + 1_000;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.isFull()) return;
    if (/^h[1-6]$/.test(name)) return this.#startHeading(name);
    switch (name) {
      case "br":
        return this.#add("\n");
      case "hr":
        return this.#block("---");
      case "img":
        return this.#add(imageText(attributes));
      case "ul":
      case "ol":
        this.#endBlock();
        this.#lists.push({ ordered: name === "ol", count: 0 });
        return;
      case "li":
        return this.#startItem();
      case "blockquote":
        this.#endBlock();
        this.#quotes++;
        return;
      case "pre":
        this.#endBlock();
        this.#preformatted++;
        return;
      case "table":
        return this.#startTable();
      case "tr":
        if (this.#tables === 1) this.#rows.push({ cells: [] });
        return;
      case "td":
      case "th":
        return this.#startCell();
      default:
        if (blocks.has(name)) this.#endBlock();
        else this.#startInline(name, attributes);
    }
  }

  text(text: string): void {
    if (this.isFull()) return;
    this.#add(this.#preformatted > 0 ? text : text.replace(/\s+/g, " "));
  }

  close(name: string): void {
    if (this.isFull()) return;
    if (/^h[1-6]$/.test(name)) return this.#endBlock();
    switch (name) {
      case "ul":
      case "ol":
        this.#endBlock();
        this.#lists.pop();
        return;
      case "li":
        this.#endBlock();
        this.#marker = "";
        return;
      case "blockquote":
        this.#endBlock();
        this.#quotes = Math.max(0, this.#quotes - 1);
        return;
      case "pre":
        return this.#endPreformatted();
      case "table":
        return this.#endTable();
      case "td":
      case "th":
        return this.#endCell();
      default:
        if (blocks.has(name)) this.#endBlock();
        else this.#endInline(name);
    }
  }

  isFull(): boolean {
    return this.#length >= this.#maxLength;
  }

  markdown(): string {
    this.#endBlock();
    return this.#blocks
      .join("\n\n")
      .replace(/\n\n(?=\s*(?:-|\d+\.) )/g, "\n")
      .trim();
  }

  #add(text: string): void {
    const frame = this.#frames.at(-1);
    if (!frame) return;
    // Adjacent white space is joined to one space, also across elements.
    const last = frame.text.at(-1);
    const collapsed = this.#preformatted === 0 && (last === " " || last === "\n") ? text.replace(/^ +/, "") : text;
    frame.text += collapsed;
    this.#length += collapsed.length;
  }

  #startInline(name: string, attributes: Readonly<Record<string, string>>): void {
    const wrap = inlineWrap(name, attributes);
    if (!wrap || this.#preformatted > 0 || this.#frames.length >= maxFrames) return;
    if (this.#frames.some((frame) => frame.name === name)) return;
    this.#frames.push({ name, wrap, text: "" });
  }

  #endInline(name: string): void {
    if (this.#frames.at(-1)?.name === name) this.#foldFrame();
  }

  /**
   * Adds the innermost frame's text to the frame around it. Spaces at the ends of the text are
   * moved outside of the frame's markup.
   */
  #foldFrame(): void {
    const frame = this.#frames.pop();
    const around = this.#frames.at(-1);
    if (!frame || !around) return;
    const inner = frame.text.trim();
    if (inner === "") around.text += frame.text === "" ? "" : " ";
    else around.text += `${/^\s/.test(frame.text) ? " " : ""}${frame.wrap(inner)}${/\s$/.test(frame.text) ? " " : ""}`;
  }

  #startHeading(name: string): void {
    this.#endBlock();
    if (!this.#inCell()) this.#marker = `${"#".repeat(Number(name[1]))} `;
  }

  #startItem(): void {
    this.#endBlock();
    const list = this.#lists.at(-1);
    if (this.#inCell()) return;
    if (list) list.count++;
    const indent = "  ".repeat(Math.min(Math.max(0, this.#lists.length - 1), maxListDepth));
    this.#marker = `${indent}${list?.ordered ? `${list.count}.` : "-"} `;
  }

  /** Ends the text of a block. Inside a table cell, a block only adds a space. */
  #endBlock(): void {
    if (this.#inCell()) return this.#add(" ");
    while (this.#frames.length > 1) this.#foldFrame();
    const text = tidy(this.#frames[0]?.text ?? "", this.#preformatted > 0);
    this.#frames = [root()];
    if (text === "") return;
    this.#block(this.#marker + text);
    this.#marker = "";
  }

  #block(text: string): void {
    const quote = "> ".repeat(Math.min(this.#quotes, maxListDepth));
    const block = quote === "" ? text : text.replace(/^/gm, quote);
    this.#blocks.push(block);
    this.#length += block.length - text.length + 2;
  }

  #endPreformatted(): void {
    const text = this.#frames
      .map((frame) => frame.text)
      .join("")
      .replace(/^\n|\s+$/g, "");
    this.#frames = [root()];
    this.#preformatted = Math.max(0, this.#preformatted - 1);
    if (text !== "") this.#block(`\`\`\`\n${text}\n\`\`\``);
  }

  #startTable(): void {
    this.#endBlock();
    this.#tables++;
    if (this.#tables === 1) this.#rows = [];
  }

  #startCell(): void {
    if (this.#tables !== 1) return this.#endBlock();
    while (this.#frames.length > 1) this.#foldFrame();
    this.#frames.push({ name: "cell", wrap: (text) => text, text: "" });
  }

  #endCell(): void {
    if (this.#tables !== 1 || !this.#inCell()) return;
    while (this.#frames.at(-1)?.name !== "cell") this.#foldFrame();
    const text = this.#frames.pop()?.text ?? "";
    this.#rows.at(-1)?.cells.push(text.replace(/\s+/g, " ").trim().replaceAll("|", "\\|"));
  }

  #endTable(): void {
    this.#endCell();
    this.#tables = Math.max(0, this.#tables - 1);
    if (this.#tables > 0) return;
    this.#endBlock();
    const table = tableText(this.#rows);
    this.#rows = [];
    if (table !== "") this.#block(table);
  }

  #inCell(): boolean {
    return this.#frames.some((frame) => frame.name === "cell");
  }
}

const root = (): Frame => ({ name: "", wrap: (text) => text, text: "" });

function inlineWrap(name: string, { href }: Readonly<Record<string, string>>): ((text: string) => string) | undefined {
  switch (name) {
    case "b":
    case "strong":
      return (text) => `**${text}**`;
    case "i":
    case "em":
      return (text) => `_${text}_`;
    case "code":
    case "kbd":
      return (text) => (text.includes("`") ? text : `\`${text}\``);
    case "a":
      return href === undefined ? undefined : (text) => `[${text.replace(/\s+/g, " ")}](${href})`;
    default:
      return undefined;
  }
}

const imageText = ({ alt = "", src }: Readonly<Record<string, string>>): string =>
  alt.trim() === "" || src === undefined ? "" : `![${alt.replace(/\s+/g, " ").trim().slice(0, 300)}](${src})`;

function tidy(text: string, preformatted: boolean): string {
  if (preformatted) return text.trimEnd();
  return text
    .replace(/ *\n */g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * Writes the cells as a Markdown table. If there is only one column, the table was probably used
 * for layout, so its cells become paragraphs.
 */
function tableText(rows: readonly TableRow[]): string {
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const width = Math.min(50, Math.max(0, ...filled.map(({ cells }) => cells.length)));
  if (width < 2) return filled.flatMap(({ cells }) => cells).join("\n\n");
  const lines = filled.map(
    ({ cells }) => `| ${Array.from({ length: width }, (_, at) => cells[at] ?? "").join(" | ")} |`,
  );
  return [lines[0], `|${" --- |".repeat(width)}`, ...lines.slice(1)].join("\n");
}
