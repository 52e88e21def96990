// Renders Markdown as elements, never as a string of HTML. HTML in the text is shown as text. Links
// open only when they are clicked, and only to safe addresses. Of an image on another server, only
// the address is shown. Loading the image would tell that server that somebody is reading this
// text.

import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import type { ComponentChildren, VNode } from "preact";
import { useMemo } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { CodeBlock } from "../parts/code.tsx";
import { memo } from "../parts/memo.ts";

/** Renders a Markdown text. While the text grows, complete blocks are not rendered again. */
export function Markdown({ text }: { readonly text: string }): VNode {
  const blocks = useMemo(() => lexed(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text), [text]);
  const levels = useMemo(() => headingLevels(blocks), [blocks]);
  return (
    <div class="prose" dir="auto">
      {blocks.map((token, index) => (
        <Block key={index} token={token} raw={token.raw} level={levels[index] ?? 0} />
      ))}
    </div>
  );
}

const maxLength = 200_000;

function lexed(text: string): readonly Token[] {
  try {
    return new Lexer({ gfm: true, breaks: false }).lex(text).filter(({ type }) => type !== "space" && type !== "def");
  } catch {
    return [{ type: "text", raw: text, text }]; // the text nests too deep for the parser
  }
}

/**
 * Returns the heading level of each token; 0 if it is not a heading. The levels begin at 3, below
 * the page's own headings. No level is skipped, even if the text skips levels.
 */
export function headingLevels(tokens: readonly Token[]): readonly number[] {
  const above: number[] = [];
  return tokens.map((token) => {
    if (token.type !== "heading") return 0;
    const { depth } = token as Tokens.Heading;
    while (above.length > 0 && above.at(-1)! >= depth) above.pop();
    above.push(depth);
    return Math.min(6, above.length + 2);
  });
}

interface BlockProps {
  readonly token: Token;
  readonly raw: string;
  readonly level: number;
}

const Block = memo(
  ({ token, level }: BlockProps) => {
    if (token.type !== "heading") return <>{block(token as MarkedToken, 0)}</>;
    const Heading = `h${level}` as "h3";
    return <Heading>{inlines((token as Tokens.Heading).tokens, 1)}</Heading>;
  },
  (before, now) => before.raw === now.raw && before.level === now.level,
);

/** The deepest nesting of Markdown that is rendered. Deeper Markdown is shown as text. */
const maxDepth = 16;

function block(token: MarkedToken, depth: number): ComponentChildren {
  if (depth > maxDepth) return token.raw;
  const inner = depth + 1;
  switch (token.type) {
    case "heading": // inside a quotation or a list, so not part of the outline
      return <p class="inner-heading">{inlines(token.tokens, inner)}</p>;
    case "paragraph":
      return <p>{inlines(token.tokens, inner)}</p>;
    case "code":
      return <CodeBlock code={token.text} language={token.lang ?? ""} />;
    case "blockquote":
      return <blockquote>{blocks(token.tokens, inner)}</blockquote>;
    case "list":
      return <List list={token} depth={inner} />;
    case "table":
      return <Table table={token} depth={inner} />;
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    default:
      return inlineToken(token, depth);
  }
}

const blocks = (tokens: readonly Token[], depth: number): ComponentChildren =>
  tokens.map((token) => block(token as MarkedToken, depth));

function List({ list, depth }: { readonly list: Tokens.List; readonly depth: number }): VNode {
  const items = list.items.map((item, index) => (
    <li key={index} class={item.task ? "task-item" : ""}>
      {item.task ? <span class={`box ${item.checked ? "checked" : ""}`} aria-hidden="true" /> : null}
      {item.task ? <span class="visually-hidden">{item.checked ? "[x] " : "[ ] "}</span> : null}
      {item.tokens.filter(({ type }) => type !== "checkbox").map((token) => block(token as MarkedToken, depth))}
    </li>
  ));
  return list.ordered ? <ol start={typeof list.start === "number" ? list.start : 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table, depth }: { readonly table: Tokens.Table; readonly depth: number }): VNode {
  const { t } = useApp();
  const align = (index: number): string => (table.align[index] === "right" ? "number" : "");
  return (
    <div class="table" tabIndex={0} role="group" aria-label={t("table")}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col" class={align(index)}>
                {inlines(cell.tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} class={align(index)}>
                  {inlines(cell.tokens, depth)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlines(tokens: readonly Token[] | undefined, depth: number): ComponentChildren {
  return (tokens ?? []).map((token) => inlineToken(token as MarkedToken, depth));
}

function inlineToken(token: MarkedToken, depth: number): ComponentChildren {
  if (depth > maxDepth) return token.raw;
  const inner = depth + 1;
  switch (token.type) {
    case "text":
      return "tokens" in token && token.tokens ? inlines(token.tokens, inner) : unescaped(token.text);
    case "escape":
      return token.text;
    case "strong":
      return <strong>{inlines(token.tokens, inner)}</strong>;
    case "em":
      return <em>{inlines(token.tokens, inner)}</em>;
    case "del":
      return <del>{inlines(token.tokens, inner)}</del>;
    case "codespan":
      return <code>{unescaped(token.text)}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link href={token.href}>{inlines(token.tokens, inner)}</Link>;
    case "image":
      return <RemoteImage href={token.href} alt={token.text} />;
    default:
      return token.raw; // HTML too is shown as text
  }
}

/**
 * Decodes HTML entities. Some versions of the library marked do not decode them, but text nodes
 * need the characters.
 */
const unescaped = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name] ?? "",
  );

/** Returns the address of a link if it is a web or mail address; else null. */
function safeAddress(href: string): URL | null {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href.trim())) return null;
  try {
    const url = new URL(href.trim());
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** A link. If the text of the link names another host, the real host is shown beside the text. */
export function Link({ href, children }: { readonly href: string; readonly children?: ComponentChildren }): VNode {
  const { t } = useApp();
  const url = safeAddress(href);
  if (!url) return <span>{children}</span>;
  const isPunycode = /(?:^|\.)xn--/.test(url.hostname);
  return (
    <>
      <a class="link" href={url.href} target="_blank" rel="noopener noreferrer nofollow" title={url.href}>
        {children}
      </a>
      {url.hostname === "" ? null : (
        <span class={`host ${isPunycode ? "odd-host" : ""}`}>
          {isPunycode ? ` (${t("lookalikeHost", { host: url.hostname })})` : ` (${url.hostname})`}
        </span>
      )}
    </>
  );
}

/** An image on another server. Its address is shown, but it is never loaded. */
function RemoteImage({ href, alt }: { readonly href: string; readonly alt: string }): VNode {
  const { t } = useApp();
  const url = safeAddress(href);
  return (
    <span class="chip">
      {alt === "" ? null : <span>{alt}</span>}
      {url ? <Link href={href}>{t("remoteImage")}</Link> : <span>{t("imageNotShown")}</span>}
    </span>
  );
}
