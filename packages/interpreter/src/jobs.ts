// The guest's job queue: promise jobs in the order in which they were made. Nothing of it touches
// the host's microtasks, so the order is a function of the program and of the order in which host
// results arrive.
//
// A job is not an object of its own. It is a reaction and its arguments, in three slots of one
// array, which is reused once all its jobs have run.

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
  /** The promise that is settled when the reaction has run, where it is known. */
  readonly leadsTo?: PromiseSlots | undefined;
  /** The function of the program that it calls. */
  readonly calls?: unknown;
}

/** The function of the program that a reaction calls or continues. */
function placeOf({ calls, leadsTo }: PromiseReaction): Position | null {
  const body = leadsTo?.body;
  return functionSlots(calls)?.code.definedAt ?? (body ? { source: body.source, offset: body.node.start } : null);
}

const placesPerJob = 3;
// Places worked off are dropped when there are more of them, and no fewer than of the others.
const mostPlacesDone = 3 * 1024;

/** A queue of jobs of one realm. */
export class JobQueue {
  readonly #realm: Realm;
  /**
   * For each job: the reaction, whether it is called with a rejection, and the value or the reason.
   */
  #places: unknown[] = [];
  #next = 0;
  #end = 0;
  #ran = 0;

  constructor(realm: Realm) {
    this.#realm = realm;
  }

  /** Jobs that wait. */
  get size(): number {
    return (this.#end - this.#next) / placesPerJob;
  }

  /** Jobs that have begun, ever. */
  get ran(): number {
    return this.#ran;
  }

  /**
   * Adds a job at the end: a reaction to a promise that is fulfilled with, or rejected for,
   * `argument`.
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

  /** Adds a job that stands for no promise. `calls`: the function of the program that it calls. */
  enqueueCall(act: () => void, calls?: unknown): void {
    this.enqueue({ onFulfilled: act, onRejected: act, calls }, false, undefined);
  }

  /** The functions of the program that jobs which stand for no promise call. */
  callbacks(): readonly unknown[] {
    const waiting = this.#places.slice(this.#next, this.#end) as (PromiseReaction | undefined)[];
    return waiting.flatMap((reaction, place) =>
      place % placesPerJob === 0 && reaction && !reaction.leadsTo && reaction.calls ? [reaction.calls] : [],
    );
  }

  /**
   * Runs up to `count` jobs, those included that jobs add, but none after the `last`, as
   * {@link ran} counts them. Each is an operation.
   *
   * @returns whether the queue is empty
   * @throws Breach - the queue keeps what was not run; {@link clear} it
   */
  run(count: number = Number.POSITIVE_INFINITY, last: number = Number.POSITIVE_INFINITY): boolean {
    const { meter } = this.#realm;
    for (let done = 0; done < count && this.#next < this.#end && this.#ran < last; done++) {
      const places = this.#places;
      const next = this.#next;
      const reaction = places[next] as PromiseReaction; // the next three places are a job's
      const isRejection = places[next + 1];
      const argument = places[next + 2];
      places[next] = undefined;
      places[next + 2] = undefined;
      this.#next = next + placesPerJob;
      // Whoever caught what an earlier job threw may not know how deep it was thrown.
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
      if (this.#next >= mostPlacesDone && this.#next * 2 >= this.#end) this.#dropDone();
    }
    if (this.#next < this.#end) return false;
    this.#next = 0;
    this.#end = 0;
    return true;
  }

  /** Ends the execution at the job whose turn it is. */
  stop(reason: StopReason): never {
    const breach = new Breach(reason);
    const next = this.#places[this.#next] as PromiseReaction | undefined; // the first of a job's three places
    breach.position = next ? placeOf(next) : null;
    return this.#realm.meter.end(breach);
  }

  /** Forgets all jobs: nothing of an execution that was stopped may run in the next. */
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
