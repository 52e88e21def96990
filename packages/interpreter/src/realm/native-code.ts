// The FunctionCode of built-in functions. (The compiler makes the one of guest functions.)

import type { FunctionCode, Native, NativeConstruct } from "../function-object.ts";
import { FunctionSlots, functionName } from "../function-object.ts";
import { throwTypeError } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import type { PropertyKeyValue } from "../operations/property.ts";

/** The code of a built-in function. */
export class NativeCode implements FunctionCode {
  readonly name: PropertyKeyValue;
  readonly length: number;
  readonly construct: "none" | "base";
  readonly isClass: boolean;
  readonly prototypeProperty = "none";
  readonly native: Native | null;
  readonly nativeConstruct: NativeConstruct | null;
  readonly step: FunctionCode["step"];
  size = 0;
  parameterCount = 0;
  simple = false;
  simpleConstruct = false;
  thisSlot = 0;
  storesSelfOrHome = false;
  homeSlot = 0;
  selfSlot = 0;
  newTargetSlot = 0;
  readonly meter: Meter;
  readonly definedAt = null;
  readonly node = null;
  readonly #sourceText: (() => string) | null;

  constructor(
    meter: Meter,
    name: PropertyKeyValue,
    length: number,
    native: Native | null,
    nativeConstruct: NativeConstruct | null,
    isClass: boolean,
    sourceText: (() => string) | null = null,
    step: FunctionCode["step"] = null,
  ) {
    this.meter = meter;
    this.#sourceText = sourceText;
    this.step = step;
    this.name = name;
    this.length = length;
    this.native = native;
    this.nativeConstruct = nativeConstruct;
    this.construct = nativeConstruct ? "base" : "none";
    this.isClass = isClass;
  }

  sourceText(): string {
    if (this.#sourceText) return this.#sourceText();
    return `function ${functionName(this.name)}() { [native code] }`;
  }

  warm(): void {}

  run(): unknown {
    throw new Error("a built-in has no body to run");
  }

  enter(
    _slots: FunctionSlots,
    thisValue: unknown,
    args: readonly unknown[],
    newTarget: GuestObject | undefined,
  ): unknown {
    this.meter.charge(2);
    if (newTarget !== undefined) {
      if (!this.nativeConstruct) return throwTypeError(`${functionName(this.name)} is not a constructor`);
      return this.nativeConstruct(newTarget, ...args);
    }
    if (!this.native) return throwTypeError(`"${functionName(this.name)}" must be called with new`);
    return this.native(thisValue, ...args);
  }
}

/** Creates the slots of Function.prototype, which is a function itself. */
export function functionPrototypeSlots(self: GuestObject, meter: Meter): FunctionSlots {
  const slots = new FunctionSlots(new NativeCode(meter, "", 0, () => undefined, null, false), null, self);
  slots.settled = true;
  for (const [key, value] of [
    ["length", 0],
    ["name", ""],
  ] as const) {
    Object.defineProperty(self, key, { value, writable: false, enumerable: false, configurable: true });
  }
  return slots;
}
