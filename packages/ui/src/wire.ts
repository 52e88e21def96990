// The messages between the server and the page. The page gets the events of the run log. A run file
// contains the same events, so the page shows a live run, a reload and a replay with the same code.
// The other messages are about facts that the log does not contain: who may do what, and what is
// happening.
//
// Every path below is relative to the address where the page is mounted. Every request, except for
// the page and its assets, needs the cookie *and* the header `keyHeader`; one alone is useless.
//
//   GET    ./                                       the page; assets/agent-ui.js, assets/agent-ui.css, assets/favicon.svg
//   POST   ./api/enter                              EnterRequest      -> EnterReply; 401 Refusal when the code or password is wrong, used or expired
//   GET    ./api/info                               -> PageInfo
//   GET    ./api/sessions?search=words              -> SessionList
//   POST   ./api/sessions                           NewSession        -> SessionSummary
//   PATCH  ./api/sessions/:id                       { title }         -> SessionSummary
//   DELETE ./api/sessions/:id                       -> 204; an active run is stopped first
//   GET    ./api/sessions/:id/events                -> text/event-stream of ServerMessage; header `Last-Event-ID`, or ?after=<id>, continues after that event
//   POST   ./api/sessions/:id/runs                  StartRun          -> 202 RunStarted
//   POST   ./api/sessions/:id/stop                  { runId }         -> 202; only this ends a run early. Leaving the page does not
//   POST   ./api/sessions/:id/say                   Say               -> Said
//   POST   ./api/sessions/:id/decisions             Decide            -> Decided; 409 Refusal `stale-decision` if somebody else has already decided
//   POST   ./api/sessions/:id/continue              {}                -> 202 RunStarted: continues a run that a restart of the server interrupted
//   POST   ./api/sessions/:id/rewind                Rewind            -> SessionSummary: deletes that message and everything after it. The epoch changes
//   POST   ./api/sessions/:id/fork                  Fork              -> 201 Forked: a new session; 409 Refusal `effects-repeat`
//   GET    ./api/sessions/:id/variables             -> VariablesNow
//   GET    ./api/sessions/:id/log                   -> application/x-ndjson, the run file, as an attachment
//   GET    ./api/sessions/:id/export.html           -> one static HTML file, as an attachment
//   GET    ./api/sessions/:id/blobs/:digest         -> bytes that the log names. Images and sounds of known types are inline; everything else is an attachment
//   POST   ./api/sessions/:id/uploads?name=<name>   the bytes         -> Upload; 413, 415 Refusal
//
// Browsers open at most six connections to a server over HTTP/1.1, and each event stream needs one.
// So a hidden page closes its stream, and continues with `Last-Event-ID` when it is shown again.
// That way, ten tabs work too.
//
// An exported page has three parts: `<template id="run-file">` with the run file as base64,
// `<style id="agent-ui-style">`, which the element copies into its shadow root, and
// `<agent-ui run="#run-file">`. A run file has one event per line, and then one line
// `{ type: "blob", digest, mediaType, base64 }` for each image and sound.
//
// A refused request has a status >= 400 and the body `Refusal`. After a network error, the page
// tries again until it reaches the server.

import type {
  ApprovalDecision,
  DoubtDecision,
  EncodedValue,
  JsonSchema,
  JsonValue,
  Path,
  RunEvent,
  SerializedError,
  ToolEffects,
  VariableSummary,
} from "@smolts/protocol";

/**
 * The version of these messages. It increases with each change that an older page would
 * misunderstand. If the server has another version than the page, the page reloads itself.
 */
export const wireVersion = 1;

/** The header with the page's key, which every request of the API has. */
export const keyHeader = "x-smolts-key";

/**
 * The HTTP header of a response that contains a run file. It says how many texts of the file
 * contained secrets. The secrets were removed.
 */
export const redactedHeader = "x-smolts-redacted";

/** Why the server refused a request. */
export interface Refusal {
  readonly error: {
    readonly code: RefusalCode;
    /** The reason for people, in lower case without a full stop. */
    readonly message: string;
    /** A suggestion of what the person can do about it. */
    readonly hint?: string;
    readonly details?: JsonValue;
  };
}

/** Why the server refused a request, for programs. */
export type RefusalCode =
  /**
   * The cookie or the key is missing or wrong. `details.needs` says how to log in, as an `Entry`.
   */
  | "not-entered"
  /** The launch code or the password is wrong, or the code was used or has expired. */
  | "wrong-code"
  /** The request comes from another site, or names a host that is not this server. */
  | "foreign-origin"
  | "not-found"
  /** There are too many requests, sessions or runs. `Retry-After` says when to try again. */
  | "too-many"
  | "too-large"
  | "wrong-type"
  /** The request is invalid. The message says what was expected. */
  | "bad-request"
  /** A run of this session is active, or waits for a decision. */
  | "busy"
  /**
   * The question is no longer open, has changed, or was already decided. `details.by` names the
   * person who decided.
   */
  | "stale-decision"
  /**
   * The fork would repeat calls of tools with effects. `details` lists the calls, and
   * `repeatEffects` allows them.
   */
  | "effects-repeat"
  /** The run has ended, so it can no longer be stopped or get messages. */
  | "run-ended"
  /** The agent could not be created, or refused its options. */
  | "agent-failed"
  /** The server failed. The message contains no internal details. */
  | "server-failed";

/**
 * How a visitor logs in: with a launch link from the terminal, with a password, or through a login
 * in front of the server.
 */
export type Entry = "launch-code" | "password" | "login";

/**
 * The first request of a page. `code` is the part of the address after `#code=`, or the password.
 * Without `code`, the browser must already have a valid cookie.
 */
export interface EnterRequest {
  readonly code?: string;
}

/**
 * The answer to {@link EnterRequest}. The page keeps the key in `sessionStorage`, and removes the
 * code from the address.
 */
export interface EnterReply {
  readonly key: string;
}

/** The facts about the server that a page needs first. */
export interface PageInfo {
  readonly wireVersion: number;
  /**
   * For a `tool`, there is no model: the page shows a form for its input instead of a field for
   * messages.
   */
  readonly mode: "agent" | "tool";
  /** The title of the page; empty if neither the options nor the agent have one. */
  readonly title: string;
  readonly description?: string;
  readonly agent: AgentCard;
  readonly examples: readonly Example[];
  /** The rules for uploads; null if uploads are off. */
  readonly uploads: UploadRules | null;
  /** Whether a run can be continued from one of its steps, with other code. */
  readonly canFork: boolean;
  /** Where sessions are kept: in `memory` until the server ends, or on `disk`. */
  readonly store: "memory" | "disk";
  readonly theme: "system" | "light" | "dark";
  /** A BCP 47 tag. Default: the browser's language. */
  readonly locale?: string;
  readonly visitor: { readonly name?: string };
}

/** The facts about an agent that are known without running it. */
export interface AgentCard {
  readonly name: string;
  readonly description?: string;
  readonly type?: "code" | "tool-calling";
  /** The id of the model. */
  readonly model?: string;
  readonly maxSteps?: number;
  /** The tools of the agent, without `finalAnswer`. */
  readonly tools: readonly ToolCard[];
  readonly managedAgents: readonly AgentCard[];
}

/** The facts about a tool that are known without calling it. */
export interface ToolCard {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly effects?: ToolEffects;
}

/** A prompt that an empty session offers. */
export interface Example {
  readonly title: string;
  readonly prompt: string;
}

/** The rules for uploads. */
export interface UploadRules {
  /** File extensions such as `.csv`, media types such as `image/png`, or `image/*`. */
  readonly accept: readonly string[];
  /** The largest size of one file, in bytes. */
  readonly maxBytes: number;
  /** The maximum number of files with one message. */
  readonly maxFiles: number;
}

/** The status of a session, as the list of sessions shows it. */
export type SessionStatus =
  | "empty"
  | "running"
  /** A call waits for a person. */
  | "waiting"
  | "done"
  | "failed"
  | "stopped"
  /** The server ended during a run. `continue` resumes the run. */
  | "interrupted";

/** A session in the list of sessions. */
export interface SessionSummary {
  readonly id: string;
  /** The start of the first task, until somebody renames the session. */
  readonly title: string;
  /** When the session was made, in epoch ms. */
  readonly createdAt: number;
  /** When the session was last changed, in epoch ms. */
  readonly changedAt: number;
  readonly status: SessionStatus;
  readonly runCount: number;
  /** An excerpt that contains the searched words. */
  readonly found?: string;
}

/** The sessions of a visitor, most recently changed first. */
export interface SessionList {
  readonly sessions: readonly SessionSummary[];
}

/** Creates an empty session. */
export interface NewSession {
  readonly title?: string;
}

/** Starts a run. `task` is for an agent, `input` for a tool. */
export interface StartRun {
  readonly task?: string;
  readonly input?: JsonValue;
  /** The ids of uploaded files for the task. */
  readonly uploads?: readonly string[];
  /**
   * A random id that the page generates. If the page repeats a request after a lost response, the
   * same id starts only one run.
   */
  readonly requestId: string;
}

/** The answer to {@link StartRun}: the id that the events of the run have. */
export interface RunStarted {
  readonly runId: string;
}

/** Sends a message to the working agent. The model gets it before its next step. */
export interface Say {
  readonly runId: string;
  readonly text: string;
}

/**
 * The answer to {@link Say}. `heard` is false if the run had ended; the page then starts a new run
 * with the text.
 */
export interface Said {
  readonly heard: boolean;
}

/** A person's decision about a call. The digest names the input that the person saw. */
export interface Decide {
  readonly runId: string;
  readonly callId: string;
  readonly digest: string;
  /**
   * The decision. If the person was asked whether an interrupted call took effect, it is a
   * `DoubtDecision`. The `input` and the `output` in a decision are plain JSON.
   */
  readonly decision: ApprovalDecision | DoubtDecision;
}

/** The answer to {@link Decide}: the decision is in the log. */
export interface Decided {
  readonly callId: string;
}

/** Deletes a message and everything after it. */
export interface Rewind {
  /** The run that the message started. */
  readonly runId: string;
}

/** Repeats a step of a run in a new session, which shares the steps before it. */
export interface Fork {
  readonly runId: string;
  /** The number of the step; the first is 1. */
  readonly stepNumber: number;
  /** The code for the repeated step. If absent, the model writes new code for the step. */
  readonly code?: string;
  /** A message to the agent before the repeated step. */
  readonly message?: string;
  /** Whether calls with effects may be repeated. Default: false. */
  readonly repeatEffects?: boolean;
}

/** The answer to {@link Fork}: the new session, and its run. */
export interface Forked {
  readonly session: SessionSummary;
  readonly runId: string;
}

/** The variables in the sandbox. */
export interface VariablesNow {
  readonly variables: readonly VariableSummary[];
}

/** A file that was uploaded. */
export interface Upload {
  readonly id: string;
  /** The name of the file on the visitor's machine. */
  readonly name: string;
  /** The media type found from the bytes. The name of the file is not trusted. */
  readonly mediaType: string;
  /** The size of the file in bytes. */
  readonly size: number;
}

/**
 * A message of a session's event stream. Each is one `data:` line of JSON.
 *
 * The `id:` is `<epoch>.<seq>`: the id of the session's log, and the number of the log's last event
 * that the page has after this message. Deltas (`TransientBody`) are not in the log; the server
 * joins those that a slow reader has not received yet. After each `hello`, the page discards the
 * text of deltas that it showed, because the server sends them again from their start.
 */
export type ServerMessage =
  /**
   * The first message of every connection. If the epoch (the id of the log) is new, the page
   * discards all events, because the session was rewound or reset.
   */
  | {
      readonly type: "hello";
      readonly epoch: string;
      /** Events after this number follow; 0 if all events follow. */
      readonly after: number;
      readonly state: SessionState;
    }
  /** Events in order, without gaps or duplicates. */
  | { readonly type: "events"; readonly events: readonly RunEvent[] }
  /**
   * The new state of the session. On a new connection, it is also sent when the reader has received
   * all earlier events.
   */
  | { readonly type: "state"; readonly state: SessionState }
  /** The variables after a step of the outermost agent. */
  | {
      readonly type: "variables";
      readonly runId: string;
      readonly stepNumber: number;
      readonly variables: readonly VariableSummary[];
    }
  /** The session was deleted, or has a new owner. This is the last message. */
  | { readonly type: "gone" };

/** The current state of a session. */
export interface SessionState {
  readonly summary: SessionSummary;
  readonly activity: "idle" | "starting" | "running" | "stopping";
  /** The id of the current run, or of the run that `continue` resumes. */
  readonly runId: string | null;
  /** The calls that wait for a person. */
  readonly pending: readonly PendingDecision[];
  /**
   * Why the last run could not be started, for example because the function that creates agents
   * threw.
   */
  readonly startError?: SerializedError;
}

/** A call that waits for a person. The decision must name its digest. */
export interface PendingDecision {
  /** `doubt`: the call began before a restart, and nobody knows whether it happened. */
  readonly kind: "approval" | "doubt";
  readonly callId: string;
  readonly runId: string;
  readonly path: Path;
  /** The name of the tool. */
  readonly name: string;
  /** The input of the tool. The call runs with exactly this input. */
  readonly input: EncodedValue;
  readonly digest: string;
  /** Whether each call needs its own decision. If so, the page does not offer "always". */
  readonly each: boolean;
  /** When the person was asked, in epoch ms. */
  readonly askedAt: number;
  /** Why the person's last edit of the input could not be used. */
  readonly problem?: string;
}
