// Written by scripts/generate-copies.ts; do not edit.

import * as closures0 from "../hot-closures.ts";
import * as closures1 from "./hot-closures-1.gen.ts";
import * as closures2 from "./hot-closures-2.gen.ts";
import * as closures3 from "./hot-closures-3.gen.ts";
import * as closures4 from "./hot-closures-4.gen.ts";
import * as closures5 from "./hot-closures-5.gen.ts";
import * as closures6 from "./hot-closures-6.gen.ts";
import * as closures7 from "./hot-closures-7.gen.ts";
import * as operators0 from "./hot-operators.gen.ts";
import * as operators1 from "./hot-operators-1.gen.ts";
import * as operators2 from "./hot-operators-2.gen.ts";
import * as operators3 from "./hot-operators-3.gen.ts";
import * as operators4 from "./hot-operators-4.gen.ts";
import * as operators5 from "./hot-operators-5.gen.ts";
import * as operators6 from "./hot-operators-6.gen.ts";
import * as operators7 from "./hot-operators-7.gen.ts";

/** One copy of everything that there are copies of. */
export interface HotCopy {
  readonly closures: typeof closures0;
  readonly operators: typeof operators0;
}

/** All copies, the original first. */
export const hotCopies: readonly HotCopy[] = [
  { closures: closures0, operators: operators0 },
  { closures: closures1, operators: operators1 },
  { closures: closures2, operators: operators2 },
  { closures: closures3, operators: operators3 },
  { closures: closures4, operators: operators4 },
  { closures: closures5, operators: operators5 },
  { closures: closures6, operators: operators6 },
  { closures: closures7, operators: operators7 },
];
