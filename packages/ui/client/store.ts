// The state of the page, and the actions of its user. The state is changed in place. Components are
// notified once per frame.

import {
  type ApprovalDecision,
  type BlobRef,
  type DoubtDecision,
  type DurableEvent,
  isTransientEvent,
  type RunEvent,
  type VariableSummary,
} from "@smolts/protocol";
import type { Entry, Fork, PageInfo, ServerMessage, SessionState, SessionSummary } from "../src/wire.ts";
import { Connection, store as keep, RequestError, type SessionStream, type StreamState, stored } from "./connection.ts";
import { copyText } from "./copy-text.ts";
import {
  type CallView,
  createSessionFold,
  isDoubted,
  type RunView,
  type SessionFold,
  type SessionView,
  type StepView,
} from "./fold/session-view.ts";
import type { Translate } from "./languages/strings.ts";
import type { OpenSteps } from "./parts/step.tsx";
import { openReplay, type Replay } from "./replay.ts";
import { maxFileBytes, RunFileError } from "./run-file.ts";
import { asSentences } from "./text/as-sentences.ts";

/** The actions of a user. */
export interface Actions {
  readonly openSteps: OpenSteps;
  copy(text: string): void;
  download(name: string, mediaType: string, text: string): void;
  saveBlob(source: BlobRef, name: string): void;
  saveLog(): Promise<void>;
  saveHtml(): Promise<void>;
  send(): Promise<void>;
  stop(): Promise<void>;
  continueRun(): Promise<void>;
  /** Deletes the run and everything after it, and sends the changed task. */
  rerun(run: RunView, task: string): Promise<void>;
  /** Sends a decision. Returns null if it was accepted, else the reason. */
  decide(call: CallView, decision: ApprovalDecision | DoubtDecision): Promise<string | null>;
  problemOf(callId: string): string | null;
  upload(files: readonly File[]): Promise<void>;
  editLast(): void;
  goToStep(run: RunView, stepNumber: number): void;
  /** Opens the dialog for continuing from a step. */
  fork(step: StepView): void;
  /**
   * Continues from the step of the open dialog in a new session. Returns null on success, else the
   * problem.
   */
  forkWith(change: Pick<Fork, "code" | "message" | "repeatEffects">): Promise<ForkProblem | null>;
}

/** Why a run could not be continued from a step. */
export interface ForkProblem {
  readonly text: string;
  /** The calls that would be made again, if that is the problem; else null. */
  readonly effects: readonly string[] | null;
}

/** The tabs of the inspector. */
export type InspectorTab = "timeline" | "variables" | "memory" | "log";

/** The variables after a step. */
export interface VariablesAfter {
  readonly runId: string;
  readonly stepNumber: number;
  readonly variables: readonly VariableSummary[];
}

/** A file that is being uploaded or that waits for its message. */
export interface UploadDraft {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  readonly isDone: boolean;
  readonly id: string | null;
  readonly problem: string | null;
}

/** The open session, whose events the page receives. */
export class OpenSession {
  readonly id: string;
  fold: SessionFold = createSessionFold();
  readonly events: DurableEvent[] = [];
  readonly variables: VariablesAfter[] = [];
  state: SessionState | null = null;
  connection: StreamState = { type: "connecting" };
  isStopping = false;
  /** The task that was sent; null again as soon as its run begins. */
  sentTask: string | null = null;
  isGone = false;
  stream: SessionStream | null = null;
  #epoch: string | null = null;

  constructor(id: string) {
    this.id = id;
  }

  get view(): SessionView {
    return this.fold.view;
  }

  /** Whether a run is active or waits for a person. */
  get isActive(): boolean {
    const run = this.view.runs.at(-1);
    if (this.sentTask !== null) return true;
    if (this.state && ["running", "starting", "stopping"].includes(this.state.activity)) return true;
    if (this.state?.summary.status === "interrupted") return false;
    return run?.status === "suspended" || (run?.status === "running" && this.state?.activity !== "idle");
  }

  take(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        if (message.epoch !== this.#epoch) this.#restart(message.epoch);
        else this.fold.forgetDeltas();
        this.#takeState(message.state);
        break;
      case "events":
        for (const event of message.events) this.#takeEvent(event);
        break;
      case "state":
        this.#takeState(message.state);
        break;
      case "variables":
        this.variables.push(message);
        break;
      case "gone":
        this.isGone = true;
        break;
      default:
        message satisfies never;
    }
  }

  #restart(epoch: string): void {
    this.#epoch = epoch;
    this.fold = createSessionFold();
    this.events.length = 0;
    this.variables.length = 0;
  }

  #takeState(state: SessionState): void {
    this.state = state;
    if (state.activity === "idle" || state.startError) {
      this.isStopping = false;
      if (state.startError) this.sentTask = null;
    }
  }

  #takeEvent(event: RunEvent): void {
    if (!isTransientEvent(event) && event.seq > this.view.seq) this.events.push(event);
    if (event.type === "run-start" && event.path.length === 1) this.sentTask = null;
    if (event.type === "run-end" && event.path.length === 1) this.isStopping = false;
    this.fold.add(event);
  }
}

/** The state of the page, before and after the visitor is logged in. */
export type Entrance =
  | { readonly type: "entering" }
  | { readonly type: "locked"; readonly needs: Entry; readonly problem: string | null }
  | { readonly type: "unreachable"; readonly problem: string }
  /** The agent is on another server, which accepts no requests from this page. */
  | { readonly type: "foreign"; readonly server: URL }
  | { readonly type: "in" };

/** A message about the last action. The next action replaces it. */
export interface Notice {
  readonly text: string;
  readonly isProblem: boolean;
  /**
   * Whether the notice says that the server does not answer. Such a notice is removed when the
   * server answers.
   */
  readonly isAboutNetwork?: boolean;
}

/** The settings of a user. The browser stores them. */
export interface Settings {
  readonly theme: "system" | "light" | "dark";
  /** The chosen language; null for the browser's language. */
  readonly locale: string | null;
  readonly hasLetterKeys: boolean;
}

/** The whole state of the page. */
export class Store {
  readonly connection: Connection | null;
  entrance: Entrance = { type: "entering" };
  info: PageInfo | null = null;
  sessions: readonly SessionSummary[] = [];
  areSessionsLoaded = false;
  search = "";
  found: readonly SessionSummary[] | null = null;
  session: OpenSession | null = null;
  replay: Replay | null = null;
  tab: InspectorTab | null = null;
  isRailOpen = false;
  dialog: "palette" | "keys" | "about" | "settings" | "fork" | null = null;
  /** The step that the `fork` dialog continues from. */
  forkedStep: StepView | null = null;
  draft = "";
  uploads: readonly UploadDraft[] = [];
  notice: Notice | null = null;
  settings: Settings;
  focusComposer: () => void = () => {};
  reveal: { current: ((key: string) => void) | null } = { current: null };
  /** Called with each event of the shown session, from the first event on. */
  onEvent: ((event: RunEvent) => void) | null = null;
  readonly openSteps: OpenSteps = new Map();
  translate: Translate = (key) => key;
  readonly #listeners = new Set<() => void>();
  #isScheduled = false;
  #searchTimer: ReturnType<typeof setTimeout> | undefined;
  #listTimer: ReturnType<typeof setTimeout> | undefined;
  #nextUpload = 1;
  readonly #blobUrls = new Map<string, Promise<string | null>>();

  constructor(base: URL | null, settings: Partial<Settings> = {}) {
    this.connection = base ? new Connection(base) : null;
    this.settings = { ...readSettings(), ...settings };
    if (!base) this.entrance = { type: "in" };
  }

  /**
   * Whether messages can be sent. They can if there is a server with the page's origin and no run
   * file is shown.
   */
  get canAct(): boolean {
    return this.connection !== null && !this.connection.isForeign && this.replay === null;
  }

  /** The view to show: that of the run file, or else that of the session. */
  get view(): SessionView | null {
    return this.replay?.view ?? this.session?.view ?? null;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Renders at the next frame; in a hidden page, after a short time. */
  changed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const draw = (): void => {
      if (this.#isScheduled) this.#draw();
    };
    if (document.hidden) setTimeout(draw, 200);
    else requestAnimationFrame(draw);
  }

  #draw(): void {
    this.#isScheduled = false;
    for (const listener of this.#listeners) listener();
  }

  // ── Logging in ────────────────────────────────────────────────────────────

  async enter(code?: string): Promise<void> {
    if (!this.connection) return;
    try {
      if (code !== undefined || !this.connection.hasKey) await this.connection.enter(code);
      const sessions = this.refreshSessions();
      // `sessions` is awaited below. Without this handler, its rejection would be unhandled if the
      // other request failed first.
      sessions.catch(() => {});
      this.info = await this.connection.info();
      this.entrance = { type: "in" };
      await sessions;
      const last = stored(this.#lastName);
      if (last !== null && this.sessions.some(({ id }) => id === last)) this.open(last);
    } catch (error) {
      this.#lock(error);
    }
    this.changed();
  }

  #lock(error: unknown): void {
    const { code, message, needs } = asRequestError(error);
    if (this.connection?.isForeign && (code === "network" || code === "foreign-origin")) {
      this.entrance = { type: "foreign", server: this.connection.base };
      return;
    }
    if (code === "network") {
      this.entrance = { type: "unreachable", problem: message };
      return;
    }
    if (code === "not-entered" && this.connection?.hasKey) {
      this.connection.forgetKey();
      void this.enter();
      return;
    }
    this.entrance = { type: "locked", needs: needs ?? "launch-code", problem: code === "not-entered" ? null : message };
  }

  get #lastName(): string {
    return `smolts-session:${this.connection?.base.href ?? ""}`;
  }

  // ── Sessions ──────────────────────────────────────────────────────────────

  async refreshSessions(): Promise<void> {
    if (!this.connection) return;
    this.sessions = (await this.connection.sessions()).sessions;
    this.areSessionsLoaded = true;
    if (this.notice?.isAboutNetwork) this.notice = null;
    if (this.search !== "") this.found = (await this.connection.sessions(this.search)).sessions;
    this.changed();
  }

  /** Updates the list of sessions soon, to show the activity of sessions that are not open. */
  #refreshSoon(): void {
    clearTimeout(this.#listTimer);
    this.#listTimer = setTimeout(() => void this.refreshSessions().catch(() => {}), 150);
  }

  setSearch(words: string): void {
    this.search = words;
    clearTimeout(this.#searchTimer);
    if (words.trim() === "") this.found = null;
    else
      this.#searchTimer = setTimeout(async () => {
        try {
          const { sessions } = (await this.connection?.sessions(words)) ?? { sessions: [] };
          if (this.search === words) this.found = sessions;
        } catch (error) {
          this.#say(error);
        }
        this.changed();
      }, 200);
    this.changed();
  }

  /** Shows the empty page. The session is created when its first message is sent. */
  startNew(): void {
    this.#leave();
    this.isRailOpen = false;
    this.changed();
    requestAnimationFrame(() => this.focusComposer());
  }

  open(id: string): void {
    this.isRailOpen = false;
    if (this.session?.id === id && !this.replay) return this.changed();
    this.#leave();
    const session = new OpenSession(id);
    this.session = session;
    keep(this.#lastName, id);
    session.stream =
      this.connection?.stream(id, {
        message: (message) => {
          session.take(message);
          if (message.type === "events" && this.onEvent) message.events.forEach(this.onEvent);
          if (message.type === "state") this.#refreshSoon();
          if (session.isGone && this.session === session) this.startNew();
          this.changed();
        },
        state: (state) => {
          session.connection = state;
          this.changed();
        },
        refused: (error) => {
          if (error.code === "not-found") {
            this.startNew();
            this.#refreshSoon();
          } else this.#lock(error);
          this.changed();
        },
      }) ?? null;
    this.changed();
  }

  #leave(): void {
    this.session?.stream?.close();
    this.session = null;
    this.replay?.close();
    this.replay = null;
    this.uploads = [];
    this.notice = null;
    keep(this.#lastName, null);
  }

  async remove(id: string): Promise<void> {
    await this.#try(async () => {
      await this.connection?.remove(id);
      if (this.session?.id === id) this.#leave();
      await this.refreshSessions();
    });
  }

  async rename(id: string, title: string): Promise<void> {
    await this.#try(async () => {
      await this.connection?.rename(id, title);
      await this.refreshSessions();
    });
  }

  reconnect(): void {
    this.session?.stream?.retryNow();
    this.#refreshSoon();
  }

  /**
   * Pauses the stream while the page is hidden, and continues it when the page is visible again.
   */
  pause(isHidden: boolean): void {
    this.session?.stream?.pause(isHidden);
    if (!isHidden) this.#refreshSoon();
  }

  // ── The field for messages ────────────────────────────────────────────────

  setDraft(text: string): void {
    this.draft = text;
    this.changed();
  }

  removeUpload(key: number): void {
    this.uploads = this.uploads.filter((upload) => upload.key !== key);
    this.changed();
  }

  /** Opens or closes all steps, including those that a long list has not rendered. */
  openAllSteps(isOpen: boolean): void {
    for (const item of this.view?.runs.flatMap(({ items }) => items) ?? []) {
      this.openSteps.set(item.key, isOpen);
      item.version++;
    }
    this.changed();
  }

  setTab(tab: InspectorTab | null): void {
    this.tab = tab;
    this.changed();
  }

  show(dialog: Store["dialog"]): void {
    this.dialog = dialog;
    // Render now, because the next key press may come before the next frame.
    this.#draw();
  }

  set(settings: Partial<Settings>): void {
    this.settings = { ...this.settings, ...settings };
    writeSettings(this.settings);
    this.changed();
  }

  /** Plays a run file. Nothing of it is sent anywhere. */
  async openFile(file: File): Promise<void> {
    try {
      if (file.size > maxFileBytes) throw new RunFileError("too-large");
      this.openText(file.name, await file.text());
    } catch (error) {
      this.notice = { text: this.#fileProblem(error, file.name), isProblem: true };
    }
    this.changed();
  }

  /** Shows the text of a run file. */
  openText(name: string, text: string): void {
    const replay = openReplay(name, text, () => this.changed());
    this.#leave();
    this.replay = replay;
    this.isRailOpen = false;
    this.changed();
  }

  #fileProblem(error: unknown, name: string): string {
    const type = error instanceof RunFileError ? error.type : "not-a-run";
    const key = type === "empty" ? "fileEmpty" : type === "too-large" ? "fileTooLarge" : "fileNoRun";
    return this.translate(key, { name });
  }

  blobUrl = (digest: string): Promise<string | null> => {
    const inFile = this.replay?.file.blobs.get(digest);
    if (inFile) return Promise.resolve(`data:${inFile.mediaType};base64,${inFile.base64}`);
    if (!this.session || !this.connection) return Promise.resolve(null);
    const key = `${this.session.id}/${digest}`;
    const known = this.#blobUrls.get(key);
    if (known) return known;
    const url = this.connection
      .blob(this.session.id, digest)
      .then((blob) => URL.createObjectURL(blob))
      .catch(() => null);
    this.#blobUrls.set(key, url);
    return url;
  };

  // ── Actions of the user ───────────────────────────────────────────────────

  readonly actions: Actions = {
    openSteps: this.openSteps,
    copy: (text) => {
      const said = (key: "copied" | "notCopied", isProblem: boolean): void => {
        this.notice = { text: this.translate(key), isProblem };
        this.changed();
      };
      void copyText(text).then(
        () => said("copied", false),
        () => said("notCopied", true),
      );
    },
    download: (name, mediaType, text) => save(new Blob([text], { type: mediaType }), name),
    saveBlob: (source, name) => {
      void this.blobUrl(source.digest).then(async (url) => {
        if (url !== null) save(await (await fetch(url)).blob(), name);
      });
    },
    saveLog: () =>
      this.#try(async () => {
        const { session, connection, replay } = this;
        if (replay)
          save(
            new Blob([linesOf(replay.file.events)], { type: "application/x-ndjson" }),
            fileName(replay.name, "jsonl"),
          );
        else if (session && connection) await this.#saveFile(session, "log", "jsonl");
      }),
    saveHtml: () =>
      this.#try(async () => {
        const { session, connection } = this;
        if (session && connection) await this.#saveFile(session, "export.html", "html");
      }),
    send: () => this.#send(),
    stop: () =>
      this.#try(async () => {
        const { session } = this;
        if (!session) return;
        session.isStopping = true;
        this.changed();
        await this.connection
          ?.stop(session.id, session.state?.runId ?? session.view.runs.at(-1)?.id ?? null)
          .catch((error: unknown) => {
            session.isStopping = false;
            throw error;
          });
      }),
    continueRun: () =>
      this.#try(async () => {
        if (this.session) await this.connection?.continueRun(this.session.id);
      }),
    rerun: (run, task) =>
      this.#try(async () => {
        const { session, connection } = this;
        if (!session || !connection) return;
        await connection.rewind(session.id, run.id);
        await this.#start(session, task);
      }),
    decide: async (call, decision) => {
      const { session, connection } = this;
      const asked = isDoubted(call) ? call.doubt : call.approval;
      if (!session || !connection || !asked) return null;
      try {
        const { runId, callId, digest } = asked;
        await connection.decide(session.id, { runId, callId, digest, decision });
        return null;
      } catch (error) {
        const { code, message, hint } = asRequestError(error);
        return code === "stale-decision" ? this.translate("decidedElsewhere") : hint ? `${message}. ${hint}` : message;
      }
    },
    problemOf: (callId) => this.session?.state?.pending.find((pending) => pending.callId === callId)?.problem ?? null,
    upload: (files) => this.#upload(files),
    editLast: () => {
      const last = this.session?.view.runs.at(-1);
      if (!last || this.session?.isActive) return;
      this.draft = last.task.map((part) => (part.type === "text" ? part.text : "")).join("");
      this.changed();
    },
    fork: (step) => {
      this.forkedStep = step;
      this.show("fork");
    },
    forkWith: async (change) => {
      const { session, connection, forkedStep } = this;
      if (!session || !connection || !forkedStep) return null;
      try {
        const { id: runId } = forkedStep.run;
        const forked = await connection.fork(session.id, { runId, stepNumber: forkedStep.number, ...change });
        this.sessions = [forked.session, ...this.sessions];
        this.dialog = null;
        this.open(forked.session.id);
        return null;
      } catch (error) {
        const { code, message, hint, details } = asRequestError(error);
        const text = code === "network" ? this.translate("serverGone") : asSentences(message, hint);
        return { text, effects: code === "effects-repeat" ? effectsOf(details) : null };
      }
    },
    goToStep: (run, stepNumber) => {
      const step = run.items.find((item) => item.type === "step" && item.number === stepNumber);
      if (!step) return;
      this.openSteps.set(step.key, true);
      step.version++;
      this.changed();
      requestAnimationFrame(() => this.reveal.current?.(step.key));
    },
  };

  async #saveFile(session: OpenSession, name: "log" | "export.html", ending: string): Promise<void> {
    const { blob, redacted } = await this.connection!.file(session.id, name);
    save(blob, fileName(session.state?.summary.title, ending));
    if (redacted > 0) this.notice = { text: this.translate("secretsRemoved", { count: redacted }), isProblem: false };
  }

  /**
   * Sends the text in the field: as a task, as a message to the working agent, or as the reason for
   * a denial.
   */
  async #send(): Promise<void> {
    const text = this.draft.trim();
    const { connection } = this;
    if ((text === "" && this.uploads.length === 0) || !connection) return;
    const { session } = this;
    this.draft = "";
    this.notice = null;
    this.changed();
    await this.#try(
      async () => {
        const waiting = session ? [...session.view.waiting.values()].find((call) => !isDoubted(call)) : undefined;
        if (waiting) {
          const problem = await this.actions.decide(waiting, { type: "deny", reason: text });
          if (problem !== null) throw new RequestError("stale-decision", problem);
          return;
        }
        if (session?.isActive && session.state?.runId) {
          const { heard } = await connection.say(session.id, session.state.runId, text);
          if (heard) return;
        }
        await this.#start(session ?? (await this.#create()), text);
      },
      () => {
        this.draft = text; // keep the text of the user
      },
    );
  }

  async #create(): Promise<OpenSession> {
    const uploads = this.uploads;
    const summary = await this.connection!.createSession();
    this.sessions = [summary, ...this.sessions];
    this.open(summary.id);
    this.uploads = uploads;
    return this.session!;
  }

  async #start(session: OpenSession, task: string): Promise<void> {
    session.sentTask = task;
    this.changed();
    const uploads = this.uploads.flatMap(({ id }) => (id === null ? [] : [id]));
    const requestId = crypto.randomUUID();
    const run = { task, requestId, ...(uploads.length > 0 ? { uploads } : {}) };
    try {
      await this.connection!.start(session.id, run);
    } catch (error) {
      // The run may have started although the response was lost. Repeating the same request does
      // not start a second run.
      if (asRequestError(error).code !== "network") {
        session.sentTask = null;
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 800));
      await this.connection!.start(session.id, run).catch((again: unknown) => {
        session.sentTask = null;
        throw again;
      });
    }
    this.uploads = [];
    this.#refreshSoon();
  }

  async #upload(files: readonly File[]): Promise<void> {
    const rules = this.info?.uploads;
    if (!rules) return;
    await this.#try(async () => {
      const session = this.session ?? (await this.#create());
      for (const file of files.slice(0, rules.maxFiles)) {
        const key = this.#nextUpload++;
        const draft = { key, name: file.name, size: file.size, isDone: false, id: null, problem: null };
        this.uploads = [...this.uploads, draft];
        this.changed();
        const set = (change: Partial<UploadDraft>): void => {
          this.uploads = this.uploads.map((upload) => (upload.key === key ? { ...upload, ...change } : upload));
          this.changed();
        };
        if (file.size > rules.maxBytes) set({ problem: this.translate("tooLarge") });
        else
          await this.connection!.upload(session.id, file).then(
            ({ id }) => set({ id, isDone: true }),
            (error: unknown) => set({ problem: asRequestError(error).message }),
          );
      }
    });
  }

  async #try(action: () => Promise<void>, undo: () => void = () => {}): Promise<void> {
    try {
      await action();
    } catch (error) {
      undo();
      this.#say(error);
    }
    this.changed();
  }

  #say(error: unknown): void {
    const { code, message, hint } = asRequestError(error);
    if (code === "not-entered") return this.#lock(error);
    // The line above the message field already says why the run did not start.
    if (code === "agent-failed") return this.changed();
    const isAboutNetwork = code === "network";
    const text = isAboutNetwork ? this.translate("serverGone") : asSentences(message, hint);
    this.notice = { text, isProblem: true, isAboutNetwork };
    this.changed();
  }
}

/** Returns each call as one line of text. */
function effectsOf(details: unknown): readonly string[] {
  if (!Array.isArray(details)) return [];
  return details.map((call: { readonly name?: unknown; readonly input?: unknown }) =>
    `${String(call.name)} ${JSON.stringify(call.input) ?? ""}`.slice(0, 300),
  );
}

function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  return new RequestError("server-failed", error instanceof Error ? error.message : String(error));
}

/** Returns the text of a run file. */
const linesOf = (events: readonly DurableEvent[]): string =>
  `${events.map((event) => JSON.stringify(event)).join("\n")}\n`;

function fileName(title: string | undefined, ending: string): string {
  const safe = (title ?? "run")
    .replace(/\.(?:jsonl|html)$/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${safe === "" ? "run" : safe.toLowerCase()}.${ending}`;
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const settingsName = "smolts-settings";

function readSettings(): Settings {
  const none: Settings = { theme: "system", locale: null, hasLetterKeys: true };
  try {
    const kept = JSON.parse(localStorage.getItem(settingsName) ?? "{}") as Partial<Settings>;
    return {
      theme: kept.theme === "light" || kept.theme === "dark" ? kept.theme : "system",
      locale: typeof kept.locale === "string" ? kept.locale : null,
      hasLetterKeys: kept.hasLetterKeys !== false,
    };
  } catch {
    return none;
  }
}

function writeSettings(settings: Settings): void {
  try {
    localStorage.setItem(settingsName, JSON.stringify(settings));
  } catch {
    // Without storage, the page has its default settings after a reload.
  }
}
