// Converts HTML to Markdown for a model, which pays for each character. It keeps the main part of
// the page, and only as much as will be shown.
//
// The libraries that were tried take quadratic time for hostile pages: one took a minute for fifty
// thousand <br>. A model may be lured to such a page. So this converter builds no tree. It reads
// the parser's events once, and the time for an event does not depend on the length of the page.

import { createMarkdownWriter, type MarkdownWriter } from "./markdown-writer.ts";

/** Options for reading a page. */
export interface HtmlToMarkdownOptions {
  /** The address of the page, to resolve relative links. */
  readonly url: string;
  /** How many characters will be shown. The result may be somewhat longer. */
  readonly maxLength: number;
}

/** Returns the title and the main part of an HTML page, as Markdown. */
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
  // The page is parsed in pieces, so that parsing can stop early.
  for (let start = 0; start < html.length && !page.isDone(); start += pieceLength) {
    parser.write(html.slice(start, start + pieceLength));
  }
  parser.end();
  return page.markdown();
}

const pieceLength = 16_384;
/**
 * The deepest nesting that is tracked. Each closing tag is looked up among the open tags, so their
 * number must be limited. No real page nests that deep.
 */
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
 * Creates a reader that converts the whole page with one writer, and each element for the main
 * content (such as `<main>`) also with a writer of its own.
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
 * Makes links absolute, so that the model can visit them. Links that are useless to a reader are
 * removed.
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
 * Returns the main part if the page marks only one, and if that part is long enough. Otherwise
 * returns the whole page. Several marked parts are usually a list of teasers.
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
