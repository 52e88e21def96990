// The frames of the guest protocol. FRAMES.md says what they mean; this file is their shape.

import type {
  BlockOutput,
  CallOutcome,
  ConsoleLine,
  EncodedValue,
  JsonValue,
  SerializedError,
  StopReason,
  VariableSummary,
} from "@smolts/protocol";

/** Version of the protocol. A runner of another version is refused. */
export const protocolVersion = 1;

/** The longest line that either side accepts unless its `hello` says otherwise. */
export const defaultMaxFrameBytes: number = 16 * 1024 * 1024;

/** How much may be on its way without an acknowledgement unless `hello` says otherwise. */
export const defaultWindowBytes: number = 4 * 1024 * 1024;

/** How long a side waits for a frame of its own before it sends an acknowledgement alone. */
export const acknowledgeDelayMs = 20;

/** The limits that a runner enforces for each block; 0 means no limit. */
export interface GuestLimits {
  /** Processor and wall time of a block, not counting the time spent waiting for calls. */
  readonly timeMs: number;
  /** Resident memory of the guest process. */
  readonly memoryBytes: number;
  /** Characters printed by one block. */
  readonly outputChars: number;
  /** Calls open at the same time. */
  readonly pendingCalls: number;
}

/** First frame of the host on each pipe. */
export interface HostHello {
  readonly type: "hello";
  readonly version: number;
  readonly session: string;
  /** Number of the last frame received from the runner. */
  readonly received: number;
  /** True for a host process that does not know what an earlier one received. */
  readonly fresh: boolean;
  readonly maxFrameBytes: number;
  readonly windowBytes: number;
}

/** The runner's answer to {@link HostHello}. */
export interface RunnerHello {
  readonly type: "hello";
  readonly version: number;
  readonly session: string;
  readonly received: number;
  readonly language: string;
  /** For people, such as `node v20.20.2`. */
  readonly runtime: string;
  /** Ids of the executions that were begun, oldest first. */
  readonly executed: readonly string[];
  readonly maxFrameBytes: number;
  readonly windowBytes: number;
}

/** Numbered frames of the host. */
export type HostMessage =
  | {
      readonly type: "start";
      readonly tools: readonly string[];
      /** The tool that ends a block; null for none. */
      readonly finalAnswer: string | null;
      /** Modules that programs may import; null for all. */
      readonly imports: readonly string[] | null;
      readonly limits: GuestLimits;
      /** The runner exits after hearing nothing from its host for this long. */
      readonly leashMs: number;
      /** Settings of one language. */
      readonly options: { readonly [name: string]: JsonValue };
    }
  | {
      readonly type: "execute";
      readonly execution: number;
      /** Names the block for ever; the runner never runs an id twice. */
      readonly id: string;
      readonly code: string;
      readonly variables: { readonly [name: string]: EncodedValue };
    }
  | {
      readonly type: "deliver";
      readonly request: number;
      readonly execution: number;
      /** 0 reaches nobody, and asks when the program rests. */
      readonly call: number;
      readonly outcome: CallOutcome;
    }
  | { readonly type: "stop"; readonly execution: number; readonly reason: StopReason }
  | { readonly type: "variables"; readonly request: number; readonly newest?: number; readonly previews: boolean }
  | { readonly type: "is-program"; readonly request: number; readonly code: string }
  | { readonly type: "end" };

/** How a block ended, as a runner reports it. */
export type GuestResult = { readonly unawaited: readonly number[] } & (
  | { readonly type: "value"; readonly output: BlockOutput | null }
  | {
      readonly type: "final-answer";
      readonly args: readonly EncodedValue[];
      readonly keywords?: { readonly [name: string]: EncodedValue };
    }
  | { readonly type: "error"; readonly error: SerializedError }
  | { readonly type: "stopped"; readonly reason: StopReason; readonly error: SerializedError }
);

/** Numbered frames of the runner. */
export type RunnerMessage =
  | { readonly type: "started" }
  | {
      readonly type: "call";
      readonly execution: number;
      readonly call: number;
      readonly name: string;
      readonly args: readonly EncodedValue[];
      /** Arguments passed by name, in Python. */
      readonly keywords?: { readonly [name: string]: EncodedValue };
    }
  | {
      readonly type: "console";
      readonly execution: number;
      readonly level: ConsoleLine["level"];
      readonly text: string;
    }
  | { readonly type: "result"; readonly execution: number; readonly result: GuestResult }
  | { readonly type: "rested"; readonly request: number }
  | { readonly type: "variables"; readonly request: number; readonly variables: readonly VariableSummary[] }
  | { readonly type: "is-program"; readonly request: number; readonly isProgram: boolean }
  | { readonly type: "failed"; readonly execution?: number; readonly error: SerializedError };

/** Frames without a number, of either side. */
export type BareFrame =
  | { readonly type: "ack"; readonly ack: number }
  | { readonly type: "ping" }
  | { readonly type: "pong" }
  | { readonly type: "fatal"; readonly error: SerializedError };

/** A numbered frame as it is written. */
export type Numbered<Message> = Message & { readonly seq: number; readonly ack?: number };

/** Whatever a host writes. */
export type HostFrame = HostHello | BareFrame | Numbered<HostMessage>;

/** Whatever a runner writes. */
export type RunnerFrame = RunnerHello | BareFrame | Numbered<RunnerMessage>;

/** The types of the frames that have no number. */
export const bareTypes: ReadonlySet<string> = new Set(["hello", "ack", "ping", "pong", "fatal"]);

/**
 * A frame as a line of ASCII.
 *
 * @param lastField - one more field, as text: `"name":value`
 */
export function frameLine(frame: object, lastField?: string): string {
  const text = JSON.stringify(frame).replace(/[\u007f-\uffff]/g, escapeCharacter);
  return lastField === undefined ? `${text}\n` : `${text.slice(0, -1)},${lastField}}\n`;
}

/**
 * The text of the last field of a line, such as `"args":[1,2]`, for passing on a large value
 * without writing it again.
 *
 * @param line - the text of a JSON object
 * @param rest - its other fields, in their order
 * @returns undefined when the line is not written like that
 */
export function lastFieldOf(line: string, rest: object, field: string): string | undefined {
  const start = JSON.stringify(rest).slice(0, -1);
  const isAsExpected = line.startsWith(start) && line.startsWith(`,"${field}":`, start.length) && line.endsWith("}");
  return isAsExpected ? line.slice(start.length + 1, -1) : undefined;
}

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
