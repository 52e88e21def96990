// The area below the run: a line about its current activity with a Stop button, and the field for
// messages. Its height does not change while a run streams.

import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { type Phase, phaseOf, stepNumberOf } from "../fold/phase.ts";
import { type RunView, totalUsageOf } from "../fold/session-view.ts";
import type { OpenSession, Store, UploadDraft } from "../store.ts";
import { asSentences } from "../text/as-sentences.ts";
import { visibleText } from "../text/odd-characters.ts";
import { Icon, IconButton } from "./icon.tsx";
import { useNow } from "./use-now.ts";

/** Shows the current activity of a session; nothing while it is idle. */
export function StatusLine({ session, store }: { readonly session: OpenSession; readonly store: Store }): VNode | null {
  const { t, figures, actions } = useApp();
  const now = useNow(session.isActive);
  const run = session.view.runs.at(-1);
  const { connection, state } = session;
  if (connection.type === "lost")
    return (
      <div class="status fault">
        <i class="pulse" aria-hidden="true" />
        <span class="what">{t(session.isActive ? "connectionLost" : "serverGone")}</span>
        <span class="of">
          {t("reconnecting", { seconds: Math.max(0, Math.ceil((connection.retryAt - now) / 1_000)) })}
        </span>
        <span class="push" />
        <button type="button" class="button" onClick={() => store.reconnect()}>
          {t("tryNow")}
        </button>
      </div>
    );
  if (state?.startError)
    return (
      <div class="status fault">
        <i class="dot fault" aria-hidden="true" />
        <span class="what">{t("startFailed")}</span>
        <span class="of" title={state.startError.message}>
          {visibleText(asSentences(state.startError.message, state.startError.hint))}
        </span>
      </div>
    );
  if (state?.summary.status === "interrupted" && run)
    return (
      <div class="status person">
        <i class="pulse" aria-hidden="true" />
        <span class="what">{t("interrupted")}</span>
        <span class="of">{t("interruptedWhy")}</span>
        <span class="push" />
        <button type="button" class="button" onClick={() => void actions?.continueRun()}>
          {t("continueFrom", { number: stepNumberOf(run) })}
        </button>
      </div>
    );
  if (!session.isActive) return null;
  const isCurrent = run && (run.status === "running" || run.status === "suspended");
  const phase: Phase = isCurrent ? phaseOf(run, session.view.waiting.values()) : { type: "starting" };
  const isStopping = session.isStopping || state?.activity === "stopping";
  return (
    <div class={`status ${phase.type === "waiting" ? "person" : phase.type === "retrying" ? "fault" : ""}`}>
      <i class="pulse" aria-hidden="true" />
      <span class="what">{isStopping ? t("stopping") : phaseText(phase, t, now)}</span>
      <span class="of">{isCurrent && !isStopping ? stepText(run, phase, t) : ""}</span>
      <span class="push" />
      {isCurrent ? (
        <RunFigures run={run} now={now} isWaiting={phase.type === "waiting"} figures={figures} t={t} />
      ) : null}
      <button type="button" class="button stop" data-stop disabled={isStopping} onClick={() => void actions?.stop()}>
        <i class="square" aria-hidden="true" />
        {t("stop")}{" "}
        <span class="kbd" aria-hidden="true">
          Esc
        </span>
      </button>
    </div>
  );
}

interface RunFiguresProps {
  readonly run: RunView;
  readonly now: number;
  readonly isWaiting: boolean;
  readonly figures: ReturnType<typeof useApp>["figures"];
  readonly t: ReturnType<typeof useApp>["t"];
}

function RunFigures({ run, now, isWaiting, figures, t }: RunFiguresProps): VNode {
  const usage = totalUsageOf(run);
  return (
    <>
      <span class="figure wide">{isWaiting ? t("limitsPaused") : figures.duration(now - run.startTime)}</span>
      {usage.totalTokens > 0 ? (
        <span class="figure wide">{t("tokens", { count: figures.count(usage.totalTokens) })}</span>
      ) : null}
      {usage.costUsd ? <span class="figure wide cost">{figures.cost(usage.costUsd)}</span> : null}
    </>
  );
}

function phaseText(phase: Phase, t: ReturnType<typeof useApp>["t"], now: number): string {
  switch (phase.type) {
    case "starting":
      return t("starting");
    case "planning":
      return t("planning");
    case "thinking":
      return t("thinking");
    case "writing-code":
      return t("writingCode");
    case "running-code":
      return t("runningCode");
    case "calling":
      return t("callingTool", { names: phase.names.slice(0, 2).join(", ") });
    case "waiting":
      return t("waitingForYou");
    case "retrying":
      return t("tryingAgain", { seconds: Math.max(0, Math.ceil((phase.at - now) / 1_000)) });
    case "agent":
      return t("agentWorks", { name: phase.name, what: phaseText(phase.phase, t, now).toLocaleLowerCase() });
    default:
      return phase satisfies never;
  }
}

function stepText(run: RunView, phase: Phase, t: ReturnType<typeof useApp>["t"]): string {
  const step = stepNumberOf(run);
  const place =
    step === 0 ? "" : step > run.maxSteps ? t("lastAnswer") : t("stepOf", { number: step, count: run.maxSteps });
  if (phase.type === "agent" && phase.count > 1) return `${place}, ${t("agentsAtOnce", { count: phase.count })}`;
  if (phase.type === "retrying") return t("attempt", { number: phase.attempt });
  return place;
}

/**
 * The field for a person's text: a new task, a message to the working agent, or the reason for a
 * denial.
 */
export function Composer({ session, store }: { readonly session: OpenSession | null; readonly store: Store }): VNode {
  const { t, info, actions, canAct } = useApp();
  const area = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const text = store.draft;
  const isWaiting = (session?.view.waiting.size ?? 0) > 0;
  const isActive = session?.isActive ?? false;
  const isOffline = session?.connection.type === "lost";
  const placeholder = isWaiting
    ? t("denyBySaying")
    : isActive
      ? t("steer")
      : info?.title
        ? t("askAbout", { title: visibleText(info.title) })
        : t("message");
  useLayoutEffect(() => {
    store.focusComposer = () => area.current?.focus();
  }, [store]);
  const uploads = store.uploads;
  const canSend = canAct && isSendable(store);
  const send = (): void => {
    // Check again: Enter may be pressed before the last letters are rendered.
    if (canAct && isSendable(store)) void actions?.send();
  };
  return (
    <form
      class="composer"
      aria-label={t("message")}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {uploads.length > 0 ? <Uploads uploads={uploads} store={store} /> : null}
      <textarea
        ref={area}
        rows={1}
        dir="auto"
        aria-label={placeholder}
        placeholder={placeholder}
        value={text}
        onInput={(event) => store.setDraft(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = [...(event.clipboardData?.files ?? [])];
          if (pasted.length === 0 || !info?.uploads) return;
          event.preventDefault();
          void actions?.upload(pasted);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
            event.preventDefault();
            send();
          }
          if (event.key === "ArrowUp" && store.draft === "") actions?.editLast();
        }}
      />
      <div class="bar">
        {info?.uploads ? (
          <>
            <IconButton icon="clip" label={t("attach")} onClick={() => files.current?.click()} />
            <input
              ref={files}
              type="file"
              multiple
              hidden
              aria-label={t("attach")}
              accept={info.uploads.accept.join(",")}
              onChange={(event) => {
                void actions?.upload([...(event.currentTarget.files ?? [])]);
                event.currentTarget.value = "";
              }}
            />
          </>
        ) : null}
        <span class="model">{visibleText((info?.agent.model ?? "").replace(/^[^/]*\//, ""))}</span>
        <span class="spacer" />
        <button
          class="send"
          type="submit"
          aria-label={t("send")}
          title={t(isOffline ? "serverGone" : "send")}
          disabled={!canSend}
        >
          <Icon name="up" />
        </button>
      </div>
    </form>
  );
}

/** Says whether there is something to send and the server can be reached. */
function isSendable({ session, draft, uploads }: Store): boolean {
  return (
    session?.connection.type !== "lost" &&
    (draft.trim() !== "" || uploads.some(({ isDone }) => isDone)) &&
    // Do not wait for a file that the server refused. It shows its problem, and is not sent.
    uploads.every(({ isDone, problem }) => isDone || problem !== null)
  );
}

function Uploads({ uploads, store }: { readonly uploads: readonly UploadDraft[]; readonly store: Store }): VNode {
  const { t, figures } = useApp();
  return (
    <ul class="uploads" aria-label={t("attachments")}>
      {uploads.map((upload) => (
        <li key={upload.key} class={`chip ${upload.problem ? "wrong" : ""}`}>
          <Icon name="file" size={14} />
          <span>{visibleText(upload.name)}</span>
          <span class="figure">
            {upload.problem ? visibleText(upload.problem) : upload.isDone ? figures.bytes(upload.size) : t("uploading")}
          </span>
          <button
            type="button"
            aria-label={t("removeFile", { name: upload.name })}
            onClick={() => store.removeUpload(upload.key)}
          >
            <Icon name="close" size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}
