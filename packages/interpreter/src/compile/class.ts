// Classes. The evaluation of a class creates the constructor and its prototype, defines the methods
// in order, stores the instance fields for the constructor, and then runs static fields and blocks
// in order.

import type { Class, Expression, MethodDefinition, PropertyDefinition, StaticBlock } from "acorn";
import { callNames, type Scope } from "../analyse/scope.ts";
import { type Frame, newFrame } from "../frame.ts";
import { type FunctionSlots, settle } from "../function-object.ts";
import { throwTypeError } from "../guest-throw.ts";
import { fieldDefiner, type GuestObject, isObject, slotsOf } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import { construct, isConstructor, ordinaryCreateFromConstructor } from "../operations/call.ts";
import { bytesOfFields } from "../operations/object-bytes.ts";
import {
  createDataPropertyOrThrow,
  get,
  getOwnProperty,
  getPrototypeOf,
  type PropertyKeyValue,
} from "../operations/property.ts";
import { requireShortChain } from "../operations/prototype-chain.ts";
import { type Context, type Evaluate, inside, positionOf } from "./context.ts";
import { compileExpression, compileNamed } from "./expression.ts";
import { compileMethod, functionCode } from "./function.ts";
import { compileBodyEntry } from "./function-body.ts";
import { timed } from "./long-code.ts";
import { defineMethodProperty, namedByKey } from "./object-literal.ts";
import { propertyKeyOf } from "./pattern.ts";
import { PrivateName } from "./private-name.ts";
import { scopeEntry } from "./scope-entry.ts";
import { compileStatements } from "./statement.ts";
import { initializeReference } from "./variable.ts";

/** The parts of a class that its evaluation has created so far. */
interface ClassInMaking {
  readonly constructorFunction: GuestObject;
  readonly prototype: GuestObject;
  /** Private methods and accessors, which each instance gets before its fields. */
  readonly privateMethods: PrivateMethod[];
  readonly instanceFields: InitializeField[];
  /** Static fields and blocks. They run after the class has its name. */
  readonly staticParts: (() => void)[];
}

interface PrivateMethod {
  readonly name: PrivateName;
  readonly method: GuestObject | null;
}

/** Defines one field on an instance; the frame contains `this`. */
type InitializeField = (frame: Frame, instance: GuestObject) => void;

type DefineMember = (frame: Frame, made: ClassInMaking) => void;

/** Compiles a class. `name` is the name for an anonymous class. */
export function compileClass(outer: Context, node: Class, name: string | null): Evaluate {
  const context = inside(outer, node);
  const enter = scopeEntry(context.scope);
  const evaluate = compileInsideClass(context, node, name);
  return enter ? (frame) => evaluate(enter(frame)) : evaluate;
}

/** Compiles a class whose scope has been entered. */
export function compileInsideClass(inner: Context, node: Class, name: string | null): Evaluate {
  const context: Context = { ...inner, onValue: null };
  const declarePrivateNames = compilePrivateNames(context);
  const heritage = node.superClass ? compileHeritage(context, node.superClass) : null;
  const makeConstructor = compileConstructor(context, node, node.id?.name ?? name ?? "");
  const members = node.body.body
    .map((member) => compileMember(context, node, member))
    .filter((define) => define !== null);
  const nameVariable = node.id ? context.scope.variables.get(node.id.name) : undefined;
  const storeName = nameVariable
    ? initializeReference({ ...emptyReference, scope: context.scope, variable: nameVariable })
    : null;
  const instanceScope = context.analysis.scopes.get(node.body) as Scope; // the analysis creates one for each class body
  return (own) => {
    declarePrivateNames(own);
    const parents = heritage ? heritage(own) : null;
    const { slots, prototype } = makeConstructor(own, parents);
    const made: ClassInMaking = {
      constructorFunction: slots.self,
      prototype,
      privateMethods: [],
      instanceFields: [],
      staticParts: [],
    };
    for (const define of members) define(own, made);
    slots.instances = {
      initializeFields: instanceInitializer(context.meter, node, own, instanceScope, made),
      site: null,
      prototype: null,
    };
    storeName?.(own, slots.self);
    for (const run of made.staticParts) run();
    return slots.self;
  };
}

const emptyReference = { name: "", offset: 0, initializes: true, checked: false } as const;

interface Parents {
  readonly constructorFunction: GuestObject;
  readonly prototype: GuestObject | null;
}

function compileHeritage(context: Context, superClass: Expression): (frame: Frame) => Parents {
  const value = compileExpression(context, superClass);
  const position = positionOf(context, superClass);
  const { realm } = context;
  return (frame) => {
    const parent = value(frame);
    if (parent === null) return { constructorFunction: realm.functionPrototype, prototype: null };
    if (!isConstructor(parent)) return throwTypeError("a class can extend only a constructor or null", position);
    const prototype = get(parent, "prototype");
    if (prototype !== null && !isObject(prototype))
      return throwTypeError('the "prototype" of the parent class is not an object', position);
    return { constructorFunction: parent, prototype };
  };
}

// The cost of a class: its prototype, and the data that the host stores for it.
const operationsOfClass = 120;
const bytesOfClass = 600;
const bytesOfInitializers = 1_500;

type MakeConstructor = (frame: Frame, parents: Parents | null) => { slots: FunctionSlots; prototype: GuestObject };

function compileConstructor(context: Context, node: Class, name: string): MakeConstructor {
  const { realm } = context;
  const makeSlots = compileConstructorFunction(context, node, name);
  const hasFields = node.body.body.some(({ type }) => type === "PropertyDefinition");
  const bytes = bytesOfClass + (hasFields ? bytesOfInitializers : 0);
  return (frame, parents) => {
    realm.meter.charge(operationsOfClass);
    realm.meter.allocate(bytes);
    if (parents) requireShortChain(null, parents.prototype);
    const prototype = Object.create(parents ? parents.prototype : realm.objectPrototype) as GuestObject;
    if (parents?.prototype) settle(parents.prototype);
    const slots = makeSlots(frame);
    slots.homeObject = prototype;
    getOwnProperty(slots.self, "length"); // this read defines `length` and `name`, which must be the first properties
    if (parents) {
      settle(parents.constructorFunction);
      requireShortChain(slots.self, parents.constructorFunction);
      Object.setPrototypeOf(slots.self, parents.constructorFunction);
    }
    Object.defineProperty(slots.self, "prototype", {
      value: prototype,
      writable: false,
      enumerable: false,
      configurable: false,
    });
    Object.defineProperty(prototype, "constructor", {
      value: slots.self,
      writable: true,
      enumerable: false,
      configurable: true,
    });
    return { slots, prototype };
  };
}

function compileConstructorFunction(context: Context, node: Class, name: string): (frame: Frame) => FunctionSlots {
  const { realm, analysis } = context;
  const definition = node.body.body.find(
    (member) => member.type === "MethodDefinition" && member.kind === "constructor",
  );
  if (!definition) return defaultConstructor(context, node, name);
  const literal = (definition as MethodDefinition).value; // the caller passes only methods
  if (node.superClass) markDerived(analysis.scopes.get(literal));
  const code = functionCode(context, literal, {
    name,
    construct: node.superClass ? "derived" : "base",
    isClass: true,
    textNode: node,
  });
  return (frame) => realm.newFunction(code, frame, "normal");
}

/** Marks `this` of a derived constructor as uninitialised until `super()` has been called. */
function markDerived(scope: Scope | undefined): void {
  const variable = scope?.variables.get(callNames.this);
  if (variable) variable.checked = true;
}

function defaultConstructor({ realm, source }: Context, node: Class, name: string): (frame: Frame) => FunctionSlots {
  const sourceText = () => source.text.slice(node.start, node.end);
  return (frame) => {
    const nativeConstruct = (newTarget: GuestObject, ...args: unknown[]): GuestObject => {
      const instance = node.superClass
        ? constructParent(slots.self, args, newTarget)
        : ordinaryCreateFromConstructor(realm, newTarget, "ObjectPrototype");
      slots.instances?.initializeFields?.(instance);
      return instance;
    };
    const slots = realm.newFunction(
      realm.nativeCode(name, 0, null, { nativeConstruct, isClass: true, sourceText }),
      frame,
      "normal",
    );
    return slots;
  };
}

function constructParent(self: GuestObject, args: readonly unknown[], newTarget: GuestObject): GuestObject {
  const parent = getPrototypeOf(self);
  if (!isConstructor(parent)) return throwTypeError("the parent class is not a constructor");
  return construct(parent, args, newTarget);
}

/** Creates new private names at each evaluation of the class. */
function compilePrivateNames({ scope }: Context): (frame: Frame) => void {
  const names = [...scope.variables.values()].filter(({ kind }) => kind === "private");
  const stores = names.map((variable) => ({
    description: variable.name,
    store: initializeReference({ ...emptyReference, scope, variable }),
  }));
  return (frame) => {
    for (const { description, store } of stores) store(frame, new PrivateName(description));
  };
}

function instanceInitializer(
  meter: Meter,
  node: Class,
  frame: Frame,
  scope: Scope,
  { prototype, privateMethods, instanceFields }: ClassInMaking,
) {
  if (privateMethods.length === 0 && instanceFields.length === 0) return null;
  const openFrame = initializerFrame(frame, scope, prototype);
  const bytes = bytesOfFields(privateMethods.length + instanceFields.length);
  return timed(meter, node, (instance: GuestObject): void => {
    meter.allocate(bytes);
    for (const { name, method } of privateMethods) name.add(instance, method);
    const own = openFrame(instance);
    for (const initialize of instanceFields) initialize(own, instance);
  });
}

/**
 * Returns a function that creates the frame for field initialisers and static blocks, with `this`
 * and the home object for `super`.
 */
function initializerFrame(frame: Frame, scope: Scope, home: GuestObject): (thisValue: GuestObject) => Frame {
  const { size, variables } = scope;
  const thisSlot = variables.get(callNames.this)?.slot ?? 0;
  const homeSlot = variables.get(callNames.home)?.slot ?? 0;
  return (thisValue) => {
    const own = newFrame(frame, size);
    if (thisSlot !== 0) own[thisSlot] = thisValue;
    if (homeSlot !== 0) own[homeSlot] = home;
    return own;
  };
}

function compileMember(context: Context, node: Class, member: Class["body"]["body"][number]): DefineMember | null {
  switch (member.type) {
    case "StaticBlock":
      return compileStaticBlock(context, member);
    case "PropertyDefinition":
      return compileField(context, node, member);
    case "MethodDefinition":
      if (member.kind === "constructor") return null;
      return member.key.type === "PrivateIdentifier"
        ? compilePrivateMethod(context, member)
        : compilePublicMethod(context, member);
    default:
      return member satisfies never;
  }
}

function compilePublicMethod(context: Context, member: MethodDefinition): DefineMember {
  const { kind } = member;
  const key = propertyKeyOf(context, member as MethodDefinition & { key: Expression }); // the caller has checked that the key is not private
  const method = compileMethod(context, member.value, kind === "constructor" ? "method" : kind, member);
  return (frame, { constructorFunction, prototype }) => {
    const target = member.static ? constructorFunction : prototype;
    const name = key(frame);
    defineMethodProperty(target, name, kind === "constructor" ? "method" : kind, method(frame, target, name), false);
  };
}

function compilePrivateMethod(context: Context, member: MethodDefinition): DefineMember {
  const { kind } = member;
  const readName = privateNameReader(context, member);
  const makeMethod = compileMethod(context, member.value, kind === "constructor" ? "method" : kind, member);
  return (frame, made) => {
    const home = member.static ? made.constructorFunction : made.prototype;
    const name = readName(frame);
    const method = makeMethod(frame, home, name.description);
    const isSecondAccessor = name.kind === "accessor";
    if (kind === "get") name.getter = method;
    else if (kind === "set") name.setter = method;
    name.kind = kind === "get" || kind === "set" ? "accessor" : "method";
    if (isSecondAccessor) return;
    if (member.static) name.add(made.constructorFunction, method);
    else made.privateMethods.push({ name, method });
  };
}

function privateNameReader(
  { scope }: Context,
  { key }: MethodDefinition | PropertyDefinition,
): (frame: Frame) => PrivateName {
  const variable = scope.variables.get(`#${(key as { name?: string }).name}`); // the caller has checked that the key is private
  return (frame) => frame[variable?.slot ?? 0] as PrivateName; // evaluating the class has stored the name in this frame
}

function compileField(context: Context, node: Class, member: PropertyDefinition): DefineMember {
  const scope = context.analysis.scopes.get(member.static ? member : node.body) ?? context.scope; // a static field without an initial value has no scope
  const inner: Context = { ...context, scope, functionKind: "normal", evaluated: new Map() };
  const define =
    member.key.type === "PrivateIdentifier"
      ? privateField(context, inner, member)
      : publicField(context, inner, member);
  return (frame, made) => {
    const initialize = define(frame);
    const { constructorFunction } = made;
    if (!member.static) made.instanceFields.push(initialize);
    else
      made.staticParts.push(() =>
        initialize(initializerFrame(frame, scope, constructorFunction)(constructorFunction), constructorFunction),
      );
  };
}

function privateField(context: Context, inner: Context, member: PropertyDefinition): (frame: Frame) => InitializeField {
  const readName = privateNameReader(context, member);
  const description = `#${(member.key as { name?: string }).name}`; // the key is a private identifier
  const value = member.value ? compileNamed(inner, member.value, description) : () => undefined;
  return (frame) => {
    const name = readName(frame);
    return (own, instance) => name.add(instance, value(own));
  };
}

function publicField(context: Context, inner: Context, member: PropertyDefinition): (frame: Frame) => InitializeField {
  const key = propertyKeyOf(context, member as PropertyDefinition & { key: Expression }); // the caller has checked that the key is not private
  const value = member.value ? namedByKeyInScope(inner, member.value) : () => undefined;
  if (!member.computed && member.key.type === "Identifier") return namedField(member.key.name, value);
  return (frame) => {
    const name = key(frame);
    return (own, instance) => createDataPropertyOrThrow(instance, name, value(own, name));
  };
}

function namedField(
  name: string,
  value: (frame: Frame, name: PropertyKeyValue) => unknown,
): (frame: Frame) => InitializeField {
  let define: ReturnType<typeof fieldDefiner> | null = null;
  return () => (own, instance) => {
    const given = value(own, name);
    // These objects need the general way to define a property: functions create some properties
    // lazily, and some objects convert the value that is stored.
    if (slotsOf(instance) !== undefined || Array.isArray(instance) || typeof instance === "function")
      return createDataPropertyOrThrow(instance, name, given);
    define ??= fieldDefiner(name);
    try {
      define(instance, given);
    } catch {
      createDataPropertyOrThrow(instance, name, given);
    }
  };
}

function namedByKeyInScope(inner: Context, value: Expression): (frame: Frame, key: PropertyKeyValue) => unknown {
  return namedByKey(inner, value);
}

function compileStaticBlock(context: Context, member: StaticBlock): DefineMember {
  const inner: Context = { ...inside(context, member), functionKind: "normal", evaluated: new Map() };
  const prepare = compileBodyEntry(inner, member.body, inner.scope);
  const run = compileStatements(inner, member.body);
  return (frame, { constructorFunction, staticParts }) => {
    staticParts.push(() => {
      const own = initializerFrame(frame, inner.scope, constructorFunction)(constructorFunction);
      prepare?.(own);
      run(own);
    });
  };
}
