// HTML as Markdown, for a reader who pays by the character: the main part of the page, and no more
// of it than will be shown.
//
// One pass over the parser's events, without a tree. The converters that were tried need time that
// grows with the square of a hostile page (fifty thousand <br> held one up for a minute), and a
// page that a model was lured to is hostile. Here every event costs the same.

import { createMarkdownWriter, type MarkdownWriter } from "./markdown-writer.ts";

/** How a page is read. */
export interface HtmlToMarkdownOptions {
  /** What relative links are relative to. */
  readonly url: string;
  /** Characters that will be shown; somewhat more may come. */
  readonly maxLength: number;
}

/** The title and the main part of an HTML page, as Markdown. */
export async function htmlToMarkdown(html: string, { url, maxLength }: HtmlToMarkdownOptions): Promise<string> {
  const { Parser } = await import("./html-parser.ts");
  const page = createPageReader(url, maxLength);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => page.open(name, attributes),
      ontext: (text) => page.text(text),
      onclosetag: (name) => page.close(name),
    },
    { decodeEntities: true },
  );
  // In pieces, so that reading stops where nothing more will be shown.
  for (let start = 0; start < html.length && !page.isDone(); start += pieceLength) {
    parser.write(html.slice(start, start + pieceLength));
  }
  parser.end();
  return page.markdown();
}

const pieceLength = 16_384;
/** A closing tag is looked for among the open ones; nobody nests so deep for a reader. */
const maxDepth = 1_000;

const boilerplate: ReadonlySet<string> = new Set(
  "script style noscript template iframe object embed svg canvas video audio nav footer form button input select textarea dialog".split(
    " ",
  ),
);
const voidElements: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

type Attributes = Readonly<Record<string, string>>;

interface PageReader {
  open(name: string, attributes: Attributes): void;
  text(text: string): void;
  close(name: string): void;
  isDone(): boolean;
  markdown(): string;
}

/**
 * Sends what is read to two writers: one for the whole page, and one for the part that the page
 * marks as its main one.
 */
function createPageReader(url: string, maxLength: number): PageReader {
  let depth = 0;
  let skippedFrom = Number.POSITIVE_INFINITY;
  let mainFrom = Number.POSITIVE_INFINITY;
  let title = "";
  let inTitle = false;
  let base = url;
  const whole = createMarkdownWriter(maxLength);
  const mains: MarkdownWriter[] = [];
  const writers = (): readonly MarkdownWriter[] =>
    [whole, depth >= mainFrom ? mains.at(-1) : undefined].filter((writer) => writer !== undefined);

  return {
    open: (name, attributes) => {
      if (!voidElements.has(name)) depth++;
      if (name === "title" && title === "") inTitle = true;
      if (name === "base") base = resolved(attributes["href"] ?? "", url) ?? url;
      if (depth >= skippedFrom) return;
      if (isHidden(name, attributes)) {
        if (!voidElements.has(name)) skippedFrom = depth;
        return;
      }
      if (mainFrom === Number.POSITIVE_INFINITY && isMain(name, attributes)) {
        mainFrom = depth;
        mains.push(createMarkdownWriter(maxLength));
      }
      for (const writer of writers()) writer.open(name, wholeLinks(attributes, base));
    },
    text: (text) => {
      if (inTitle) title += text;
      else if (depth < skippedFrom) for (const writer of writers()) writer.text(text);
    },
    close: (name) => {
      if (name === "title") inTitle = false;
      if (depth < skippedFrom) for (const writer of writers()) writer.close(name);
      if (voidElements.has(name)) return;
      if (depth === skippedFrom) skippedFrom = Number.POSITIVE_INFINITY;
      if (depth === mainFrom) mainFrom = Number.POSITIVE_INFINITY;
      depth--;
    },
    isDone: () => depth > maxDepth || (whole.isFull() && mains.length > 0 && mains.every((main) => main.isFull())),
    markdown: () => withTitle(title, pickPart(whole, mains)),
  };
}

function isHidden(name: string, attributes: Attributes): boolean {
  if (boilerplate.has(name) || "hidden" in attributes || attributes["aria-hidden"] === "true") return true;
  return /display:\s{0,9}none|visibility:\s{0,9}hidden/i.test(attributes["style"]?.slice(0, 1_000) ?? "");
}

const isMain = (name: string, attributes: Attributes): boolean =>
  name === "main" || name === "article" || attributes["role"] === "main";

/**
 * Links become whole, so that the next visit can follow them; those that are none for a reader go.
 */
function wholeLinks(attributes: Attributes, base: string): Attributes {
  const { href, src, ...rest } = attributes;
  const link = href ?? src;
  const target = link === undefined ? undefined : resolved(link, base);
  return target === undefined ? rest : { ...rest, [href === undefined ? "src" : "href"]: target };
}

function resolved(link: string, base: string): string | undefined {
  if (link.length > 2_000 || !URL.canParse(link, base)) return undefined;
  const { protocol, href } = new URL(link, base);
  return /^(?:https?|mailto):$/.test(protocol) ? href : undefined;
}

/**
 * The marked part when there is one such part and it holds a good share of the text; several are a
 * list of teasers.
 */
function pickPart(whole: MarkdownWriter, mains: readonly MarkdownWriter[]): string {
  const text = whole.markdown();
  const [main] = mains.map((writer) => writer.markdown());
  return main !== undefined && mains.length === 1 && main.length > Math.min(200, text.length / 4) ? main : text;
}

function withTitle(title: string, markdown: string): string {
  const heading = title.replace(/\s+/g, " ").trim().slice(0, 300);
  return heading === "" || markdown.startsWith("# ") ? markdown : `# ${heading}\n\n${markdown}`;
}
