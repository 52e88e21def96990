// Written by scripts/generate-copies.ts; do not edit.

import * as hotOperators0 from "./hot-operators.gen.ts";
import * as hotOperators1 from "./hot-operators-1.gen.ts";
import * as hotOperators2 from "./hot-operators-2.gen.ts";
import * as hotOperators3 from "./hot-operators-3.gen.ts";
import * as hotClosures0 from "../hot-closures.ts";
import * as hotClosures1 from "./hot-closures-1.gen.ts";
import * as hotClosures2 from "./hot-closures-2.gen.ts";
import * as hotClosures3 from "./hot-closures-3.gen.ts";
import * as hotClosures4 from "./hot-closures-4.gen.ts";
import * as hotClosures5 from "./hot-closures-5.gen.ts";
import * as hotClosures6 from "./hot-closures-6.gen.ts";
import * as hotClosures7 from "./hot-closures-7.gen.ts";

/** One copy of hot-operators.gen.ts. */
export type HotOperators = typeof hotOperators0;

/** All copies, the original first. */
export const hotOperators: readonly HotOperators[] = [
  hotOperators0,
  hotOperators1,
  hotOperators2,
  hotOperators3,
];

/** One copy of hot-closures.ts. */
export type HotClosures = typeof hotClosures0;

/** All copies, the original first. */
export const hotClosures: readonly HotClosures[] = [
  hotClosures0,
  hotClosures1,
  hotClosures2,
  hotClosures3,
  hotClosures4,
  hotClosures5,
  hotClosures6,
  hotClosures7,
];
