// The list of sessions, grouped by day, with a search in their messages.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SessionStatus, SessionSummary } from "../../src/wire.ts";
import { useApp } from "../app-context.ts";
import type { Store } from "../store.ts";
import { visibleText } from "../text/odd-characters.ts";
import { Fish, Icon, IconButton } from "./icon.tsx";

/** The list on the left; on small screens, a sheet. */
export function Rail({ store }: { readonly store: Store }): VNode {
  const { t, info } = useApp();
  const now = Date.now();
  const { search, found } = store;
  const groups = found ? [] : byDay(store.sessions, now, t);
  return (
    <nav class="rail" aria-label={t("sessions")}>
      <div class="brand">
        <Fish size={24} />
        <strong>smolts</strong>
        <IconButton
          icon="close"
          class="menu-close"
          label={t("closeSessions")}
          onClick={() => {
            store.isRailOpen = false;
            store.changed();
          }}
        />
      </div>
      <button type="button" class="button new" onClick={() => store.startNew()}>
        <Icon name="plus" />
        {t("newSession")}{" "}
        <span class="kbd" aria-hidden="true">
          N
        </span>
      </button>
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={t("searchSessions")}
          placeholder={t("search")}
          value={search}
          onInput={(event) => store.setSearch(event.currentTarget.value)}
        />
        {search === "" ? null : (
          <IconButton icon="close" class="small" label={t("clearSearch")} onClick={() => store.setSearch("")} />
        )}
      </div>
      <div class="sessions" tabIndex={0} role="region" aria-label={t("listOfSessions")}>
        {found ? (
          <>
            <h2>{t("sessionsFound", { count: found.length })}</h2>
            <SessionList sessions={found} store={store} now={now} words={search} />
            {found.length === 0 ? <p class="nothing">{t("nothingFound")}</p> : null}
          </>
        ) : (
          groups.map(([title, sessions]) => (
            <section key={title} aria-label={title}>
              <h2>{title}</h2>
              <SessionList sessions={sessions} store={store} now={now} words="" />
            </section>
          ))
        )}
        {!found && store.areSessionsLoaded && store.sessions.length === 0 ? (
          <p class="nothing">{t("noSessions")}</p>
        ) : null}
      </div>
      <div class="foot">
        <span title={store.connection?.base.host}>
          {store.connection?.isForeign
            ? store.connection.base.host
            : info?.store === "memory"
              ? t("keptInMemory")
              : (info?.visitor.name ?? t("onThisMachine"))}
        </span>
        <IconButton icon="theme" label={t("toggleTheme")} onClick={() => store.set({ theme: otherTheme(store) })} />
        <IconButton icon="more" label={t("settings")} onClick={() => store.show("settings")} />
      </div>
    </nav>
  );
}

function otherTheme(store: Store): "light" | "dark" {
  const { theme } = store.settings;
  const isDark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  return isDark ? "light" : "dark";
}

interface SessionListProps {
  readonly sessions: readonly SessionSummary[];
  readonly store: Store;
  readonly now: number;
  readonly words: string;
}

function SessionList({ sessions, store, now, words }: SessionListProps): VNode {
  const [count, setCount] = useState(100);
  const { t } = useApp();
  return (
    <>
      <ul>
        {sessions.slice(0, count).map((summary) => (
          <Session key={summary.id} summary={summary} store={store} now={now} words={words} />
        ))}
      </ul>
      {sessions.length > count ? (
        <button type="button" class="show-all" onClick={() => setCount(count + 200)}>
          {t("showMoreSessions", { count: sessions.length - count })}
        </button>
      ) : null}
    </>
  );
}

interface SessionProps {
  readonly summary: SessionSummary;
  readonly store: Store;
  readonly now: number;
  readonly words: string;
}

function Session({ summary: listed, store, now, words }: SessionProps): VNode {
  // For the open session, the stream has newer data than the list.
  const current = store.session?.id === listed.id ? store.session.state?.summary : undefined;
  const summary = current ? { ...listed, ...current, ...(listed.found ? { found: listed.found } : {}) } : listed;
  const { t, figures } = useApp();
  const [isEditing, setEditing] = useState(false);
  const isCurrent = store.session?.id === summary.id && !store.replay;
  const title = visibleText(summary.title === "" ? t("newSession") : summary.title);
  const status = statusText(summary.status, t);
  if (isEditing) return <EditTitle summary={summary} store={store} onDone={() => setEditing(false)} />;
  return (
    <li class="session-row">
      <button
        type="button"
        class="session"
        aria-current={isCurrent ? "page" : undefined}
        onClick={() => store.open(summary.id)}
        onDblClick={() => setEditing(true)}
        onKeyDown={(event) => {
          if (event.key === "F2") setEditing(true);
          if (event.key === "Delete") event.currentTarget.parentElement?.querySelector<HTMLElement>(".remove")?.focus();
        }}
      >
        <i class={`dot ${dots[summary.status]}`} aria-hidden="true" />
        <span class="name" dir="auto">
          {words === "" ? title : markWords(title, words)}
        </span>
        <span class="age">{figures.age(summary.changedAt, now)}</span>
        {summary.found ? <span class="found">{markWords(visibleText(summary.found), words)}</span> : null}
        {status === "" ? null : <span class="visually-hidden">, {status}</span>}
      </button>
      <Remove title={title} onRemove={() => void store.remove(summary.id)} />
    </li>
  );
}

/** A button that deletes a session only at the second press, because deleting cannot be undone. */
function Remove({ title, onRemove }: { readonly title: string; onRemove(): void }): VNode {
  const { t } = useApp();
  const [isAsking, setAsking] = useState(false);
  const label = t("removeSession", { title });
  return (
    <button
      type="button"
      class={isAsking ? "remove asking" : "icon-button small remove"}
      aria-label={isAsking ? `${t("removeNow")} ${title}` : label}
      title={label}
      onClick={() => (isAsking ? onRemove() : setAsking(true))}
      onBlur={() => setAsking(false)}
      onPointerLeave={(event) => {
        // Ignore touches: a finger leaves the button before the click arrives.
        if (event.pointerType === "mouse") setAsking(false);
      }}
    >
      {isAsking ? t("removeNow") : <Icon name="bin" />}
    </button>
  );
}

function EditTitle({
  summary,
  store,
  onDone,
}: {
  readonly summary: SessionSummary;
  readonly store: Store;
  onDone(): void;
}): VNode {
  const { t } = useApp();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const finish = (title: string): void => {
    if (title.trim() !== "" && title !== summary.title) void store.rename(summary.id, title.trim());
    onDone();
  };
  return (
    <li class="session-row">
      <input
        ref={input}
        class="input"
        aria-label={t("renameSession")}
        value={summary.title}
        onBlur={(event) => finish(event.currentTarget.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter") finish(event.currentTarget.value);
          if (event.key === "Escape") onDone();
        }}
      />
    </li>
  );
}

const dots: Readonly<Record<SessionStatus, string>> = {
  empty: "",
  running: "live",
  waiting: "person",
  done: "",
  failed: "fault",
  stopped: "",
  interrupted: "person",
};

function statusText(status: SessionStatus, t: ReturnType<typeof useApp>["t"]): string {
  switch (status) {
    case "running":
      return t("statusRunning");
    case "waiting":
      return t("waitingForYou");
    case "failed":
      return t("failed");
    case "stopped":
      return t("stopped");
    case "interrupted":
      return t("interrupted");
    case "empty":
    case "done":
      return "";
    default:
      return status satisfies never;
  }
}

/** Marks the searched words in a text. */
function markWords(text: string, words: string): ComponentChildren {
  const at = text.toLowerCase().indexOf(words.trim().toLowerCase());
  if (at < 0) return text;
  const end = at + words.trim().length;
  return [text.slice(0, at), <mark key="found">{text.slice(at, end)}</mark>, text.slice(end)];
}

function byDay(
  sessions: readonly SessionSummary[],
  now: number,
  t: ReturnType<typeof useApp>["t"],
): readonly (readonly [string, readonly SessionSummary[]])[] {
  const start = new Date(now).setHours(0, 0, 0, 0);
  const groups = new Map<string, SessionSummary[]>();
  for (const summary of sessions) {
    const { changedAt } = summary;
    const title = changedAt >= start ? t("today") : changedAt >= start - 86_400_000 ? t("yesterday") : t("earlier");
    const group = groups.get(title) ?? [];
    group.push(summary);
    groups.set(title, group);
  }
  return [...groups];
}
