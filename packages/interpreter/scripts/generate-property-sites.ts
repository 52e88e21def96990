// Writes src/compile/generated/property-sites.gen.ts: copies of the closures that read and store
// named properties. The host's engine keeps its statistics about a property access for each place
// in our source. If one place serves all names of all programs, the statistics are useless. So each
// name gets its own copy, until there are no more copies (property-sites.ts). `pnpm generate` runs
// this script. The result is committed and never edited by hand.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const copies = 40;

/**
 * The code that gets the object: from a slot of the current frame, or by evaluating an expression.
 */
const objectFrom = { slot: "frame[slot]", evaluate: "evaluate(frame)" } as const;

function readSite(index: number): string {
  const closure = (object: string): string => `(frame) => {
      const value = ${object};
      return typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
    }`;
  return `function read${index}({ slot, evaluate }: ObjectOperand, name: string, slow: SlowRead): Evaluate {
  if (slot === 0) {
    return ${closure(objectFrom.evaluate)};
  }
  return ${closure(objectFrom.slot)};
}
`;
}

function methodSite(index: number): string {
  return `function method${index}(name: string, slow: SlowRead): ReadMethod {
  return (frame, value) =>
    typeof value === "object" && value !== null ? (value as GuestObject)[name] : slow(value, frame);
}
`;
}

function storeSite(index: number): string {
  const closure = (object: string): string => `(frame) => {
      const target = ${object};
      const assigned = value(frame);
      if (typeof target === "object" && target !== null) {
        try {
          (target as GuestObject)[name] = assigned;
        } catch (caught) {
          fail(caught);
        }
      } else slow(target, assigned);
      return assigned;
    }`;
  return `function store${index}({ slot, evaluate }: ObjectOperand, name: string, value: Evaluate, { slow, fail }: SlowStore): Evaluate {
  if (slot === 0) {
    return ${closure(objectFrom.evaluate)};
  }
  return ${closure(objectFrom.slot)};
}
`;
}

function changeSite(index: number): string {
  return `function change${index}(object: Evaluate, name: string, apply: Slow, value: Evaluate, { note, slow, fail }: SlowChange): Evaluate {
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
`;
}

const indices = Array.from({ length: copies }, (_copy, index) => index);
const list = (name: string): string => `[${indices.map((index) => `${name}${index}`).join(", ")}]`;

const text = `// Written by scripts/generate-property-sites.ts; do not edit.

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
export const readSites: readonly ((object: ObjectOperand, name: string, slow: SlowRead) => Evaluate)[] = /* @__PURE__ */ ${list("read")};

/** Makes closures that read a method of a value that has been evaluated. */
export const methodSites: readonly ((name: string, slow: SlowRead) => ReadMethod)[] = /* @__PURE__ */ ${list("method")};

/** Makes closures that store a named property. */
export const storeSites: readonly ((
  object: ObjectOperand,
  name: string,
  value: Evaluate,
  slow: SlowStore,
) => Evaluate)[] = /* @__PURE__ */ ${list("store")};

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
) => Evaluate)[] = /* @__PURE__ */ ${list("change")};

${indices.map(readSite).join("\n")}
${indices.map(methodSite).join("\n")}
${indices.map(storeSite).join("\n")}
${indices.map(changeSite).join("\n")}`;

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
writeFileSync(join(folder, "src/compile/generated/property-sites.gen.ts"), text);
