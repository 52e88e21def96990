// The one door to the terminal. Everything printed passes `visible`, also our own labels; control sequences come into being here and
// nowhere else: colours around a piece of text, and the erasing of the status line. The cursor is never hidden and no mode is ever set,
// so that there is nothing to put back, however the process ends.

import { VisibleTextStream, visible } from "@smolts/protocol";
import { canRedraw, type TerminalFacts, wantsColor } from "./color-support.ts";
import { environmentVariables, styled, type TextFormat } from "./host.ts";

/** How a piece of text looks, by what it means. */
export type TextStyle = "plain" | "heading" | "muted" | "good" | "bad" | "caution" | "name" | "literal" | "accent";

/** A piece of a line. */
export interface Piece {
  readonly text: string;
  readonly style?: TextStyle;
  /** Whether line ends in it are line ends; each new line begins with the margin. Else they are shown as `\n`. */
  readonly multiline?: boolean;
}

/** The target of the output: `process.stdout`, another stream, or a collector in a test. */
export interface TerminalOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width in characters. */
  readonly columns?: number;
  /** False once nothing more can be written. */
  readonly writable?: boolean;
}

/** Settings of a {@link TerminalWriter}. */
export interface TerminalWriterOptions {
  readonly output: TerminalOutput;
  /** @defaultValue what `FORCE_COLOR`, `NO_COLOR`, `TERM` and the output say */
  readonly color?: boolean | undefined;
  /** In characters; only the status line is cut to it. @defaultValue that of the output, else 80 */
  readonly width?: number | undefined;
  /** Where those variables are. @defaultValue process.env */
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

/** Prints whole lines, running text and a status line, and keeps them apart. */
export class TerminalWriter {
  readonly #output: TerminalOutput;
  readonly #color: boolean;
  readonly #redraw: boolean;
  readonly #width: number | undefined;
  readonly #running = new Map<string, VisibleTextStream>();
  /** The running text whose line is not ended yet. */
  #openLine: string | null = null;
  #status: { readonly text: string; readonly startTime: number } | null = null;
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

  /** Whether pieces get colours, so that a caller can save the work of finding out which. */
  get color(): boolean {
    return this.#color;
  }

  /** Prints one line; more when a piece is multiline, each of them after the first with the margin `nextMargin`. */
  line(margin: string, pieces: readonly Piece[], nextMargin: string = margin): void {
    this.#endLine();
    const [start, nextStart] = [margin, nextMargin].map((text) => this.#paint(visible(text), "muted"));
    const text = pieces.map((piece) => this.#render(piece, nextStart ?? "")).join("");
    this.#write(`${start}${text}\n`);
  }

  /** Prints the next piece of the running text `key`, on a line of its own when something else was printed since. */
  run(key: string, margin: string, text: string, style: TextStyle = "plain"): void {
    const stream = this.#running.get(key) ?? new VisibleTextStream({ newlines: true });
    this.#running.set(key, stream);
    this.#continueLine(key, margin, stream.push(text), style);
  }

  /** Ends the running text `key`: what was held back is printed, and its line ended. */
  endRun(key: string, margin: string, style: TextStyle = "plain"): void {
    const rest = this.#running.get(key)?.end() ?? "";
    this.#running.delete(key);
    this.#continueLine(key, margin, rest, style);
    if (this.#openLine === key) this.#endLine();
  }

  /** Says what is being waited for, on a terminal only; `null` when nothing is. */
  status(text: string | null): void {
    if (!this.#redraw || text === (this.#status?.text ?? null)) return;
    this.#eraseStatus();
    this.#status = text === null ? null : { text, startTime: performance.now() };
    clearInterval(this.#timer);
    if (text !== null) this.#timer = setInterval(() => this.#drawStatus(), statusIntervalMs).unref();
  }

  /** Erases the status line and ends an open line. */
  close(): void {
    this.status(null);
    this.#endLine();
  }

  #continueLine(key: string, margin: string, text: string, style: TextStyle): void {
    if (text === "") return;
    if (this.#openLine !== key) this.#endLine();
    const start = this.#paint(visible(margin), "muted");
    let output = "";
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) {
        output += this.#openLine === key ? "\n" : `${start}\n`;
        this.#openLine = null;
      }
      if (line === "") continue;
      output += (this.#openLine === key ? "" : start) + this.#paint(line, style);
      this.#openLine = key;
    }
    this.#write(output);
  }

  #endLine(): void {
    if (this.#openLine === null) return;
    this.#openLine = null;
    this.#write("\n");
  }

  #render({ text, style = "plain", multiline = false }: Piece, start: string): string {
    const lines = visible(text, { newlines: multiline }).split("\n");
    return lines.map((line) => this.#paint(line, style)).join(`\n${start}`);
  }

  #paint(text: string, style: TextStyle): string {
    if (!this.#color || text === "") return text;
    return formats[style].reduce((painted, format) => styled(format, painted), text);
  }

  #drawStatus(): void {
    // Only a line of its own can be erased; while running text stands on this one, its growth is the progress.
    if (this.#status === null || this.#openLine !== null) return;
    const seconds = Math.floor((performance.now() - this.#status.startTime) / 1000);
    const frame = statusFrames[this.#frame++ % statusFrames.length] ?? "";
    const text = `${frame} ${visible(this.#status.text)}${seconds > 0 ? ` ${seconds} s` : ""}`;
    this.#send(`\r\u001b[2K${this.#paint(cut(text, this.#columns() - 1), "muted")}`);
    this.#statusShown = true;
  }

  #eraseStatus(): void {
    if (!this.#statusShown) return;
    this.#statusShown = false;
    this.#send("\r\u001b[2K");
  }

  #columns(): number {
    return this.#width ?? this.#output.columns ?? 80;
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

/** Cut by code points; a wide character counts as two columns. */
function cut(text: string, columns: number): string {
  let used = 0;
  let kept = "";
  for (const character of text) {
    used +=
      /[\p{Extended_Pictographic}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u.test(
        character,
      )
        ? 2
        : 1;
    if (used > columns) return kept;
    kept += character;
  }
  return kept;
}
