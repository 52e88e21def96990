// Plays a run file. Nothing in the file is run or sent. The log keeps only the whole text of a
// model's answer. So the player splits the text into pieces, and shows them over the time that the
// answer took.

import { type DurableEvent, type EventOf, type RunEvent, textOf } from "@smolts/protocol";
import { createSessionFold, foldSession, type SessionFold, type SessionView } from "./fold/session-view.ts";
import { thoughtBefore } from "./fold/thought.ts";
import { type RunFile, readRunFile } from "./run-file.ts";

/** A run file, shown at one point in its time. */
export interface Replay {
  readonly name: string;
  readonly file: RunFile;
  /** The view at the end of the run. It also contains everything that has not been played yet. */
  readonly whole: SessionView;
  readonly startTime: number;
  readonly endTime: number;
  /** The shown moment, in epoch ms. */
  readonly time: number;
  readonly view: SessionView;
  readonly isPlaying: boolean;
  readonly speed: number;
  /** Moves to a time, in epoch ms. */
  seek(time: number): void;
  play(isPlaying: boolean): void;
  setSpeed(speed: number): void;
  close(): void;
}

/** Opens the text of a run file. */
export function openReplay(name: string, text: string, onChange: () => void): Replay {
  return new Player(name, readRunFile(text), onChange);
}

/** The longest wait while playing, in ms. Longer waits are shortened. */
const maxWaitMs = 2_500;
const pieceMs = 50;

class Player implements Replay {
  readonly name: string;
  readonly file: RunFile;
  readonly whole: SessionView;
  readonly startTime: number;
  readonly endTime: number;
  speed = 1;
  isPlaying = false;
  time: number;
  readonly #events: readonly RunEvent[];
  /** The time at which each event is shown. No event is shown before an earlier one. */
  readonly #times: readonly number[];
  readonly #onChange: () => void;
  #fold: SessionFold = createSessionFold();
  #next = 0;
  #frame = 0;

  constructor(name: string, file: RunFile, onChange: () => void) {
    this.name = name;
    this.file = file;
    this.#onChange = onChange;
    this.whole = foldSession(file.events);
    this.#events = withDeltas(file.events);
    let clock = 0;
    this.#times = this.#events.map(({ time }) => {
      clock = Math.max(clock, time);
      return clock;
    });
    this.startTime = this.#times[0] ?? 0;
    this.endTime = this.#times.at(-1) ?? this.startTime;
    this.time = this.endTime;
    this.seek(this.endTime);
  }

  get view(): SessionView {
    return this.#fold.view;
  }

  seek(time: number): void {
    const wanted = Math.min(this.endTime, Math.max(this.startTime, time));
    if (wanted < this.time) {
      this.#fold = createSessionFold();
      this.#next = 0;
    }
    this.time = wanted;
    while (this.#next < this.#events.length && this.#times[this.#next]! <= wanted) {
      this.#fold.add(this.#events[this.#next]!);
      this.#next++;
    }
    this.#onChange();
  }

  play(isPlaying: boolean): void {
    cancelAnimationFrame(this.#frame);
    this.isPlaying = isPlaying;
    if (isPlaying && this.time >= this.endTime) this.seek(this.startTime);
    if (isPlaying) this.#run(performance.now());
    this.#onChange();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.#onChange();
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.isPlaying = false;
  }

  #run(last: number): void {
    this.#frame = requestAnimationFrame((now) => {
      if (!this.isPlaying) return;
      const next = this.#times[this.#next];
      let time = this.time + Math.min(100, now - last) * this.speed;
      if (next !== undefined && next - this.time > maxWaitMs * this.speed) time = next - 400 * this.speed;
      this.seek(time);
      if (this.time >= this.endTime) this.isPlaying = false;
      if (this.isPlaying) this.#run(now);
      this.#onChange();
    });
  }
}

/**
 * Adds deltas to the events: the text of each model answer in pieces, from its start to its end.
 */
export function withDeltas(events: readonly DurableEvent[]): readonly RunEvent[] {
  const codes = new Map<string, string>();
  for (const event of events) if (event.type === "code-start") codes.set(stepKey(event), event.code);
  const all: { readonly event: RunEvent; readonly time: number; readonly place: number }[] = [];
  const began = new Map<string, number>();
  let clock = 0;
  for (const [place, event] of events.entries()) {
    // Keep the events in the order of the log, even if a time in the log is earlier than the time
    // before it. Pieces of agents that worked at the same time are ordered by time.
    clock = Math.max(clock, event.time);
    if (event.type === "step-start") began.set(stepKey(event), clock);
    if (event.type === "model-response") {
      const from = began.get(stepKey(event)) ?? clock;
      for (const piece of pieces(event, codes.get(stepKey(event)) ?? null))
        all.push({ event: piece, time: Math.min(clock, Math.max(from, piece.time)), place: place - 0.5 });
    }
    all.push({ event, time: clock, place });
  }
  return all.sort((left, right) => left.time - right.time || left.place - right.place).map(({ event }) => event);
}

const stepKey = ({ runId, path, stepNumber }: EventOf<"code-start" | "model-response" | "step-start">): string =>
  `${runId}/${path.join("/")}/${stepNumber}`;

function pieces(event: EventOf<"model-response">, code: string | null): readonly RunEvent[] {
  const { timing, runId, path, stepNumber, seq } = event;
  const lengthMs = timing.endTime - timing.startTime;
  const thought = thoughtBefore(textOf(event.message), code);
  const total = thought.length + (code?.length ?? 0);
  const count = Math.min(400, Math.floor(lengthMs / pieceMs));
  if (count < 4 || total === 0) return [];
  const at = { runId, path, seq: seq - 1, stepNumber };
  const deltas: RunEvent[] = [];
  // Assume that the model writes nothing in the first 15 % of its answer's time.
  const [size, quiet] = [Math.ceil(total / count), lengthMs * 0.15];
  for (let from = 0; from < total; from += size) {
    const time = timing.startTime + quiet + (from / total) * (lengthMs - quiet);
    const text = thought.slice(from, from + size);
    const rest = code?.slice(Math.max(0, from - thought.length), Math.max(0, from + size - thought.length)) ?? "";
    if (text !== "") deltas.push({ ...at, time, type: "text-delta", text });
    if (rest !== "") deltas.push({ ...at, time, type: "code-delta", text: rest });
  }
  return deltas;
}
