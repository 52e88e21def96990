// The messages between the host and the thread. They are JSON text, which is faster than a
// structured clone, and ensures that both sides exchange only data.

import type { InterpreterLimits } from "@smolts/interpreter";
import type {
  CallOutcome,
  ConsoleLine,
  ExecuteOptions,
  ExecutionEnvironment,
  ExecutionResult,
  HostCall,
  SerializedError,
  VariableSummary,
  VariablesOptions,
} from "@smolts/protocol";

/** The options of an execution that are plain data. */
export type ExecutionData = Pick<ExecuteOptions, "variables" | "time" | "seed" | "replayStop" | "replay">;

/** A message from the host to the thread. Executions are numbered from 1 within a thread. */
export type ToGuest =
  | {
      readonly type: "start";
      readonly limits: InterpreterLimits;
      readonly callMs: number;
      readonly environment: ExecutionEnvironment;
    }
  | {
      readonly type: "execute";
      readonly execution: number;
      readonly code: string;
      readonly data: ExecutionData;
      /**
       * Whether the block already ran in an earlier thread. The outcomes of its calls follow
       * immediately, and later messages must wait until it has ended.
       */
      readonly isRepeated: boolean;
    }
  | {
      readonly type: "deliver";
      readonly execution: number;
      /** The number of the delivery. The answer `delivered` contains the same number. */
      readonly delivery: number;
      readonly callIndex: number;
      readonly outcome: CallOutcome;
      readonly time: number;
    }
  | { readonly type: "abort"; readonly execution: number }
  | { readonly type: "variables"; readonly request: number; readonly options: VariablesOptions }
  | { readonly type: "is-program"; readonly request: number; readonly code: string }
  | { readonly type: "ping" };

/** A message from the thread to the host. */
export type FromGuest =
  | { readonly type: "ready" }
  | { readonly type: "call"; readonly execution: number; readonly call: HostCall }
  | { readonly type: "console"; readonly execution: number; readonly line: ConsoleLine }
  | { readonly type: "delivered"; readonly delivery: number }
  | { readonly type: "ended"; readonly execution: number; readonly result: ExecutionResult }
  | { readonly type: "failed"; readonly execution: number; readonly error: SerializedError }
  | { readonly type: "variables"; readonly request: number; readonly variables: readonly VariableSummary[] }
  | { readonly type: "is-program"; readonly request: number; readonly isProgram: boolean }
  | { readonly type: "pong" };
