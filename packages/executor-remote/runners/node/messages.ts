// What goes between the supervisor and its guest, as lines of JSON over a pipe of their own.

import type {
  BlockOutput,
  CallOutcome,
  ConsoleLine,
  EncodedValue,
  SerializedError,
  VariableSummary,
} from "@smolts/protocol";

/** The exit code of a guest that its program has broken. */
export const brokenExitCode = 70;

/** From the supervisor to the guest. */
export type ToGuest =
  | {
      readonly type: "start";
      readonly tools: readonly string[];
      readonly finalAnswer: string | null;
      readonly imports: readonly string[] | null;
      /** Functions of modules by the module's name; each is the tool `module.function`. */
      readonly hostModules: { readonly [name: string]: readonly string[] };
      /** The largest value, in characters of JSON, that fits into a frame. */
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
  /** The execution is over: later messages of it do not matter. */
  | { readonly type: "drop"; readonly execution: number }
  | { readonly type: "variables"; readonly request: number; readonly newest?: number; readonly previews: boolean }
  | { readonly type: "is-program"; readonly request: number; readonly code: string };

/** A message whose last field is passed on as text may be without it. */
export type ToGuestBeside = ToGuest | Omit<Extract<ToGuest, { readonly type: "deliver" }>, "outcome">;

/**
 * From the guest to the supervisor, who checks every field: code in the guest can write here, too.
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
