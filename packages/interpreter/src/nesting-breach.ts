import type { FunctionCode } from "./function-object.ts";
import { Breach } from "./limits.ts";

/** Ends the execution because its calls nest too deep. */
export class NestingBreach extends Breach {
  /** The last call. */
  readonly callee: FunctionCode;

  constructor(callee: FunctionCode) {
    super("call-depth");
    this.callee = callee;
  }
}
