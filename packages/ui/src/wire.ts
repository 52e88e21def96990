// The messages between the server and the page. The page reads the run log itself: the same events
// that a run file holds, so that a live run, a reload and a replay go through one fold. Everything
// else here is what a log cannot say: who may do what, and what is going on now.
//
// Every path below is relative to where the page is mounted. Every request but the page and its
// assets carries the cookie *and* the header `keyHeader`: either alone is useless.
//
//   GET    ./                                       the page; assets/agent-ui.js, assets/agent-ui.css, assets/favicon.svg
//   POST   ./api/enter                              EnterRequest      -> EnterReply; 401 Refusal when the code or password is wrong or used up
//   GET    ./api/info                               -> PageInfo
//   GET    ./api/sessions?search=words              -> SessionList
//   POST   ./api/sessions                           NewSession        -> SessionSummary
//   PATCH  ./api/sessions/:id                       { title }         -> SessionSummary
//   DELETE ./api/sessions/:id                       -> 204; a run that is going on is stopped first
//   GET    ./api/sessions/:id/events                -> text/event-stream of ServerMessage; header `Last-Event-ID`, or ?after=<id>, continues there
//   POST   ./api/sessions/:id/runs                  StartRun          -> 202 RunStarted
//   POST   ./api/sessions/:id/stop                  { runId }         -> 202; the only thing that ends a run early. Leaving the page never does
//   POST   ./api/sessions/:id/say                   Say               -> Said
//   POST   ./api/sessions/:id/decisions             Decide            -> Decided; 409 Refusal `stale-decision` when somebody else was first
//   POST   ./api/sessions/:id/continue              {}                -> 202 RunStarted: continues a run that a restart of the server cut off
//   POST   ./api/sessions/:id/rewind                Rewind            -> SessionSummary: forgets that message and all after it. The epoch changes
//   POST   ./api/sessions/:id/fork                  Fork              -> 201 Forked: a session of its own; 409 Refusal `effects-repeat`
//   GET    ./api/sessions/:id/variables             -> VariablesNow
//   GET    ./api/sessions/:id/log                   -> application/x-ndjson, the run file, as an attachment
//   GET    ./api/sessions/:id/export.html           -> one inert file, as an attachment
//   GET    ./api/sessions/:id/blobs/:digest         -> bytes that the log names. Images and sounds of known kinds; everything else is an attachment
//   POST   ./api/sessions/:id/uploads?name=<name>   the bytes         -> Upload; 413, 415 Refusal
//
// Browsers open six connections to a server over HTTP/1.1, and an event stream holds one as long as
// it lives: a page that is hidden closes its stream, and continues with `Last-Event-ID` when it is
// shown. So ten tabs work.
//
// An exported page is `<template id="run-file">` with the run file as base64,
// `<style id="agent-ui-style">` which the element adopts (its shadow root sees no other), and
// `<agent-ui run="#run-file">`. A run file is one event a line, and behind them
// `{ type: "blob", digest, mediaType, base64 }` for each image and sound.
//
// A refusal has a status >= 400 and the body `Refusal`. A network error means that the server is
// gone: the page goes on trying.

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
 * Rises with each change that an older page would misread. The page reloads itself when the server
 * has another one.
 */
export const wireVersion = 1;

/** The header with the page's key, on every request of the API. */
export const keyHeader = "x-smolts-key";

/** The header of a run file that says how many texts of it had secrets, which were taken out. */
export const redactedHeader = "x-smolts-redacted";

/** Why the server said no. */
export interface Refusal {
  readonly error: {
    readonly code: RefusalCode;
    /** For people; lower case, no full stop. */
    readonly message: string;
    /** A hint. */
    readonly hint?: string;
    readonly details?: JsonValue;
  };
}

/** Why the server said no, for programs. */
export type RefusalCode =
  /** No cookie, no key, or not this visitor's. `details.needs` says how to enter: `Entry`. */
  | "not-entered"
  /** The launch code or the password is wrong, was used, or is too old. */
  | "wrong-code"
  /** The request comes from another site, or to a name that is not this server's. */
  | "foreign-origin"
  | "not-found"
  /** Too many requests, sessions or runs at once. `Retry-After` says when. */
  | "too-many"
  | "too-large"
  | "wrong-type"
  /** The request makes no sense; the message says what was expected. */
  | "bad-request"
  /** A run of this session is going on, or waits for a decision. */
  | "busy"
  /**
   * The request is not open any more, has changed, or was decided otherwise. `details.by` says by
   * whom.
   */
  | "stale-decision"
  /**
   * The steps that a fork does again have called tools with effects; `details` has the calls.
   * `repeatEffects` allows it.
   */
  | "effects-repeat"
  /** Nobody listens any more: the run has ended. */
  | "run-ended"
  /** The agent could not be made, or refused its options. */
  | "agent-failed"
  /** A fault of the server. The message says nothing that must stay there. */
  | "server-failed";

/**
 * How a visitor gets in: with a launch link from the terminal, with a password, or by a login in
 * front of the server.
 */
export type Entry = "launch-code" | "password" | "login";

/**
 * The first request. `code` is the part of the address after `#code=`, or the password. Without it,
 * the cookie must be known already.
 */
export interface EnterRequest {
  readonly code?: string;
}

/** The page keeps the key in `sessionStorage`, and takes the code out of the address. */
export interface EnterReply {
  readonly key: string;
}

/** The first message to the page. */
export interface PageInfo {
  readonly wireVersion: number;
  /** A `tool` has no model: the page shows a form of its input instead of a composer. */
  readonly mode: "agent" | "tool";
  /** Empty for an agent without a name, where no title is given either. */
  readonly title: string;
  readonly description?: string;
  readonly agent: AgentCard;
  readonly examples: readonly Example[];
  /** Null when uploads are off. */
  readonly uploads: UploadRules | null;
  /** Whether a run can be continued from one of its steps, with other code. */
  readonly canFork: boolean;
  /** Where sessions live: `memory` until the server ends, or `disk`. */
  readonly store: "memory" | "disk";
  readonly theme: "system" | "light" | "dark";
  /** A BCP 47 tag; the browser's when absent. */
  readonly locale?: string;
  readonly visitor: { readonly name?: string };
}

/** What can be known of an agent without running it. */
export interface AgentCard {
  readonly name: string;
  readonly description?: string;
  readonly type?: "code" | "tool-calling";
  /** The model's id. */
  readonly model?: string;
  readonly maxSteps?: number;
  /** `finalAnswer` left out. */
  readonly tools: readonly ToolCard[];
  readonly managedAgents: readonly AgentCard[];
}

/** What can be known of a tool. */
export interface ToolCard {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly effects?: ToolEffects;
}

/** A prompt that is offered while a session is empty. */
export interface Example {
  readonly title: string;
  readonly prompt: string;
}

/** What may be uploaded. */
export interface UploadRules {
  /** Endings such as `.csv`, media types such as `image/png`, or `image/*`. */
  readonly accept: readonly string[];
  /** Of one file, in bytes. */
  readonly maxBytes: number;
  /** With one message. */
  readonly maxFiles: number;
}

/** The activity of a session, for its row in the rail. */
export type SessionStatus =
  | "empty"
  | "running"
  /** A call waits for a person. */
  | "waiting"
  | "done"
  | "failed"
  | "stopped"
  /** The server ended during a run. `continue` resumes it. */
  | "interrupted";

/** A session in the rail. */
export interface SessionSummary {
  readonly id: string;
  /** The first task's beginning, until somebody renames it. */
  readonly title: string;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms. */
  readonly changedAt: number;
  readonly status: SessionStatus;
  readonly runCount: number;
  /** Where the words of a search were found. */
  readonly found?: string;
}

/** The sessions of a visitor, the last changed one first. */
export interface SessionList {
  readonly sessions: readonly SessionSummary[];
}

/** A new, empty session. */
export interface NewSession {
  readonly title?: string;
}

/** Starts a run. `input` is for a tool, `task` for an agent. */
export interface StartRun {
  readonly task?: string;
  readonly input?: JsonValue;
  /** Ids of uploads. */
  readonly uploads?: readonly string[];
  /** Made by the page: the same request sent twice, as after a lost answer, starts one run. */
  readonly requestId: string;
}

/** The run's id, which its events carry. */
export interface RunStarted {
  readonly runId: string;
}

/** Says something to the agent at work; it hears it before its next step. */
export interface Say {
  readonly runId: string;
  readonly text: string;
}

/** False when the run had ended: the page then starts a new run with the text. */
export interface Said {
  readonly heard: boolean;
}

/** A person's decision. It names the shown input by digest. */
export interface Decide {
  readonly runId: string;
  readonly callId: string;
  readonly digest: string;
  /**
   * An edit's `input` is plain JSON, and so is the `output` of a call that happened. A doubt is
   * answered by a `DoubtDecision`.
   */
  readonly decision: ApprovalDecision | DoubtDecision;
}

/** The decision is in the log. */
export interface Decided {
  readonly callId: string;
}

/** Which message is taken back, and everything after it. */
export interface Rewind {
  /** The run that the message started. */
  readonly runId: string;
}

/** Does a step of a run again, in a new session that shares the steps before it. */
export interface Fork {
  readonly runId: string;
  /** 1-based. */
  readonly stepNumber: number;
  /** Runs in that step; when absent, the model writes it again. */
  readonly code?: string;
  /** Said to the agent there. */
  readonly message?: string;
  /** Whether calls with effects may be made again; false when absent. */
  readonly repeatEffects?: boolean;
}

/** The new session, and the run in it. */
export interface Forked {
  readonly session: SessionSummary;
  readonly runId: string;
}

/** The sandbox's variables. */
export interface VariablesNow {
  readonly variables: readonly VariableSummary[];
}

/** A file that was taken. */
export interface Upload {
  readonly id: string;
  /** As the visitor's machine called it. */
  readonly name: string;
  /** The actual type of the bytes, whatever the name says. */
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * The messages of a session's event stream. Each is one `data:` line of JSON.
 *
 * The `id:` is `<epoch>.<seq>`: of the last durable event that the page then has. Deltas
 * (`PassingBody`) have no place in the log; the server joins those that a slow reader has not been
 * sent. After each `hello` the page throws away what it showed of deltas: they come again, from
 * their beginning.
 */
export type ServerMessage =
  /**
   * First on every connection. With another epoch than before, the page forgets all events: the
   * session was rewound or reset.
   */
  | {
      readonly type: "hello";
      readonly epoch: string;
      /** The events that follow begin after this one; 0 for all. */
      readonly after: number;
      readonly state: SessionState;
    }
  /** In order, without a gap and without a repetition. */
  | { readonly type: "events"; readonly events: readonly RunEvent[] }
  /**
   * Whatever is going on has changed. On a new connection also once the reader has everything that
   * had happened.
   */
  | { readonly type: "state"; readonly state: SessionState }
  /** After each step of the outermost agent. */
  | {
      readonly type: "variables";
      readonly runId: string;
      readonly stepNumber: number;
      readonly variables: readonly VariableSummary[];
    }
  /** The session was deleted, or has a new owner. The last message. */
  | { readonly type: "gone" };

/** The current activity in a session. */
export interface SessionState {
  readonly summary: SessionSummary;
  readonly activity: "idle" | "starting" | "running" | "stopping";
  /** The current run, or the run that `continue` resumes. */
  readonly runId: string | null;
  /** The calls that wait for a person. */
  readonly pending: readonly PendingDecision[];
  /** Why the last start failed before there was a run, such as a factory that threw. */
  readonly startError?: SerializedError;
}

/** A call that waits for a person. The digest goes back with the decision. */
export interface PendingDecision {
  /** `doubt`: the call began before a restart, and nobody knows whether it happened. */
  readonly kind: "approval" | "doubt";
  readonly callId: string;
  readonly runId: string;
  readonly path: Path;
  /** The tool. */
  readonly name: string;
  /** The tool's input: exactly these bytes run. */
  readonly input: EncodedValue;
  readonly digest: string;
  /** Each call needs its own decision: "always" is not offered. */
  readonly each: boolean;
  /** Epoch ms. */
  readonly askedAt: number;
  /** Why the last edit could not be used. */
  readonly problem?: string;
}
