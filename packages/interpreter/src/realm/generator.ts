// Generator and async generator objects, and the prototypes of the functions that make them. (The compiler's side: compile/generator.ts.)

import type { IntrinsicFamily } from "./intrinsics.ts";

/** Prototypes of generators and of generator, async and async generator functions. */
export const generatorFamily: IntrinsicFamily = {
  intrinsics: [],
  make: () => ({ intrinsics: {} }),
};
