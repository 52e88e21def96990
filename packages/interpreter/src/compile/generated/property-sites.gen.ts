// Written by scripts/generate-property-sites.ts; do not edit.

import type { Frame } from "../../frame.ts";
import type { GuestObject } from "../../guest-value.ts";
import type { Evaluate, ReadMethod } from "../context.ts";
import type { Slow } from "./operators.gen.ts";

/**
 * How a property access gets its object: from a slot of the current frame or, if the slot is 0, by
 * evaluating.
 */
export interface ObjectOperand {
  readonly slot: number;
  readonly evaluate: Evaluate;
}

/** Reads from a value that is not an object. The frame is that of the code that reads. */
export type SlowRead = (value: unknown, frame: Frame) => unknown;

/** A store into a value that is not an object, or that the host refused. */
export interface SlowStore {
  readonly slow: (value: unknown, assigned: unknown) => void;
  readonly fail: (caught: unknown) => never;
}

/** A change of a value that is not an object, or a store that the host refused. */
export interface SlowChange {
  /** Called before a store that may add the property. */
  readonly note: (target: GuestObject) => void;
  readonly slow: (value: unknown, frame: Frame) => unknown;
  readonly fail: (caught: unknown) => never;
}

/** Makes closures that read a named property. */
export const readSites: readonly ((object: ObjectOperand, name: string, slow: SlowRead) => Evaluate)[] = /* @__PURE__ */ [read0, read1, read2, read3, read4, read5, read6, read7, read8, read9, read10, read11, read12, read13, read14, read15, read16, read17, read18, read19, read20, read21, read22, read23, read24, read25, read26, read27, read28, read29, read30, read31, read32, read33, read34, read35, read36, read37, read38, read39];

/** Makes closures that read a method of a value that has been evaluated. */
export const methodSites: readonly ((name: string, slow: SlowRead) => ReadMethod)[] = /* @__PURE__ */ [method0, method1, method2, method3, method4, method5, method6, method7, method8, method9, method10, method11, method12, method13, method14, method15, method16, method17, method18, method19, method20, method21, method22, method23, method24, method25, method26, method27, method28, method29, method30, method31, method32, method33, method34, method35, method36, method37, method38, method39];

/** Makes closures that store a named property. */
export const storeSites: readonly ((
  object: ObjectOperand,
  name: string,
  value: Evaluate,
  slow: SlowStore,
) => Evaluate)[] = /* @__PURE__ */ [store0, store1, store2, store3, store4, store5, store6, store7, store8, store9, store10, store11, store12, store13, store14, store15, store16, store17, store18, store19, store20, store21, store22, store23, store24, store25, store26, store27, store28, store29, store30, store31, store32, store33, store34, store35, store36, store37, store38, store39];

/**
 * Makes closures that read a named property, apply an operator to it and a value, and store the
 * result.
 */
export const changeSites: readonly ((
  object: Evaluate,
  name: string,
  apply: Slow,
  value: Evaluate,
  slow: SlowChange,
) => Evaluate)[] = /* @__PURE__ */ [change0, change1, change2, change3, change4, change5, change6, change7, change8, change9, change10, change11, change12, change13, change14, change15, change16, change17, change18, change19, change20, change21, change22, change23, change24, change25, change26, change27, change28, change29, change30, change31, change32, change33, change34, change35, change36, change37, change38, change39];

function read0({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read1({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read2({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read3({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read4({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read5({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read6({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read7({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read8({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read9({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read10({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read11({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read12({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read13({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read14({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read15({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read16({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read17({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read18({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read19({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read20({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read21({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read22({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read23({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read24({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read25({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read26({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read27({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read28({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read29({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read30({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read31({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read32({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read33({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read34({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read35({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read36({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read37({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read38({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function read39({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const value = evaluate(frame);
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
  }
  return (frame) => {
      const value = frame[slot];
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    };
}

function method0(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method1(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method2(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method3(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method4(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method5(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method6(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method7(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method8(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method9(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method10(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method11(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method12(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method13(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method14(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method15(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method16(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method17(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method18(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method19(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method20(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method21(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method22(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method23(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method24(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method25(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method26(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method27(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method28(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method29(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method30(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method31(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method32(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method33(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method34(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method35(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method36(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method37(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method38(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function method39(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}

function store0({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store1({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store2({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store3({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store4({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store5({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store6({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store7({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store8({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store9({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store10({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store11({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store12({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store13({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store14({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store15({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store16({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store17({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store18({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store19({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store20({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store21({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store22({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store23({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store24({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store25({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store26({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store27({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store28({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store29({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store30({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store31({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store32({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store33({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store34({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store35({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store36({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store37({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store38({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function store39({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return (frame) => {
      const target = evaluate(frame);
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
  }
  return (frame) => {
      const target = frame[slot];
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    };
}

function change0(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change1(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change2(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change3(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change4(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change5(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change6(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change7(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change8(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change9(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change10(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change11(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change12(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change13(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change14(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change15(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change16(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change17(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change18(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change19(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change20(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change21(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change22(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change23(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change24(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change25(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change26(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change27(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change28(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change29(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change30(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change31(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change32(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change33(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change34(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change35(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change36(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change37(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change38(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}

function change39(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
  return (frame) => {
    const target = object(frame);
    if (typeof target !== "object" || target === null) return slow(target, frame);
    const before = (target as GuestObject)[name];
    const after = apply(before, value(frame));
    try {
      if (before === undefined) note(target as GuestObject);
      (target as GuestObject)[name] = after;
    } catch (caught) {
      fail(caught);
    }
    return after;
  };
}
