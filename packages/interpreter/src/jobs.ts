// The guest's job queue: promise jobs in the order in which they were made. Nothing of it touches the host's microtasks, so the order is
// a function of the program and of the order in which host results arrive.

import type { Realm } from "./realm/realm.ts";

/** One job; guest exceptions must have been turned into rejections inside. */
export type Job = () => void;

/** A queue of jobs of one realm. */
export class JobQueue {
  readonly #realm: Realm;
  #jobs: Job[] = [];
  #next = 0;
  #ran = 0;

  constructor(realm: Realm) {
    this.#realm = realm;
  }

  /** Jobs that wait. */
  get size(): number {
    return this.#jobs.length - this.#next;
  }

  /** Jobs that have begun, ever. */
  get ran(): number {
    return this.#ran;
  }

  /** Adds a job at the end. */
  enqueue(job: Job): void {
    this.#realm.meter.allocate(64);
    this.#jobs.push(job);
  }

  /**
   * Runs up to `count` jobs, those included that jobs add. Each is counted as an operation.
   *
   * @returns whether the queue is empty
   * @throws Breach - the queue keeps what was not run; {@link clear} it
   */
  run(count: number = Number.POSITIVE_INFINITY): boolean {
    for (let done = 0; done < count && this.#next < this.#jobs.length; done++) {
      const job = this.#jobs[this.#next++] as Job; // the index is below the length
      this.#realm.meter.charge(1);
      this.#ran++;
      job();
      if (this.#next === 1024) this.#dropDone();
    }
    if (this.size > 0) return false;
    this.clear();
    return true;
  }

  /** Forgets all jobs: nothing of an execution that was stopped may run in the next. */
  clear(): void {
    this.#jobs = [];
    this.#next = 0;
  }

  #dropDone(): void {
    this.#jobs = this.#jobs.slice(this.#next);
    this.#next = 0;
  }
}
