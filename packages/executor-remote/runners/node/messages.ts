// The messages between the supervisor and its guest. They are lines of JSON on a separate pipe.

import type {
  BlockOutput,
  CallOutcome,
  ConsoleLine,
  EncodedValue,
  SerializedError,
  VariableSummary,
} from "@smolts/protocol";

/** The exit code of a guest whose program has replaced functions that the guest needs. */
export const brokenExitCode = 70;

/** A message from the supervisor to the guest. */
export type ToGuest =
  | {
      readonly type: "start";
      readonly tools: readonly string[];
      readonly finalAnswer: string | null;
      readonly imports: readonly string[] | null;
      /**
       * The modules that run on the host, each with the names of its functions. Each function is
       * the tool `module.function`.
       */
      readonly hostModules: { readonly [name: string]: readonly string[] };
      /** The largest value that fits into a frame, in characters of JSON. */
      readonly maxValueChars: number;
      readonly outputChars: number;
    }
  | {
      readonly type: "execute";
      readonly execution: number;
      readonly code: string;
      readonly variables: { readonly [name: string]: EncodedValue };
    }
  | {
      readonly type: "deliver";
      readonly execution: number;
      readonly call: number;
      readonly request: number;
      readonly outcome: CallOutcome;
    }
  /** Ends the execution. Later messages about it are ignored. */
  | { readonly type: "drop"; readonly execution: number }
  | { readonly type: "variables"; readonly request: number; readonly newest?: number; readonly previews: boolean }
  | { readonly type: "is-program"; readonly request: number; readonly code: string };

/** A message whose last field may be missing, because it is passed on separately as text. */
export type ToGuestBeside = ToGuest | Omit<Extract<ToGuest, { readonly type: "deliver" }>, "outcome">;

/**
 * A message from the guest to the supervisor. Code in the guest can also write to this pipe, so the
 * supervisor checks every field.
 */
export type FromGuest =
  | { readonly type: "ready" }
  | {
      readonly type: "call";
      readonly execution: number;
      readonly call: number;
      readonly name: string;
      readonly args: readonly EncodedValue[];
    }
  | {
      readonly type: "console";
      readonly execution: number;
      readonly level: ConsoleLine["level"];
      readonly text: string;
    }
  | { readonly type: "final-answer"; readonly execution: number; readonly args: readonly EncodedValue[] }
  | {
      readonly type: "ended";
      readonly execution: number;
      readonly output: BlockOutput | null;
      readonly error: SerializedError | null;
      readonly unawaited: readonly number[];
    }
  | { readonly type: "dropped"; readonly execution: number }
  | { readonly type: "rested"; readonly request: number }
  | { readonly type: "variables"; readonly request: number; readonly variables: readonly VariableSummary[] }
  | { readonly type: "is-program"; readonly request: number; readonly isProgram: boolean };
