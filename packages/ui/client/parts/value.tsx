// Shows a value by its kind: a text, a table, an image, a sound, a file, or anything else in
// JavaScript notation.

import type { BlobRef, EncodedValue, MediaPart } from "@smolts/protocol";
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { Link, Markdown } from "../text/markdown.tsx";
import { visibleText } from "../text/odd-characters.ts";
import { cellOf, decoded, inline, mediaOf, pretty, type Rows, rowsOf, toCsv } from "../text/values.ts";
import { Code } from "./code.tsx";
import { Icon } from "./icon.tsx";

/** Shows a value that a call or code returned. */
export function Value({
  value,
  isAnswer = false,
}: {
  readonly value: EncodedValue;
  readonly isAnswer?: boolean;
}): VNode {
  const plain = useMemo(() => decoded(value), [value]);
  return <PlainValue value={plain} isAnswer={isAnswer} />;
}

function PlainValue({ value, isAnswer }: { readonly value: unknown; readonly isAnswer: boolean }): VNode {
  if (typeof value === "string") return isAnswer ? <Markdown text={visibleText(value)} /> : <LongText text={value} />;
  const media = mediaOf(value);
  if (media) return <Media part={media} />;
  const rows = rowsOf(value);
  if (rows) return <DataTable {...rows} />;
  const list = Array.isArray(value) ? value : null;
  if (list && list.length > 0 && list.length <= 24 && list.every((item) => mediaOf(item)))
    return (
      <div class="media-list">
        {list.map((item, index) => (
          <Media key={index} part={item as MediaPart} />
        ))}
      </div>
    );
  const text = pretty(value);
  if (!text.includes("\n") && text.length < 200) return <code class="short-value">{visibleText(text)}</code>;
  return <Code code={text} isNumbered={false} />;
}

const headLength = 6_000;
/** A text with at most this many lines is shown whole. */
const maxPlainLines = 80;
const headLines = 60;
const pieceLength = 64_000;

/** Returns how many characters of a text are shown at first. */
function firstLength(text: string): number {
  const lines = text.slice(0, headLength).split("\n", maxPlainLines + 1);
  return lines.length <= maxPlainLines ? headLength : lines.slice(0, headLines).join("\n").length;
}

/** Shows the start of a long text, and more on request. `isOpened` shows much of it at once. */
export function LongText({ text, isOpened = false }: { readonly text: string; readonly isOpened?: boolean }): VNode {
  const { t, figures } = useApp();
  const [wanted, setWanted] = useState(isOpened ? pieceLength : 0);
  const length = wanted === 0 ? firstLength(text) : wanted;
  const isCut = text.length > length;
  return (
    <>
      <pre class="text" dir="auto">
        {visibleText(isCut ? text.slice(0, length) : text)}
        {isCut ? "…" : ""}
      </pre>
      {isCut ? (
        <button type="button" class="show-all" onClick={() => setWanted(wanted + pieceLength)}>
          {t("showMore", { size: figures.bytes(text.length - length) })}
        </button>
      ) : null}
    </>
  );
}

const firstRows = 12;
const moreRows = 200;

/** Shows rows of objects as a table. A click on the head of a column sorts by it. */
function DataTable({ columns, rows }: Rows): VNode {
  const { t, figures, actions } = useApp();
  const [count, setCount] = useState(firstRows);
  const [sort, setSort] = useState<{ readonly column: string; readonly isDown: boolean } | null>(null);
  const sorted = useMemo(() => (sort ? sortRows(rows, sort.column, sort.isDown) : rows), [rows, sort]);
  const numeric = useMemo(() => new Set(columns.filter((column) => isNumeric(rows, column))), [columns, rows]);
  const digits = useMemo(
    () => new Map([...numeric].map((column) => [column, digitsOf(rows, column)])),
    [numeric, rows],
  );
  const shown = sorted.slice(0, count);
  const toggle = (column: string): void =>
    setSort(sort?.column !== column ? { column, isDown: false } : sort.isDown ? null : { column, isDown: true });
  return (
    <div class="rows">
      <div class="table" tabIndex={0} role="group" aria-label={t("table")} dir="ltr">
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  class={numeric.has(column) ? "number" : ""}
                  aria-sort={sort?.column === column ? (sort.isDown ? "descending" : "ascending") : undefined}
                >
                  {rows.length < 2 ? (
                    visibleText(column)
                  ) : (
                    <button type="button" onClick={() => toggle(column)}>
                      {visibleText(column)}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column} class={numeric.has(column) ? "number" : ""}>
                    {cellText(cellOf(row, column), digits.get(column))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > firstRows ? (
        <p class="under-table">
          <span class="figure">
            {t("rowsOf", { shown: figures.count(shown.length), count: figures.count(rows.length) })}
          </span>
          {count < rows.length ? (
            <button type="button" class="show-all" onClick={() => setCount(count + moreRows)}>
              {t("showMoreRows")}
            </button>
          ) : null}
          <button
            type="button"
            class="show-all"
            onClick={() => actions?.download("rows.csv", "text/csv", toCsv({ columns, rows }))}
          >
            {t("saveCsv")}
          </button>
        </p>
      ) : null}
    </div>
  );
}

function isNumeric(rows: Rows["rows"], column: string): boolean {
  const cells = rows
    .slice(0, 200)
    .map((row) => cellOf(row, column))
    .filter((cell) => cell !== null && cell !== undefined);
  return cells.length > 0 && cells.every((cell) => typeof cell === "number" || typeof cell === "bigint");
}

/**
 * Returns the maximum number of decimals in a column, up to four. All numbers of the column are
 * shown with this many decimals, so that their decimal points are aligned.
 */
function digitsOf(rows: Rows["rows"], column: string): number {
  let most = 0;
  for (const row of rows.slice(0, 200)) {
    const [, decimals = ""] = String(cellOf(row, column) ?? "").split(".");
    if (/^\d+$/.test(decimals)) most = Math.max(most, decimals.length);
  }
  return Math.min(4, most);
}

function cellText(value: unknown, digits: number | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" && digits !== undefined && digits > 0 && Number.isFinite(value))
    return value.toFixed(digits);
  return visibleText(typeof value === "string" ? value.slice(0, 2_000) : inline(value));
}

function sortRows(rows: Rows["rows"], column: string, isDown: boolean): Rows["rows"] {
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  const order = (left: unknown, right: unknown): number =>
    typeof left === "number" && typeof right === "number" ? left - right : compare(inline(left), inline(right));
  return rows.toSorted((left, right) => order(cellOf(left, column), cellOf(right, column)) * (isDown ? -1 : 1));
}

const shownImages = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;
const playedSounds = /^audio\/(?:wav|x-wav|mpeg|mp3|mp4|ogg|webm|flac|aac)$/;

/**
 * Shows an image, a sound or a file of the run's log. For media on another server, shows only the
 * address.
 */
export function Media({ part }: { readonly part: MediaPart }): VNode {
  const { t } = useApp();
  const { source, type } = part;
  const name = part.name ?? t(type === "image" ? "image" : type === "audio" ? "audio" : "file");
  if (!("digest" in source)) return <RemoteMedia url={source.url} name={name} />;
  if (type === "image" && shownImages.test(source.mediaType)) return <StoredImage source={source} name={name} />;
  if (type === "audio" && playedSounds.test(source.mediaType)) return <StoredSound source={source} name={name} />;
  return <StoredFile source={source} name={name} />;
}

function useBlob({ digest }: BlobRef): string | null | undefined {
  const { blobUrl } = useApp();
  const [url, setUrl] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    void blobUrl(digest).then((found) => {
      if (isCurrent) setUrl(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [digest, blobUrl]);
  return url;
}

interface StoredProps {
  readonly source: BlobRef;
  readonly name: string;
}

function StoredImage({ source, name }: StoredProps): VNode {
  const { t } = useApp();
  const url = useBlob(source);
  if (url === null) return <FileChip name={name} note={t("notInFile")} />;
  return (
    <figure class="image">
      {url === undefined ? <span class="image-space" /> : <img src={url} alt={visibleText(name)} />}
      <figcaption class="figure">{visibleText(name)}</figcaption>
    </figure>
  );
}

function StoredSound({ source, name }: StoredProps): VNode {
  const { t } = useApp();
  const url = useBlob(source);
  if (url === null) return <FileChip name={name} note={t("notInFile")} />;
  return (
    <figure class="sound">
      {/* biome-ignore lint/a11y/useMediaCaption: a tool's sound has no captions; its name says what is known of it */}
      <audio controls preload="metadata" src={url} aria-label={visibleText(name)} />
      <figcaption class="figure">{visibleText(name)}</figcaption>
    </figure>
  );
}

function StoredFile({ source, name }: StoredProps): VNode {
  const { figures, actions } = useApp();
  const note = `${source.mediaType}, ${figures.bytes(source.size)}`;
  return <FileChip name={name} note={note} onSave={actions ? () => actions.saveBlob(source, name) : undefined} />;
}

function FileChip({
  name,
  note,
  onSave,
}: {
  readonly name: string;
  readonly note: string;
  readonly onSave?: (() => void) | undefined;
}): VNode {
  const content = (
    <>
      <Icon name="file" />
      <span>{visibleText(name)}</span>
      <span class="figure">{visibleText(note)}</span>
    </>
  );
  return onSave ? (
    <button type="button" class="chip file-chip" onClick={onSave}>
      {content}
    </button>
  ) : (
    <span class="chip file-chip">{content}</span>
  );
}

function RemoteMedia({ url, name }: { readonly url: string; readonly name: string }): VNode {
  const { t } = useApp();
  return (
    <span class="chip file-chip">
      <Icon name="file" />
      <span>{visibleText(name)}</span>
      <Link href={url}>{t("elsewhere")}</Link>
    </span>
  );
}
