import type { FunctionCode } from "./function-object.ts";
import { Breach } from "./limits.ts";

/** Ends an execution whose calls are nested too deep. */
export class NestingBreach extends Breach {
  /** The function that was called last. */
  readonly callee: FunctionCode;

  constructor(callee: FunctionCode) {
    super("call-depth");
    this.callee = callee;
  }
}
