// Writes everything that goes to the terminal. The function `visible` escapes control characters in
// all text, even in our own labels. So the only control sequences are the ones that this file adds:
// colours, and the sequence that erases the status line. The cursor is never hidden and no terminal
// mode is changed. So nothing has to be restored, however the process ends.

import { VisibleTextStream, visible } from "@smolts/protocol";
import { environmentVariables, styled, type TextFormat } from "./host.ts";
import { type LinePart, LineWrapper } from "./line-wrapper.ts";
import { textEnd, textStart, textWidth } from "./text-width.ts";

/** The style of a piece of text, by its meaning. */
export type TextStyle = "plain" | "heading" | "muted" | "good" | "bad" | "caution" | "name" | "literal" | "accent";

/** A piece of a line. */
export interface Piece {
  readonly text: string;
  readonly style?: TextStyle;
  /**
   * Whether line breaks in the text are printed. Each new line begins with the margin. If false,
   * line breaks are shown as `\n`.
   */
  readonly multiline?: boolean;
}

/**
 * The target of the output: `process.stdout`, another stream, or an object that collects the text
 * in a test.
 */
export interface TerminalOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width in characters. */
  readonly columns?: number;
  /** False if nothing more can be written. */
  readonly writable?: boolean;
}

/** Settings of a {@link TerminalWriter}. */
export interface TerminalWriterOptions {
  readonly output: TerminalOutput;
  /**
   * Whether to print colours. @defaultValue decided by `FORCE_COLOR`, `NO_COLOR`, `TERM` and the
   * output
   */
  readonly color?: boolean | undefined;
  /**
   * The width in columns. Longer lines are broken between words. @defaultValue the width of the
   * terminal; without a terminal, lines are not broken
   */
  readonly width?: number | undefined;
  /** The environment variables to read. @defaultValue process.env */
  readonly environment?: TerminalFacts["environment"] | undefined;
}

const formats = {
  plain: [],
  heading: ["bold"],
  muted: ["dim"],
  good: ["green"],
  bad: ["red"],
  caution: ["yellow"],
  name: ["cyan"],
  literal: ["green"],
  accent: ["magenta"],
} as const satisfies Record<TextStyle, readonly TextFormat[]>;

const statusFrames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const statusIntervalMs = 100;
/** The additional indent of a continued line of code, in columns. */
const codeIndent = 2;

/** A text that arrives in pieces. */
interface RunningText {
  readonly visible: VisibleTextStream;
  /** The current line of the text; null at the start of a line. */
  line: LineWrapper | null;
}

/**
 * The status line: the last line of the terminal, which is redrawn many times. It shows what the
 * run waits for, or the beginning of a line that is still being streamed.
 */
type Status =
  | { readonly type: "waiting"; readonly text: string; readonly startTime: number }
  | { readonly type: "draft"; readonly text: string };

/** Prints whole lines, streamed texts and a status line, without mixing them. */
export class TerminalWriter {
  readonly #output: TerminalOutput;
  readonly #color: boolean;
  readonly #redraw: boolean;
  readonly #width: number | undefined;
  readonly #running = new Map<string, RunningText>();
  /** The streamed text whose last line is still open. */
  #openLine: { readonly key: string; readonly nextMargin: string } | null = null;
  #status: Status | null = null;
  #statusShown = false;
  #frame = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor({ output, color, width, environment = environmentVariables() }: TerminalWriterOptions) {
    const facts = { isTerminal: output.isTTY === true, environment };
    this.#output = output;
    this.#color = color ?? wantsColor(facts);
    this.#redraw = canRedraw(facts);
    this.#width = width;
  }

  /** Whether colours are printed. Without them, a caller need not compute styles. */
  get color(): boolean {
    return this.#color;
  }

  /**
   * Prints one line. A multiline piece, or a line that is too long for the terminal, becomes
   * several lines. All lines after the first begin with `nextMargin`.
   */
  line(margin: string, pieces: readonly Piece[], nextMargin: string = margin): void {
    this.#printLines([margin, nextMargin], pieces, 0);
  }

  /** Prints one line of code. */
  codeLine(margin: string, pieces: readonly Piece[]): void {
    this.#printLines([margin, margin], pieces, codeIndent);
  }

  /**
   * Prints the next piece of the streamed text `key`. If something else was printed since the last
   * piece, this piece begins on a new line.
   */
  run(key: string, margin: string, text: string, style: TextStyle = "plain"): void {
    const running = this.#running.get(key) ?? { visible: new VisibleTextStream({ newlines: true }), line: null };
    this.#running.set(key, running);
    this.#continueLine(key, margin, running.visible.push(text), style);
  }

  /** Prints the rest of the streamed text `key`, and ends its line. */
  endRun(key: string, margin: string, style: TextStyle = "plain"): void {
    const running = this.#running.get(key);
    if (running === undefined) return;
    this.#continueLine(key, margin, running.visible.end(), style);
    this.#continueParts(key, margin, running.line?.end() ?? []);
    if (this.#openLine?.key === key) this.#endLine();
    this.#running.delete(key);
  }

  /** Shows on a terminal what the run waits for; null removes the status line. */
  status(text: string | null): void {
    if (!this.#redraw) return;
    const shown = this.#status?.type === "waiting" ? this.#status.text : null;
    if (text !== null && text === shown) return;
    this.#eraseStatus();
    this.#show(text === null ? null : { type: "waiting", text, startTime: performance.now() });
  }

  /** Shows an unfinished line on a terminal, until the whole line is printed. */
  draft(margin: string, text: string): void {
    if (this.#redraw) this.#show({ type: "draft", text: margin + text });
  }

  #show(status: Status | null): void {
    // If a draft replaces another draft, the timer that redraws the line is already running.
    const isDrawn = status?.type === "draft" && this.#status?.type === "draft";
    this.#status = status;
    if (isDrawn) return;
    clearInterval(this.#timer);
    if (status !== null) this.#timer = setInterval(() => this.#drawStatus(), statusIntervalMs).unref();
  }

  /** Erases the status line and ends an open line. */
  close(): void {
    this.status(null);
    this.#endLine();
  }

  #printLines([margin, nextMargin]: readonly [string, string], pieces: readonly Piece[], extraIndent: number): void {
    this.#endLine();
    const next = visible(nextMargin);
    let output = this.#margin(margin);
    let line = this.#wrapper(visible(margin), next, extraIndent);
    let parts: LinePart[] = [];
    for (const { text, style = "plain", multiline = false } of pieces) {
      for (const [index, part] of visible(text, { newlines: multiline }).split("\n").entries()) {
        if (index > 0) {
          output += `${this.#render([...parts, ...line.end()], next)}\n${this.#margin(nextMargin)}`;
          line = this.#wrapper(next, next, extraIndent);
          parts = [];
        }
        parts.push(...line.push(part, style));
      }
    }
    this.#write(`${output}${this.#render([...parts, ...line.end()], next)}\n`);
  }

  #continueLine(key: string, margin: string, text: string, style: TextStyle): void {
    const running = this.#running.get(key);
    if (text === "" || running === undefined) return;
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) {
        this.#continueParts(key, margin, running.line?.end() ?? []);
        running.line = null;
        this.#write(this.#openLine?.key === key ? "\n" : `${this.#margin(margin)}\n`);
        this.#openLine = null;
      }
      if (line === "") continue;
      running.line ??= this.#wrapper(visible(margin), visible(margin));
      this.#continueParts(key, margin, running.line.push(line, style));
    }
  }

  #continueParts(key: string, margin: string, parts: readonly LinePart[]): void {
    if (parts.length === 0) return;
    if (this.#openLine?.key !== key) this.#endLine();
    const start = this.#openLine === null ? this.#margin(margin) : "";
    this.#openLine = { key, nextMargin: visible(margin) };
    this.#write(start + this.#render(parts, visible(margin)));
  }

  /** Ends the open line of a streamed text, after printing the word that was held back. */
  #endLine(): void {
    if (this.#openLine === null) return;
    const { key, nextMargin } = this.#openLine;
    const running = this.#running.get(key);
    const held = running?.line?.end() ?? [];
    if (running) running.line = null;
    this.#openLine = null;
    this.#write(`${this.#render(held, nextMargin)}\n`);
  }

  /** Returns the wrapper for a line that follows a margin. Lines are broken only for terminals. */
  #wrapper(margin: string, nextMargin: string, extraIndent = 0): LineWrapper {
    const columns = this.#width ?? (this.#output.isTTY ? this.#columns() : Number.POSITIVE_INFINITY);
    const nextWidth = textWidth(nextMargin);
    return new LineWrapper({ columns: columns - nextWidth, start: textWidth(margin) - nextWidth, extraIndent });
  }

  #render(parts: readonly LinePart[], nextMargin: string): string {
    const render = (part: LinePart): string =>
      part.type === "text"
        ? this.#paint(part.text, part.style)
        : `\n${this.#paint(nextMargin, "muted")}${" ".repeat(part.indent)}`;
    return joinTexts(parts).map(render).join("");
  }

  #margin(margin: string): string {
    return this.#paint(visible(margin), "muted");
  }

  #paint(text: string, style: TextStyle): string {
    if (!this.#color || text === "") return text;
    return formats[style].reduce((painted, format) => styled(format, painted), text);
  }

  #drawStatus(): void {
    // Do not draw the status line while streamed text has an open line. Both would be on the same
    // line, and erasing the status would erase the text too. The growing text shows the progress
    // anyway.
    if (this.#status === null || this.#openLine !== null) return;
    const columns = this.#columns() - 1;
    const text =
      this.#status.type === "draft" ? draftText(this.#status.text, columns) : this.#waitingText(this.#status);
    this.#send(`\r\u001b[2K${this.#paint(textStart(text, columns), "muted")}`);
    this.#statusShown = true;
  }

  #waitingText({ text, startTime }: Extract<Status, { type: "waiting" }>): string {
    const seconds = Math.floor((performance.now() - startTime) / 1000);
    const frame = statusFrames[this.#frame++ % statusFrames.length] ?? "";
    return `${frame} ${visible(text)}${seconds > 0 ? ` ${seconds} s` : ""}`;
  }

  #eraseStatus(): void {
    if (!this.#statusShown) return;
    this.#statusShown = false;
    this.#send("\r\u001b[2K");
  }

  #columns(): number {
    // A pseudo-terminal whose size was never set reports 0 columns.
    return this.#width ?? (this.#output.columns || 80);
  }

  #write(text: string): void {
    if (text === "") return;
    this.#eraseStatus();
    this.#send(text);
  }

  #send(text: string): void {
    if (this.#output.writable !== false) this.#output.write(text);
  }
}

/** Joins neighbouring texts of the same style. */
function joinTexts(parts: readonly LinePart[]): readonly LinePart[] {
  const joined: LinePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isSame = last?.type === "text" && part.type === "text" && last.style === part.style;
    if (isSame) joined[joined.length - 1] = { ...last, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

/**
 * Returns the visible part of an unfinished line: its end, if the line is wider than the terminal.
 */
function draftText(text: string, columns: number): string {
  const shown = visible(text);
  return textWidth(shown) <= columns ? shown : `…${textEnd(shown, columns - 1)}`;
}

/** The facts that decide about colours and redrawing. */
interface TerminalFacts {
  /** Whether the output is a terminal. */
  readonly isTerminal: boolean;
  /** The environment variables; only `FORCE_COLOR`, `NO_COLOR` and `TERM` are read. */
  readonly environment: { readonly [name: string]: string | undefined };
}

/**
 * Says whether to print colours. `FORCE_COLOR` decides first, then `NO_COLOR` and `TERM=dumb`,
 * which turn colours off. Without these variables, only a terminal gets colours.
 */
function wantsColor({ isTerminal, environment }: TerminalFacts): boolean {
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (environment["NO_COLOR"]) return false;
  return isTerminal && environment["TERM"] !== "dumb";
}

/** Says whether lines can be redrawn: only on a terminal that supports it. */
function canRedraw({ isTerminal, environment }: TerminalFacts): boolean {
  return isTerminal && environment["TERM"] !== "dumb";
}
