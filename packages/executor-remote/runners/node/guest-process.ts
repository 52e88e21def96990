// Starts and kills the guest process for the supervisor, receives its messages and output, and
// measures its time and memory.

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Duplex } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { frameLine } from "../../src/frames.ts";
import { checkGuestMessage } from "./check-guest-message.ts";
import type { FromGuest, ToGuestBeside } from "./messages.ts";

/** Callbacks for a guest process. */
export interface GuestEvents {
  /** Called for each message, with the line from which it was read. */
  onMessage(message: FromGuest, line: string): void;
  onPrint(level: "log" | "error", text: string): void;
  /** Called if the process writes anything other than a valid message to its pipe. */
  onGarbage(why: string): void;
  onEnd(end: GuestEnd): void;
}

/** How and why a guest process ended. */
export interface GuestEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly isOutOfMemory: boolean;
}

const pageBytes = 4_096;
const clockTicksPerSecond = 100;

/** One guest process. */
export class GuestProcess {
  readonly #child: ChildProcess;
  readonly #pipe: Duplex;
  readonly #interrupt: Duplex;
  readonly #maxLineChars: number;
  readonly #events: GuestEvents;
  readonly #oomKillsBefore = oomKills();
  readonly #printers: Printer[];
  #partial: string[] = [];
  #partialChars = 0;
  #isHeapFull = false;
  #isOver = false;

  constructor(runnerUrl: string, maxLineChars: number, events: GuestEvents) {
    this.#events = events;
    this.#maxLineChars = maxLineChars;
    // With `--eval`, imports of the guest resolve like those of a file in the working directory.
    const program = `import { serveGuest } from ${JSON.stringify(runnerUrl)}; serveGuest((specifier) => import(specifier));`;
    this.#child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#pipe = this.#child.stdio[3] as Duplex;
    this.#interrupt = this.#child.stdio[4] as unknown as Duplex;
    this.#listen();
    this.#printers = [this.#printer("log"), this.#printer("error")];
    this.#raiseOomScore();
  }

  /** @param lastField - one more field for the end of the line, as JSON text */
  send(message: ToGuestBeside, lastField?: string): void {
    this.#pipe.write(frameLine(message, lastField), "latin1");
  }

  /** Stops the code that runs in the guest's main thread. The variables are kept. */
  interrupt(): void {
    this.#interrupt.write("!");
  }

  /** Kills the guest and its child processes. */
  kill(): void {
    if (this.#isOver) return;
    try {
      process.kill(-(this.#child.pid ?? Number.NaN), "SIGKILL");
    } catch {
      this.#child.kill("SIGKILL");
    }
  }

  /**
   * Pauses or resumes reading from the guest. While reading is paused, the guest has to wait once
   * its pipes are full.
   */
  setPaused(isPaused: boolean): void {
    for (const stream of [this.#pipe, this.#child.stdout, this.#child.stderr]) {
      if (isPaused) stream?.pause();
      else stream?.resume();
    }
  }

  /** Reports printed text that has no line break at its end. */
  flushPrints(): void {
    for (const printer of this.#printers) printer.flush();
  }

  /** The processor time used so far, in ms. 0 if the system does not report it. */
  get processorMs(): number {
    try {
      const fields = readFileSync(`/proc/${this.#child.pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
      return ((Number(fields[11]) + Number(fields[12])) * 1_000) / clockTicksPerSecond;
    } catch {
      return 0;
    }
  }

  /**
   * Whether all threads of the guest are waiting. A waiting guest needs no processor time. Also
   * true if the system does not report the state of the threads.
   */
  get isWaiting(): boolean {
    const tasks = `/proc/${this.#child.pid}/task`;
    try {
      return readdirSync(tasks).every((id) => readFileSync(`${tasks}/${id}/stat`, "latin1").includes(") S "));
    } catch {
      return true;
    }
  }

  /** The resident memory of the guest, in bytes. 0 if the system does not report it. */
  get memoryBytes(): number {
    try {
      return Number(readFileSync(`/proc/${this.#child.pid}/statm`, "latin1").split(" ")[1]) * pageBytes;
    } catch {
      return 0;
    }
  }

  /**
   * Makes the guest, and not the supervisor, the process that the system kills if the container
   * runs out of memory.
   */
  #raiseOomScore(): void {
    try {
      writeFileSync(`/proc/${this.#child.pid}/oom_score_adj`, "1000");
    } catch {
      // Only Linux has the file `oom_score_adj`, so an error does not matter.
    }
  }

  #listen(): void {
    // A guest writes ASCII. With latin1, any other bytes are kept unchanged.
    this.#pipe.setEncoding("latin1");
    this.#pipe.on("data", (text: string) => this.#take(text));
    this.#pipe.on("error", () => {});
    this.#interrupt.on("error", () => {});
    this.#pipe.on("end", () => this.kill());
    this.#child.on("error", (error) => this.#end(null, error.message));
    // "close" is emitted when all printed text was read. A child process of the guest may keep the
    // pipe open and so prevent "close". Therefore "exit" is handled, too.
    this.#child.on("close", (code, signal) => this.#end(code, signal));
    this.#child.on("exit", (code, signal) => {
      setTimeout(() => this.#end(code, signal), 100);
      this.kill();
    });
  }

  #end(code: number | null, signal: string | null): void {
    if (this.#isOver) return;
    this.kill();
    this.#isOver = true;
    this.flushPrints();
    const isKilledBySystem = signal === "SIGKILL" && oomKills() > this.#oomKillsBefore;
    this.#events.onEnd({ code, signal, isOutOfMemory: this.#isHeapFull || isKilledBySystem });
  }

  #take(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#partial.push(text.slice(start, end));
      const line = this.#partial.join("");
      this.#partial = [];
      this.#partialChars = 0;
      start = end + 1;
      this.#takeLine(line);
    }
    this.#partial.push(text.slice(start));
    this.#partialChars += text.length - start;
    if (this.#partialChars > this.#maxLineChars) this.#garbage("a message that is too large");
  }

  #takeLine(line: string): void {
    if (this.#isOver) return;
    const message = checkGuestMessage(line);
    if (message) this.#events.onMessage(message, line);
    else this.#garbage(JSON.stringify(line.slice(0, 100)));
  }

  #garbage(what: string): void {
    this.#isOver = true;
    this.#partial = [];
    this.#events.onGarbage(`the code wrote to the sandbox's own pipe: ${what}`);
  }

  #printer(level: "log" | "error"): Printer {
    const printer = new Printer((text) => {
      // V8's own report about a full heap is not shown to the model.
      if (text.includes("<--- Last few GCs --->") || text.includes("heap out of memory")) this.#isHeapFull = true;
      if (!this.#isHeapFull) this.#events.onPrint(level, text);
    });
    const stream = level === "log" ? this.#child.stdout : this.#child.stderr;
    stream?.on("data", (bytes: Buffer) => printer.take(bytes));
    return printer;
  }
}

const maxPrintChars = 65_536;

/** Splits printed bytes into lines. */
class Printer {
  readonly #decoder = new StringDecoder("utf8");
  readonly #print: (text: string) => void;
  #rest = "";

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  take(bytes: Buffer): void {
    this.#rest += this.#decoder.write(bytes);
    const end = this.#rest.lastIndexOf("\n");
    if (end >= 0) this.#print(this.#rest.slice(0, end));
    this.#rest = this.#rest.slice(end + 1);
    if (this.#rest.length > maxPrintChars) this.flush();
  }

  flush(): void {
    if (this.#rest !== "") this.#print(this.#rest);
    this.#rest = "";
  }
}

/**
 * How many processes of this container the system has killed because memory was full. 0 if the
 * system does not report it.
 */
function oomKills(): number {
  for (const path of ["/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"]) {
    try {
      return Number(/^oom_kill (\d+)$/m.exec(readFileSync(path, "latin1"))?.[1] ?? 0);
    } catch {
      // This system has no cgroups, or another version of cgroups.
    }
  }
  return 0;
}
