// The guest's job queue: promise jobs in the order in which they were created. It does not use the
// host's microtasks, so the order depends only on the program and on the order in which host
// results arrive.
//
// A job is not a separate object. It is three entries of one array: a reaction and its arguments.
// The array is reused once all its jobs have run.

import type { StopReason } from "@smolts/protocol";
import { functionSlots } from "./function-object.ts";
import type { Position } from "./guest-throw.ts";
import { Breach } from "./limits.ts";
import type { PromiseSlots } from "./operations/promise.ts";
import type { Realm } from "./realm/realm.ts";

/**
 * A function to run when a promise settles. It must turn guest exceptions into rejections itself.
 */
export interface PromiseReaction {
  onFulfilled(value: unknown): void;
  onRejected(reason: unknown): void;
  /**
   * The promise that is settled after the reaction has run; undefined if that promise is unknown.
   */
  readonly leadsTo?: PromiseSlots | undefined;
  /** The guest function that the reaction calls. */
  readonly calls?: unknown;
  /** Other values that the reaction keeps in memory: see `Slots.held`. */
  readonly held?: readonly unknown[];
}

/** Returns the source position of the guest function that a reaction calls or continues. */
function placeOf({ calls, leadsTo }: PromiseReaction): Position | null {
  const body = leadsTo?.body;
  return functionSlots(calls)?.code.definedAt ?? (body ? { source: body.source, offset: body.node.start } : null);
}

const placesPerJob = 3;
// The queue keeps finished entries until there are at least this many, and at least as many as
// waiting entries. Removing them means copying the waiting entries, so it must not happen often.
const maxFinishedEntries = 3 * 1024;

/** The queue of jobs of one realm. */
export class JobQueue {
  readonly #realm: Realm;
  /**
   * Three entries for each job: the reaction, whether the promise was rejected, and the value or
   * the reason.
   */
  #places: unknown[] = [];
  #next = 0;
  #end = 0;
  #ran = 0;

  constructor(realm: Realm) {
    this.#realm = realm;
  }

  /** The number of jobs that wait. */
  get size(): number {
    return (this.#end - this.#next) / placesPerJob;
  }

  /** The number of jobs that have begun since the queue was created. */
  get ran(): number {
    return this.#ran;
  }

  /**
   * Adds a job at the end: a reaction to a promise that was fulfilled with `argument`, or rejected
   * with it.
   */
  enqueue(reaction: PromiseReaction, isRejection: boolean, argument: unknown): void {
    this.#realm.meter.allocate(64);
    const places = this.#places;
    const end = this.#end;
    this.#end = end + placesPerJob;
    if (end === places.length) places.push(reaction, isRejection, argument);
    else {
      places[end] = reaction;
      places[end + 1] = isRejection;
      places[end + 2] = argument;
    }
  }

  /** Adds a job that does not belong to a promise. `calls` is the guest function that it calls. */
  enqueueCall(act: () => void, calls?: unknown): void {
    this.enqueue({ onFulfilled: act, onRejected: act, calls }, false, undefined);
  }

  /**
   * Returns the guest functions that waiting jobs will call. Leaves out jobs that belong to a
   * promise.
   */
  callbacks(): readonly unknown[] {
    const waiting = this.#places.slice(this.#next, this.#end) as (PromiseReaction | undefined)[];
    return waiting.flatMap((reaction, place) =>
      place % placesPerJob === 0 && reaction && !reaction.leadsTo && reaction.calls ? [reaction.calls] : [],
    );
  }

  /**
   * Runs up to `count` jobs, including jobs that these jobs add. Stops early once {@link ran} has
   * reached `last`. Each job counts as an operation.
   *
   * @returns whether the queue is empty
   * @throws Breach - if a limit is reached. The other jobs stay in the queue until {@link clear}
   */
  run(count: number = Number.POSITIVE_INFINITY, last: number = Number.POSITIVE_INFINITY): boolean {
    const { meter } = this.#realm;
    for (let done = 0; done < count && this.#next < this.#end && this.#ran < last; done++) {
      const places = this.#places;
      const next = this.#next;
      const reaction = places[next] as PromiseReaction; // each job has three entries
      const isRejection = places[next + 1];
      const argument = places[next + 2];
      places[next] = undefined;
      places[next + 2] = undefined;
      this.#next = next + placesPerJob;
      // An earlier job that threw may have left the depth of calls too high.
      meter.depth = 0;
      meter.charge(1);
      this.#ran++;
      try {
        if (isRejection) reaction.onRejected(argument);
        else reaction.onFulfilled(argument);
      } catch (caught) {
        if (caught instanceof Breach) caught.position ??= placeOf(reaction);
        throw caught;
      }
      if (this.#next >= maxFinishedEntries && this.#next * 2 >= this.#end) this.#dropDone();
    }
    if (this.#next < this.#end) return false;
    this.#next = 0;
    this.#end = 0;
    return true;
  }

  /** Ends the execution at the job that would run next. */
  stop(reason: StopReason): never {
    const breach = new Breach(reason);
    const next = this.#places[this.#next] as PromiseReaction | undefined; // the first of the three entries of a job
    breach.position = next ? placeOf(next) : null;
    return this.#realm.meter.end(breach);
  }

  /** Removes all jobs. Jobs of a stopped execution must not run in the next one. */
  clear(): void {
    this.#places = [];
    this.#next = 0;
    this.#end = 0;
  }

  #dropDone(): void {
    this.#places = this.#places.slice(this.#next, this.#end);
    this.#end -= this.#next;
    this.#next = 0;
  }
}
