// The guest's process as the supervisor sees it: started, heard, measured, killed.

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Duplex } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { frameLine } from "../../src/frames.ts";
import { checkGuestMessage } from "./check-guest-message.ts";
import type { FromGuest, ToGuestBeside } from "./messages.ts";

/** A report of a guest process. */
export interface GuestEvents {
  /** A message, and the line that it was read from. */
  onMessage(message: FromGuest, line: string): void;
  onPrint(level: "log" | "error", text: string): void;
  /** It wrote something to its pipe that no guest writes. */
  onGarbage(why: string): void;
  onEnd(end: GuestEnd): void;
}

/** How a guest process ended. */
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
    // Evaluated code imports packages as a file in the working directory does.
    const program = `import { serveGuest } from ${JSON.stringify(runnerUrl)}; serveGuest((specifier) => import(specifier));`;
    this.#child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#pipe = this.#child.stdio[3] as Duplex;
    this.#interrupt = this.#child.stdio[4] as unknown as Duplex;
    this.#listen();
    this.#printers = [this.#printer("log"), this.#printer("error")];
    this.#dieFirst();
  }

  /** @param lastField - one more field, as text */
  send(message: ToGuestBeside, lastField?: string): void {
    this.#pipe.write(frameLine(message, lastField), "latin1");
  }

  /** Ends what the main thread of the guest computes; its variables stay. */
  interrupt(): void {
    this.#interrupt.write("!");
  }

  /** Kills the guest and its children. */
  kill(): void {
    if (this.#isOver) return;
    try {
      process.kill(-(this.#child.pid ?? Number.NaN), "SIGKILL");
    } catch {
      this.#child.kill("SIGKILL");
    }
  }

  /** Stops reading from the guest, so that it waits when its pipes are full. */
  setPaused(isPaused: boolean): void {
    for (const stream of [this.#pipe, this.#child.stdout, this.#child.stderr]) {
      if (isPaused) stream?.pause();
      else stream?.resume();
    }
  }

  /** Reports what was printed without a line break at its end. */
  flushPrints(): void {
    for (const printer of this.#printers) printer.flush();
  }

  /** Processor time used so far, in ms; 0 where the system does not tell. */
  get processorMs(): number {
    try {
      const fields = readFileSync(`/proc/${this.#child.pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
      return ((Number(fields[11]) + Number(fields[12])) * 1_000) / clockTicksPerSecond;
    } catch {
      return 0;
    }
  }

  /**
   * Whether all its threads wait for something, so that it wants no processor; true where the
   * system does not tell.
   */
  get isWaiting(): boolean {
    const tasks = `/proc/${this.#child.pid}/task`;
    try {
      return readdirSync(tasks).every((id) => readFileSync(`${tasks}/${id}/stat`, "latin1").includes(") S "));
    } catch {
      return true;
    }
  }

  /** Resident memory in bytes; 0 where the system does not tell. */
  get memoryBytes(): number {
    try {
      return Number(readFileSync(`/proc/${this.#child.pid}/statm`, "latin1").split(" ")[1]) * pageBytes;
    } catch {
      return 0;
    }
  }

  /**
   * When the container is out of memory, the system is to kill the guest and not the supervisor.
   */
  #dieFirst(): void {
    try {
      writeFileSync(`/proc/${this.#child.pid}/oom_score_adj`, "1000");
    } catch {
      // Only Linux has it.
    }
  }

  #listen(): void {
    // A guest writes ASCII. Whatever else comes keeps its bytes.
    this.#pipe.setEncoding("latin1");
    this.#pipe.on("data", (text: string) => this.#take(text));
    this.#pipe.on("error", () => {});
    this.#interrupt.on("error", () => {});
    this.#pipe.on("end", () => this.kill());
    this.#child.on("error", (error) => this.#end(null, error.message));
    // "close" comes after all that was printed; a child of the guest that lives on may hold it
    // back.
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
      // The engine's report of its end is not for the model.
      if (text.includes("<--- Last few GCs --->") || text.includes("heap out of memory")) this.#isHeapFull = true;
      if (!this.#isHeapFull) this.#events.onPrint(level, text);
    });
    const stream = level === "log" ? this.#child.stdout : this.#child.stderr;
    stream?.on("data", (bytes: Buffer) => printer.take(bytes));
    return printer;
  }
}

const longestPrintChars = 65_536;

/** Prints as lines. */
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
    if (this.#rest.length > longestPrintChars) this.flush();
  }

  flush(): void {
    if (this.#rest !== "") this.#print(this.#rest);
    this.#rest = "";
  }
}

/**
 * How many processes of this container were killed for want of memory; 0 where the system does not
 * tell.
 */
function oomKills(): number {
  for (const path of ["/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"]) {
    try {
      return Number(/^oom_kill (\d+)$/m.exec(readFileSync(path, "latin1"))?.[1] ?? 0);
    } catch {
      // The other version of control groups, or none.
    }
  }
  return 0;
}
