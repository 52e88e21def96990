// The types of the frames of the guest protocol. FRAMES.md explains their meaning.

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

/** The version of the protocol. A runner with another version is refused. */
export const protocolVersion = 1;

/**
 * The default maximum length of a line that a side accepts, in bytes. A `hello` can contain another
 * value.
 */
export const defaultMaxFrameBytes: number = 16 * 1024 * 1024;

/**
 * The default maximum number of bytes that may be sent without an acknowledgement. A `hello` can
 * contain another value.
 */
export const defaultWindowBytes: number = 4 * 1024 * 1024;

/**
 * How long a side waits for a frame that can carry the acknowledgement, in ms. Then it sends the
 * acknowledgement in a separate frame.
 */
export const acknowledgeDelayMs = 20;

/** The limits that a runner enforces for each block; 0 means no limit. */
export interface GuestLimits {
  /** How long a block may run, in ms. While it waits for a call, only its processor time counts. */
  readonly timeMs: number;
  /** The limit of the guest process's resident memory, in bytes. */
  readonly memoryBytes: number;
  /** The most characters that one block may print. */
  readonly outputChars: number;
  /** The most calls that may be open at the same time. */
  readonly pendingCalls: number;
}

/** The first frame of the host on each pipe. */
export interface HostHello {
  readonly type: "hello";
  readonly version: number;
  readonly session: string;
  /** The number of the last frame that was received from the runner. */
  readonly received: number;
  /**
   * Whether this host process is new. If so, it does not know what an earlier host has received.
   */
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
  /** The human-readable name of the runtime, such as `node v20.20.2`. */
  readonly runtime: string;
  /** The ids of the executions that have begun, oldest first. */
  readonly executed: readonly string[];
  readonly maxFrameBytes: number;
  readonly windowBytes: number;
}

/** The numbered frames of the host. */
export type HostMessage =
  | {
      readonly type: "start";
      readonly tools: readonly string[];
      /** The name of the tool that ends a block. Null if there is none. */
      readonly finalAnswer: string | null;
      /** The modules that programs may import. Null for all. */
      readonly imports: readonly string[] | null;
      readonly limits: GuestLimits;
      /** How long the runner waits for a message of its host before it exits, in ms. */
      readonly leashMs: number;
      /** Settings for one language. */
      readonly options: { readonly [name: string]: JsonValue };
    }
  | {
      readonly type: "execute";
      readonly execution: number;
      /** The permanent id of the block. The runner never runs two blocks with the same id. */
      readonly id: string;
      readonly code: string;
      readonly variables: { readonly [name: string]: EncodedValue };
    }
  | {
      readonly type: "deliver";
      readonly request: number;
      readonly execution: number;
      /**
       * The number of the call. 0 means that there is no call. Then the guest only reports when the
       * program is idle.
       */
      readonly call: number;
      readonly outcome: CallOutcome;
    }
  | { readonly type: "stop"; readonly execution: number; readonly reason: StopReason }
  | { readonly type: "variables"; readonly request: number; readonly newest?: number; readonly previews: boolean }
  | { readonly type: "is-program"; readonly request: number; readonly code: string }
  | { readonly type: "end" };

/** The end of a block, as a runner reports it. */
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

/** The numbered frames of the runner. */
export type RunnerMessage =
  | { readonly type: "started" }
  | {
      readonly type: "call";
      readonly execution: number;
      readonly call: number;
      readonly name: string;
      readonly args: readonly EncodedValue[];
      /** Arguments that are passed by name, in Python. */
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

/** The frames that have no number. Both sides send them. */
export type BareFrame =
  | { readonly type: "ack"; readonly ack: number }
  | { readonly type: "ping" }
  | { readonly type: "pong" }
  | { readonly type: "fatal"; readonly error: SerializedError };

/** A numbered frame as it is sent. */
export type Numbered<Message> = Message & { readonly seq: number; readonly ack?: number };

/** Any frame of a host. */
export type HostFrame = HostHello | BareFrame | Numbered<HostMessage>;

/** Any frame of a runner. */
export type RunnerFrame = RunnerHello | BareFrame | Numbered<RunnerMessage>;

/** The types of frames that have no number. */
export const bareTypes: ReadonlySet<string> = new Set(["hello", "ack", "ping", "pong", "fatal"]);

/**
 * Returns a frame as a line of ASCII.
 *
 * @param lastField - one more field for the end of the line, as JSON text: `"name":value`
 */
export function frameLine(frame: object, lastField?: string): string {
  const text = JSON.stringify(frame).replace(/[\u007f-\uffff]/g, escapeCharacter);
  return lastField === undefined ? `${text}\n` : `${text.slice(0, -1)},${lastField}}\n`;
}

/**
 * Returns the text of the last field in a line, such as `"args":[1,2]`. With it, a large value can
 * be passed on without encoding it again.
 *
 * @param line - the text of a JSON object
 * @param rest - the other fields of the object, in their order
 * @returns undefined if the line does not consist of exactly these fields
 */
export function lastFieldOf(line: string, rest: object, field: string): string | undefined {
  const start = JSON.stringify(rest).slice(0, -1);
  const isAsExpected = line.startsWith(start) && line.startsWith(`,"${field}":`, start.length) && line.endsWith("}");
  return isAsExpected ? line.slice(start.length + 1, -1) : undefined;
}

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
