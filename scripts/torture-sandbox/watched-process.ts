// Runs programs in a process and watches it: how large it becomes, whether it dies, and when it
// must be killed.

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Mode, Observation, Program, ProgramReport } from "./program.ts";

const msBetweenLooks = 25;
const startMs = 60_000;
const msBetweenWatches = 1_000;
const maxSlowdown = 10;
const hangMsOfBlock = 3_000;

/** A process that runs programs one after the other. */
export class WatchedProcess {
  readonly #child: ChildProcess;
  readonly #hangMs: number;
  #highestMb = 0;
  #hear: (line: string) => void = () => {};
  #die: (why: string) => void = () => {};
  #death: string | null = null;

  /**
   * @param hangMs - the CPU time in ms that the process may use between two reports before it is
   *   killed. This limit is a little higher for each block of the program. The process is also
   *   killed after ten times as much real time.
   */
  constructor(node: string, script: string, mode: Mode, hangMs: number) {
    this.#hangMs = hangMs;
    this.#child = spawn(node, [script, mode], { stdio: ["pipe", "pipe", "ignore"] });
    // The cast is safe: stdout is a pipe.
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on("line", (line) => this.#hear(line));
    this.#child.stdin?.on("error", () => {}); // "exit" reports the end of the process
    this.#child.on("exit", (code, signal) => {
      this.#death ??= signal ?? `exit code ${code}`;
      this.#die(this.#death);
    });
  }

  /** Whether the process can run another program. */
  get isAlive(): boolean {
    return this.#death === null;
  }

  /** Waits until the process is ready. */
  async start(): Promise<void> {
    await this.#nextLine(startMs);
  }

  /** Runs a program. */
  async run(program: Program): Promise<Observation> {
    this.#highestMb = this.#residentMb();
    const looks = setInterval(() => this.#look(), msBetweenLooks);
    try {
      this.#child.stdin?.write(`${JSON.stringify(program)}\n`);
      const hangMs = this.#hangMs + program.blocks.length * hangMsOfBlock;
      // The cast is safe: run-programs.ts wrote the report.
      const report = JSON.parse(await this.#nextLine(hangMs)) as ProgramReport;
      this.#look();
      return { ...report, highestMb: this.#highestMb };
    } catch (error) {
      return { id: program.id, blocks: [], highestMb: this.#highestMb, death: (error as Error).message };
    } finally {
      clearInterval(looks);
    }
  }

  end(): void {
    this.#death ??= "it was ended";
    this.#child.kill("SIGKILL");
  }

  #nextLine(hangMs: number): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#death !== null) return reject(new Error(this.#death));
      const usedBeforeMs = this.#cpuMs();
      let waitedMs = 0;
      const timer = setInterval(() => {
        waitedMs += msBetweenWatches;
        // Also stop a process that uses no CPU time. On a busy machine the process gets only a part
        // of the real time, so only a fraction of the real time counts.
        const usedMs = Math.max(this.#cpuMs() - usedBeforeMs, waitedMs / maxSlowdown);
        if (usedMs < hangMs) return;
        this.#death = `no report after ${hangMs} ms`;
        this.end();
        this.#die(this.#death);
      }, msBetweenWatches);
      this.#hear = (line) => {
        clearInterval(timer);
        resolve(line);
      };
      this.#die = (why) => {
        clearInterval(timer);
        reject(new Error(why));
      };
    });
  }

  #look(): void {
    this.#highestMb = Math.max(this.#highestMb, this.#residentMb());
  }

  #cpuMs(): number {
    return cpuMs(this.#child.pid ?? 0);
  }

  #residentMb(): number {
    return residentMb(this.#child.pid ?? 0);
  }
}

/**
 * Returns the memory of a process and of the processes that it started, in MB; 0 if the system does
 * not report it.
 */
function residentMb(pid: number): number {
  try {
    const resident = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    const mb = Math.round(Number(resident?.[1] ?? 0) / 1_024);
    return Math.max(mb, ...(children === "" ? [] : children.split(" ").map((child) => residentMb(Number(child)))));
  } catch {
    return 0;
  }
}

// Linux reports CPU time in hundredths of a second.
const msOfTick = 10;

/**
 * Returns the CPU time of a process and of the processes that it started, in ms; 0 if the system
 * does not report it.
 */
function cpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Skip the process id and the program's name, which is in parentheses. The next field is the
    // state.
    const ticks = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 15)
      .map(Number);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    const own = ticks.reduce((sum, each) => sum + each, 0) * msOfTick;
    return children
      .split(" ")
      .filter(Boolean)
      .reduce((sum, child) => sum + cpuMs(Number(child)), own);
  } catch {
    return 0;
  }
}
