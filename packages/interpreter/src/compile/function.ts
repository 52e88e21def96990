// Creates closures from function literals. All closures of one literal share one GuestCode. The
// function's body is compiled at the first call.

import type { Expression, Function as FunctionNode, Node, Pattern } from "acorn";
import { hasOnlyNames, movesArguments } from "../analyse/parameters.ts";
import { callNames, type Scope } from "../analyse/scope.ts";
import { uninitialized } from "../bindings.ts";
import type { Frame } from "../frame.ts";
import { type FunctionCode, type FunctionKind, type FunctionSlots, functionName } from "../function-object.ts";
import { type Position, throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import { NestingBreach } from "../nesting-breach.ts";
import { argumentsObject, remainingArguments } from "../operations/arguments-object.ts";
import { startAsyncGenerator } from "../operations/async-generator.ts";
import { derivedResult, openFrame, ordinaryCreateFromConstructor, refillIn } from "../operations/call.ts";
import { startGenerator } from "../operations/generator.ts";
import type { PropertyKeyValue } from "../operations/property.ts";
import { requireStack } from "../stack-room.ts";
import { compileAsyncBody, rejectedCall } from "./async.ts";
import { type Context, type Evaluate, inside } from "./context.ts";
import { compileBody } from "./function-body.ts";
import { freshBody, Heat } from "./hot-spot.ts";
import { timed } from "./long-code.ts";
import { located } from "./operators.ts";
import { initializePattern } from "./pattern.ts";
import { suspendBody } from "./suspend/list.ts";
import type { Store } from "./variable.ts";

/** The properties of a function that do not follow from its literal alone. */
export interface FunctionForm {
  readonly name?: string;
  readonly construct?: "none" | "base" | "derived";
  readonly isClass?: boolean;
  readonly isMethod?: boolean;
  /**
   * The class or method whose text `toString` returns. Absent if `toString` returns the text of the
   * literal itself.
   */
  readonly textNode?: Node;
}

/** Compiles a function expression, arrow function or hoisted declaration. */
export function compileFunction(context: Context, node: FunctionNode, form: FunctionForm): Evaluate {
  const code = functionCode(context, node, form);
  const { realm } = context;
  const { kind } = code;
  return (frame) => realm.newFunction(code, frame, kind).self;
}

/**
 * Creates a method. In the method, `super` starts at the prototype of `home`. The name of the
 * method comes from `key`.
 */
export type MakeMethod = (frame: Frame, home: GuestObject, key: PropertyKeyValue) => GuestObject;

/** Compiles a method, getter or setter. */
export function compileMethod(
  context: Context,
  node: Expression,
  kind: "method" | "get" | "set",
  textNode?: Node,
): MakeMethod {
  const literal = node as unknown as FunctionNode; // a method is a function expression
  const code = functionCode(context, literal, { isMethod: true, textNode: textNode ?? node });
  const { realm } = context;
  return (frame, home, key) => {
    const slots = realm.newFunction(code, frame, code.kind);
    slots.homeObject = home;
    slots.givenName = kind === "method" ? key : functionName(key, kind);
    return slots.self;
  };
}

/** Creates the code of a function literal. */
export function functionCode(context: Context, node: FunctionNode, form: FunctionForm): GuestCode {
  return new GuestCode(context, node, form);
}

/** The code that all closures of a function literal share. */
class GuestCode implements FunctionCode {
  readonly name: string;
  readonly length: number;
  readonly kind: FunctionKind;
  readonly construct: "none" | "base" | "derived";
  readonly isClass: boolean;
  readonly prototypeProperty: FunctionCode["prototypeProperty"];
  readonly native = null;
  readonly meter: Meter;
  readonly nativeConstruct = null;
  readonly step = null;
  size = 1;
  parameterCount = 0;
  simple = false;
  simpleConstruct = false;
  thisSlot = 0;
  storesSelfOrHome = false;
  homeSlot = 0;
  selfSlot = 0;
  newTargetSlot = 0;
  run: (frame: Frame) => unknown = notCompiled;
  readonly #heat = new Heat();
  readonly #context: Context;
  readonly #node: FunctionNode;
  readonly #textNode: Node;
  readonly #scope: Scope;
  #isCompiled = false;
  #sourceText: string | null = null;
  #argumentsSlot = 0;
  #bind: ((frame: Frame, args: readonly unknown[]) => void) | null = null;

  constructor(context: Context, node: FunctionNode, form: FunctionForm) {
    const isArrow = node.type === "ArrowFunctionExpression";
    this.kind = kindOf(node);
    this.meter = context.meter;
    this.name = node.id?.name ?? form.name ?? "";
    this.length = expectedArguments(node.params);
    this.construct = form.construct ?? (isArrow || form.isMethod || this.kind !== "normal" ? "none" : "base");
    this.isClass = form.isClass ?? false;
    this.prototypeProperty = prototypePropertyOf(this.kind, this.construct, this.isClass);
    this.#node = node;
    this.#textNode = form.textNode ?? node;
    this.#context = {
      ...inside(context, node),
      functionKind: this.kind,
      onValue: null,
      evaluated: noNodes,
    };
    this.#scope = this.#context.scope;
  }

  get definedAt(): Position {
    return { source: this.#context.source, offset: this.#textNode.start };
  }

  get node(): Node {
    return this.#node;
  }

  sourceText(): string {
    this.#sourceText ??= this.#readSourceText();
    return this.#sourceText;
  }

  #readSourceText(): string {
    const text = this.#context.source.text.slice(this.#textNode.start, this.#textNode.end);
    requireStack();
    const { static: isStatic } = this.#textNode as Node & { readonly static?: boolean }; // methods and accessors have this property
    return isStatic ? text.replace(/^static(?:\s|\/\*[\s\S]*?\*\/|\/\/.*)*/, "") : text;
  }

  enter(
    slots: FunctionSlots,
    thisValue: unknown,
    args: readonly unknown[],
    newTarget: GuestObject | undefined,
  ): unknown {
    if (!this.#isCompiled) this.#compile();
    const { meter } = this;
    if (--meter.left < 0) this.warm(refillIn(meter, this));
    if (++meter.depth > meter.maxDepth) meter.end(new NestingBreach(this));
    const result =
      newTarget === undefined ? this.#call(slots, thisValue, args) : this.#construct(slots, args, newTarget);
    meter.depth--;
    return result;
  }

  warm(operations: number): void {
    if (this.#heat.becomesHot(operations)) this.run = freshBody(this.run);
  }

  #call(slots: FunctionSlots, thisValue: unknown, args: readonly unknown[]): unknown {
    if (this.isClass)
      return throwTypeError(`class "${functionName(slots.givenName ?? this.name)}" must be called with new`);
    const frame = openFrame(slots, thisValue);
    if (this.kind === "async") return this.#startAsync(frame, args);
    this.#bindArguments(frame, args);
    return this.run(frame);
  }

  /**
   * Starts a call of an async function. An exception from the arguments rejects the promise, like
   * one from the body.
   */
  #startAsync(frame: Frame, args: readonly unknown[]): unknown {
    const { depth } = this.meter;
    try {
      this.#bindArguments(frame, args);
    } catch (caught) {
      const promise = rejectedCall(this.#context.realm, caught);
      this.meter.depth = depth;
      return promise;
    }
    return this.run(frame);
  }

  #construct(slots: FunctionSlots, args: readonly unknown[], newTarget: GuestObject): GuestObject {
    if (this.construct === "derived") return this.#constructDerived(slots, args, newTarget);
    const instance = ordinaryCreateFromConstructor(this.#context.realm, newTarget, "ObjectPrototype");
    slots.instances?.initializeFields?.(instance);
    const frame = openFrame(slots, instance);
    if (this.newTargetSlot !== 0) frame[this.newTargetSlot] = newTarget;
    this.#bindArguments(frame, args);
    const result = this.run(frame);
    return isObject(result) ? result : instance;
  }

  #constructDerived(slots: FunctionSlots, args: readonly unknown[], newTarget: GuestObject): GuestObject {
    const frame = openFrame(slots, uninitialized);
    if (this.newTargetSlot !== 0) frame[this.newTargetSlot] = newTarget;
    this.#bindArguments(frame, args);
    return derivedResult(this, frame, this.run(frame));
  }

  #bindArguments(frame: Frame, args: readonly unknown[]): void {
    if (this.#argumentsSlot !== 0) frame[this.#argumentsSlot] = argumentsObject(this.#context.realm, args);
    if (this.#bind) return this.#bind(frame, args);
    const count = Math.min(args.length, this.parameterCount);
    for (let index = 0; index < count; index++) frame[index + 1] = args[index];
  }

  #compile(): void {
    const node = this.#node;
    const scope = this.#scope;
    this.#findCallSlots(node, scope);
    const hasArgumentsInFrame = hasOnlyNames(node) || movesArguments(node);
    this.#bind = hasArgumentsInFrame ? null : timed(this.meter, node, compileParameters(this.#context, node.params));
    this.parameterCount = node.params.length;
    const bodyContext =
      this.#context.analysis.scopes.has(node.body) && isSeparateBody(this.#context, node)
        ? inside(this.#context, node.body)
        : this.#context;
    this.run = timed(this.meter, node, this.#compileRun(bodyContext, node, scope));
    this.size = scope.size;
    const storesOnly = this.#bind === null && this.#argumentsSlot === 0;
    this.simple = storesOnly && !this.isClass;
    this.simpleConstruct = storesOnly && this.construct !== "none";
    this.#isCompiled = true;
  }

  /**
   * Compiles the second part of a call, which runs after the arguments were stored. The closure
   * returns the body's value. For an async function it returns the promise, and for a generator
   * function the generator object.
   */
  #compileRun(context: Context, node: FunctionNode, scope: Scope): FunctionCode["run"] {
    const { realm } = context;
    switch (this.kind) {
      case "normal": {
        const body = compileBody(context, node, scope);
        return movesArguments(node) ? afterArguments(this.#context, node.params, body) : body;
      }
      case "async":
        return compileAsyncBody(context, node, scope);
      case "generator": {
        const { selfSlot } = this;
        const body = suspendBody(context, node, scope);
        return (frame) => startGenerator(realm, frame[selfSlot] as GuestObject, frame, body(frame)); // every call stores the function in this slot
      }
      case "async-generator": {
        const { selfSlot } = this;
        const body = suspendBody(context, node, scope);
        return (frame) => startAsyncGenerator(realm, frame[selfSlot] as GuestObject, frame, body(frame)); // every call stores the function in this slot
      }
      default:
        return this.kind satisfies never;
    }
  }

  /** Finds the slots where the frame stores `this`, the function and similar values. */
  #findCallSlots(node: FunctionNode, scope: Scope): void {
    const { variables } = scope;
    const slotOf = (name: string): number => variables.get(name)?.slot ?? 0;
    const argumentsVariable = variables.get(callNames.arguments);
    this.#argumentsSlot = argumentsVariable?.kind === "implicit" ? argumentsVariable.slot : 0;
    this.thisSlot = slotOf(callNames.this);
    if (node.type === "ArrowFunctionExpression") return;
    this.homeSlot = slotOf(callNames.home);
    this.newTargetSlot = slotOf(callNames.newTarget);
    const selfVariable = node.type === "FunctionExpression" && node.id ? variables.get(node.id.name) : undefined;
    // The slot in which the function itself is stored. A named function expression has a variable
    // of its own name for this. Otherwise it is the slot of `callNames.function`, which only class
    // constructors use.
    this.selfSlot = selfVariable?.kind === "self" ? selfVariable.slot : slotOf(callNames.function);
    // The generator object gets its prototype from the function, so the frame must contain the
    // function.
    if (this.kind === "generator" || this.kind === "async-generator") this.selfSlot ||= scope.newTemporary();
    this.storesSelfOrHome = this.homeSlot !== 0 || this.selfSlot !== 0;
  }
}

const noNodes: Context["evaluated"] = new Map();

function notCompiled(): never {
  throw new Error("a function ran before it was compiled");
}

function kindOf({ async, generator }: FunctionNode): FunctionKind {
  if (async) return generator ? "async-generator" : "async";
  return generator ? "generator" : "normal";
}

function prototypePropertyOf(
  kind: FunctionKind,
  construct: string,
  isClass: boolean,
): FunctionCode["prototypeProperty"] {
  if (kind === "generator" || kind === "async-generator") return kind;
  return construct === "none" || isClass ? "none" : "constructor"; // a class defines its own `prototype`
}

/**
 * Returns the `length` of a function: the number of parameters before the first one that is a rest
 * parameter or has a default value.
 */
function expectedArguments(params: readonly Pattern[]): number {
  const index = params.findIndex(({ type }) => type === "AssignmentPattern" || type === "RestElement");
  return index < 0 ? params.length : index;
}

/** Says whether the body and the parameters have different scopes. */
function isSeparateBody({ analysis }: Context, { body }: FunctionNode): boolean {
  return analysis.scopes.get(body)?.kind === "body";
}

/** Moves the arguments from the first slots of the frame to the parameters, then runs the body. */
function afterArguments(context: Context, params: readonly Pattern[], body: FunctionCode["run"]): FunctionCode["run"] {
  const stores = params.map((pattern) => initializePattern(context, pattern));
  const marked = slotsToMark(context);
  return (frame) => {
    for (let index = 0; index < marked.length; index++) frame[marked[index] as number] = uninitialized;
    for (let index = 0; index < stores.length; index++) {
      try {
        (stores[index] as Store)(frame, frame[index + 1]);
      } catch (caught) {
        throw located(context, caught, params[index] as Pattern);
      }
    }
    return body(frame);
  };
}

function compileParameters(
  context: Context,
  params: readonly Pattern[],
): (frame: Frame, args: readonly unknown[]) => void {
  const stores = params.map((pattern) =>
    initializePattern(context, pattern.type === "RestElement" ? pattern.argument : pattern),
  );
  const restIndex = params.at(-1)?.type === "RestElement" ? params.length - 1 : -1;
  const marked = slotsToMark(context);
  const { realm } = context;
  return (frame, args) => {
    for (const slot of marked) frame[slot] = uninitialized;
    for (let index = 0; index < stores.length; index++) {
      const value = index === restIndex ? remainingArguments(realm, args, index) : args[index];
      stores[index]?.(frame, value);
    }
  };
}

/** Returns the slots of parameters that code may read before they are initialised. */
function slotsToMark({ scope }: Context): readonly number[] {
  return [...scope.variables.values()]
    .filter(({ kind, checked }) => kind === "parameter" && checked)
    .map(({ slot }) => slot);
}
