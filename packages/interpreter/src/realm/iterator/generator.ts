// The prototypes of generators, and of generator functions, async functions and async generator
// functions. The generator objects themselves are in operations/generator.ts and
// operations/async-generator.ts.

import { throwTypeError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import { enqueueAsyncGenerator } from "../../operations/async-generator.ts";
import { continueWrapped } from "../../operations/async-iterator.ts";
import { nextWith, resumeGenerator, stepGenerator } from "../../operations/generator.ts";
import { brief, counted, defineConstructor, defineMethods, defineTag, named, withLength } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/**
 * The prototypes of generator and async functions, and of the objects that these functions return.
 */
export const generatorFamily: IntrinsicFamily = {
  intrinsics: [
    "AsyncFunctionPrototype",
    "GeneratorFunctionPrototype",
    "GeneratorPrototype",
    "AsyncGeneratorFunctionPrototype",
    "AsyncGeneratorPrototype",
    "AsyncIteratorPrototype",
    "AsyncFromSyncIteratorPrototype",
  ],
  make: makeGenerators,
};

function makeGenerators(realm: Realm): MadeFamily {
  const asyncIteratorPrototype = defineMethods(realm, realm.newObject(), {
    [Symbol.asyncIterator]: brief(named("[Symbol.asyncIterator]", (thisValue) => thisValue)),
  });
  const generatorPrototype = makeGeneratorPrototype(realm);
  const asyncGeneratorPrototype = makeAsyncGeneratorPrototype(realm, asyncIteratorPrototype);
  return {
    intrinsics: {
      AsyncIteratorPrototype: asyncIteratorPrototype,
      GeneratorPrototype: generatorPrototype,
      AsyncGeneratorPrototype: asyncGeneratorPrototype,
      AsyncFunctionPrototype: makeFunctionPrototype(realm, "AsyncFunction", null),
      GeneratorFunctionPrototype: makeFunctionPrototype(realm, "GeneratorFunction", generatorPrototype),
      AsyncGeneratorFunctionPrototype: makeFunctionPrototype(realm, "AsyncGeneratorFunction", asyncGeneratorPrototype),
      AsyncFromSyncIteratorPrototype: makeAsyncFromSync(realm, asyncIteratorPrototype),
    },
  };
}

function makeGeneratorPrototype(realm: Realm): GuestObject {
  const prototype = Object.create(realm.intrinsic("IteratorPrototype")) as GuestObject;
  defineMethods(realm, prototype, {
    next: counted({
      native: (thisValue: unknown, value: unknown) => resumeGenerator(realm, thisValue, nextWith(value)),
      step: (thisValue, delegation) => stepGenerator(realm, thisValue, delegation),
    }),
    return: counted((thisValue: unknown, value: unknown) =>
      resumeGenerator(realm, thisValue, { type: "return", value }),
    ),
    throw: counted((thisValue: unknown, value: unknown) => resumeGenerator(realm, thisValue, { type: "throw", value })),
  });
  return defineTag(prototype, "Generator");
}

function makeAsyncGeneratorPrototype(realm: Realm, parent: GuestObject): GuestObject {
  const prototype = Object.create(parent) as GuestObject;
  defineMethods(realm, prototype, {
    next: counted((thisValue: unknown, value: unknown) => enqueueAsyncGenerator(realm, thisValue, nextWith(value))),
    return: counted((thisValue: unknown, value: unknown) =>
      enqueueAsyncGenerator(realm, thisValue, { type: "return", value }),
    ),
    throw: counted((thisValue: unknown, value: unknown) =>
      enqueueAsyncGenerator(realm, thisValue, { type: "throw", value }),
    ),
  });
  return defineTag(prototype, "AsyncGenerator");
}

function makeAsyncFromSync(realm: Realm, parent: GuestObject): GuestObject {
  return defineMethods(realm, Object.create(parent) as GuestObject, {
    next: counted(withLength(1, (thisValue, ...args) => continueWrapped(realm, thisValue, "next", args))),
    return: counted(withLength(1, (thisValue, ...args) => continueWrapped(realm, thisValue, "return", args))),
    throw: counted(withLength(1, (thisValue, ...args) => continueWrapped(realm, thisValue, "throw", args))),
  });
}

/**
 * Creates the prototype of one kind of function, and its constructor. The constructor refuses to
 * create functions from text.
 */
function makeFunctionPrototype(realm: Realm, name: string, objectPrototype: GuestObject | null): GuestObject {
  const prototype = Object.create(realm.functionPrototype) as GuestObject;
  const refuse = (): never => throwTypeError(`${name}() is not available: code cannot be made from text here`);
  const parent = realm.intrinsic("Function");
  const definition = { name, length: 1, cost: "brief", prototype, parent, call: refuse, construct: refuse } as const;
  const constructorFunction = defineConstructor(realm, definition);
  hide(prototype, "constructor", constructorFunction);
  if (objectPrototype) {
    hide(prototype, "prototype", objectPrototype);
    hide(objectPrototype, "constructor", prototype);
  }
  return defineTag(prototype, name);
}

/** Defines a configurable property that is neither writable nor enumerable. */
function hide(object: GuestObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: false, enumerable: false, configurable: true });
}
