// The page: sessions at the left, the run in the middle, the inspector at the right.

import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAnnouncement } from "./announcer.ts";
import { AppContext, type App as AppParts, namesOfTools, useApp } from "./app-context.ts";
import { Inspector } from "./inspector/inspector.tsx";
import { useKeys } from "./keys.ts";
import { type Language, loadLanguage, translator } from "./languages/strings.ts";
import { Dialogs } from "./parts/dialogs.tsx";
import { Composer, StatusLine } from "./parts/dock.tsx";
import { Icon, IconButton } from "./parts/icon.tsx";
import { Rail } from "./parts/rail.tsx";
import { Rows } from "./parts/run-rows.tsx";
import { Scrubber } from "./parts/scrubber.tsx";
import { Locked, Start } from "./parts/start.tsx";
import { markerClass } from "./parts/step.tsx";
import type { Store } from "./store.ts";
import { figuresFor } from "./text/figures.ts";
import { visibleText } from "./text/odd-characters.ts";

/** Options of {@link App}. */
export interface AppProps {
  readonly store: Store;
  /** The element that contains the page. */
  readonly host: HTMLElement;
}

/**
 * Returns the reader's language. It is the first of these that is set: the language in the
 * settings, the element's attribute `locale`, the server's option, or the browser's language.
 */
export function wantedLocale({ settings, info }: Store, host: HTMLElement): string {
  return settings.locale ?? host.getAttribute("locale") ?? info?.locale ?? navigator.language;
}

/** The whole page. `first` is the language of the first rendering. */
export function App({ store, host, first }: AppProps & { readonly first: Language }): VNode {
  const [, redraw] = useState(0);
  useLayoutEffect(() => store.subscribe(() => redraw((count) => count + 1)), [store]);
  useEffect(() => {
    const seen = (): void => store.pause(document.hidden);
    const online = (): void => store.reconnect();
    document.addEventListener("visibilitychange", seen);
    addEventListener("online", online);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      removeEventListener("online", online);
    };
  }, [store]);
  const { theme } = store.settings;
  const wanted = wantedLocale(store, host);
  const [language, setLanguage] = useState(first);
  useEffect(() => {
    let isWanted = true;
    void loadLanguage(wanted).then((loaded) => {
      if (isWanted) setLanguage(loaded);
    });
    return () => {
      isWanted = false;
    };
  }, [wanted]);
  const t = useMemo(() => translator(language), [language]);
  store.translate = t;
  const figures = useMemo(() => figuresFor(language.code, t("now")), [language, t]);
  const { info, canAct } = store;
  const isActive = store.replay === null && (store.session?.isActive ?? false);
  const isContinuing = store.replay ? store.replay.time < store.replay.endTime : isActive;
  const toolNames = useMemo(() => namesOfTools(info?.agent ?? null), [info]);
  const parts: AppParts = useMemo(
    () => ({
      t,
      language,
      figures,
      info,
      toolNames,
      canAct,
      isActive,
      isContinuing,
      actions: store.actions,
      blobUrl: store.blobUrl,
    }),
    [t, language, figures, info, toolNames, canAct, isActive, isContinuing, store],
  );
  const shownTheme = theme === "system" ? (host.getAttribute("theme") ?? store.info?.theme ?? "system") : theme;
  useLayoutEffect(() => {
    if (shownTheme === "system") delete host.dataset["theme"];
    else host.dataset["theme"] = shownTheme;
  }, [shownTheme, host]);
  return (
    <AppContext.Provider value={parts}>
      <div class="frame" lang={language.code} dir={language.direction}>
        {store.entrance.type === "in" ? <Page store={store} host={host} /> : <Locked store={store} />}
      </div>
    </AppContext.Provider>
  );
}

function Page({ store, host }: AppProps): VNode {
  const { t } = useApp();
  const { session, replay, tab } = store;
  const scroller = useRef<HTMLDivElement>(null);
  const said = useAnnouncement(store);
  useKeys(store, host, scroller);
  const isViewer = store.connection === null;
  const [isDropping, setDropping] = useState(false);
  const classes = ["app", store.isRailOpen ? "rail-open" : "", isViewer ? "no-rail" : "", tab ? "inspecting" : ""];
  return (
    <div
      class={classes.join(" ")}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={(event) => {
        if (event.target === event.currentTarget || !event.relatedTarget) setDropping(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setDropping(false);
        drop(store, [...(event.dataTransfer?.files ?? [])]);
      }}
    >
      {isViewer ? null : <Rail store={store} />}
      <main class="main">
        <Header store={store} />
        <RunView store={store} scroller={scroller} />
        <div class="dock">
          <div class="gutter">
            <div class="column">
              <NoticeLine store={store} />
              {replay ? <Scrubber replay={replay} /> : null}
              {!replay && session ? <StatusLine session={session} store={store} /> : null}
              {!replay && !isViewer ? <Composer session={session} store={store} /> : null}
            </div>
          </div>
        </div>
      </main>
      {tab ? <Inspector store={store} tab={tab} view={store.view} /> : null}
      <Dialogs store={store} />
      <p class="visually-hidden" role="status">
        {said}
      </p>
      {isDropping ? <div class="drop-zone">{t("dropHere")}</div> : null}
    </div>
  );
}

/** Opens a dropped run file. Other files are attached to the message. */
function drop(store: Store, files: readonly File[]): void {
  const [file] = files;
  if (!file) return;
  if (/\.(?:jsonl|ndjson|html?)$/i.test(file.name)) void store.openFile(file);
  else void store.actions.upload(files);
}

function NoticeLine({ store }: { readonly store: Store }): VNode | null {
  const { t } = useApp();
  const { notice } = store;
  if (!notice) return null;
  return (
    <p class={`notice ${notice.isProblem ? "problem" : ""}`} role={notice.isProblem ? "alert" : "status"}>
      {notice.isProblem ? <Icon name="warn" size={14} /> : <Icon name="check" size={14} />}
      <span>{visibleText(notice.text)}</span>
      <IconButton
        icon="close"
        class="small"
        label={t("close")}
        onClick={() => {
          store.notice = null;
          store.changed();
        }}
      />
    </p>
  );
}

function Header({ store }: { readonly store: Store }): VNode {
  const { t, info } = useApp();
  const { session, replay, tab } = store;
  const title = replay?.name ?? session?.state?.summary.title ?? "";
  const about = replay ? t("replay") : session ? (info?.title ?? "") : "";
  const canSave = replay !== null || (session !== null && session.view.runs.length > 0);
  return (
    <header class="header">
      {store.connection ? (
        <IconButton
          icon="menu"
          class="menu"
          label={t("sessions")}
          onClick={() => {
            store.isRailOpen = true;
            store.changed();
          }}
        />
      ) : null}
      <div class="title">
        <h1 dir="auto">{title === "" ? t("newSession") : visibleText(title)}</h1>
        <span>{visibleText(about)}</span>
      </div>
      {replay ? (
        <button type="button" class="button bare wide" onClick={() => store.startNew()}>
          <Icon name="close" />
          {t("closeFile")}
        </button>
      ) : null}
      {canSave ? <SaveMenu store={store} /> : null}
      <IconButton
        icon="panel"
        label={t("inspector")}
        expanded={tab !== null}
        onClick={() => store.setTab(tab ? null : "timeline")}
      />
    </header>
  );
}

function SaveMenu({ store }: { readonly store: Store }): VNode {
  const { t } = useApp();
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (menu.current) menu.current.open = false;
  };
  return (
    <details
      class="save-menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !menu.current?.open) return;
        event.stopPropagation();
        close();
        menu.current.querySelector("summary")?.focus();
      }}
      onFocusOut={(event) => {
        if (event.relatedTarget instanceof Node && !event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <summary class="button bare" aria-label={t("saveRun")}>
        <Icon name="save" />
        <span class="wide">{t("saveRun")}</span>
      </summary>
      <div class="menu-list">
        <button
          type="button"
          onClick={() => {
            close();
            void store.actions.saveLog();
          }}
        >
          <b>{t("saveJsonl")}</b>
          <span>{t("saveJsonlWhy")}</span>
        </button>
        {store.replay ? null : (
          <button
            type="button"
            onClick={() => {
              close();
              void store.actions.saveHtml();
            }}
          >
            <b>{t("saveHtml")}</b>
            <span>{t("saveHtmlWhy")}</span>
          </button>
        )}
      </div>
    </details>
  );
}

/**
 * The page scrolls along with a run while the end of the run is at most this far below the view, in
 * px.
 */
const nearEnd = 40;

function RunView({
  store,
  scroller,
}: {
  readonly store: Store;
  readonly scroller: RefObject<HTMLDivElement | null>;
}): VNode {
  const { t, figures } = useApp();
  const { session, replay, view } = store;
  const hasRuns = view !== null && view.runs.length > 0;
  const isEmpty =
    !hasRuns && (session === null || (session.connection.type !== "connecting" && session.sentTask === null));
  const key = replay ? `file:${replay.name}` : isEmpty ? "start" : (session?.id ?? "");
  const content = useRef<HTMLDivElement>(null);
  const follow = useFollow(scroller, content, key, replay === null && !isEmpty);
  return (
    <>
      <div class="scroll" ref={scroller} tabIndex={0} role="region" aria-label={t("run")}>
        <div class="rolling" ref={content}>
          {store.connection?.isForeign ? (
            <p class="banner foreign">
              <Icon name="warn" />
              <span>{t("foreignOrigin", { origin: store.connection.base.origin })}</span>
            </p>
          ) : null}
          {isEmpty && !replay ? (
            <Start store={store} />
          ) : (
            <div class="column">
              {replay ? (
                <div class="banner">
                  <Icon name="eye" />
                  <span>
                    {t("replayBanner", {
                      date: figures.date(replay.startTime),
                      model: replay.whole.runs[0]?.model.replace(/^[^/]*\//, "") ?? "",
                    })}
                    {replay.file.problems.map((problem) => (
                      <strong key={problem.type}>
                        {" "}
                        {t(problem.type === "newer" ? "fileNewer" : "fileDamaged", {
                          count: problem.type === "cut" ? 0 : problem.count,
                        })}
                      </strong>
                    ))}
                  </span>
                </div>
              ) : null}
              {view ? <Rows view={view} scroller={scroller} reveal={store.reveal} /> : null}
              {replay ? <Ahead store={store} /> : null}
              {session?.sentTask && !replay ? (
                <header class={`task${hasRuns ? " next" : ""}`}>
                  <h2 dir="auto">{visibleText(session.sentTask)}</h2>
                </header>
              ) : null}
            </div>
          )}
        </div>
      </div>
      {follow.isAway && hasRuns && (session?.isActive ?? false) ? (
        <button type="button" class="button latest" onClick={follow.toEnd}>
          <Icon name="down" />
          {t("latest")}
        </button>
      ) : null}
    </>
  );
}

/** Shows the later steps of a replay, which have not been played yet. */
function Ahead({ store }: { readonly store: Store }): VNode | null {
  const { t } = useApp();
  const { replay } = store;
  const shown = replay?.view.runs.at(-1);
  const whole = shown && replay?.whole.runs.find(({ id }) => id === shown.id);
  if (!shown || !whole) return null;
  const numbers = new Set(shown.items.map(({ key }) => key));
  const ahead = whole.items.filter((item) => item.type === "step" && !numbers.has(item.key)).slice(0, 20);
  if (ahead.length === 0) return null;
  return (
    <div class="steps">
      {ahead.map((item, index) => (
        <div key={item.key} class={`step later${index === ahead.length - 1 ? " last" : ""}`}>
          <div class="row">
            <span class={markerClass(item.type === "step" ? item.number : null)} aria-hidden="true">
              {item.type === "step" ? item.number : ""}
            </span>
            <span class="gist">{t("stepTitle", { number: item.type === "step" ? item.number : 0 })}</span>
          </div>
        </div>
      ))}
    </div>
  );
}

interface Follow {
  readonly isAway: boolean;
  toEnd(): void;
}

/** Keeps the end of the run in view if it was in view before. Scrolling up stops this. */
function useFollow(
  scroller: RefObject<HTMLDivElement | null>,
  content: RefObject<HTMLDivElement | null>,
  key: string,
  canFollow: boolean,
): Follow {
  const [isAway, setAway] = useState(false);
  const isFollowing = useRef(true);
  const lastKey = useRef<string | null>(null);
  if (lastKey.current !== key) {
    lastKey.current = key;
    isFollowing.current = canFollow;
  }
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const atEnd = (): boolean => box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd;
    let touchY = 0;
    const scrolled = (): void => {
      if (atEnd()) isFollowing.current = true;
      setAway(!atEnd());
    };
    const stopFollowing = (): void => {
      if (box.scrollHeight > box.clientHeight + nearEnd) isFollowing.current = false;
    };
    const wheel = (event: WheelEvent): void => {
      if (event.deltaY < 0) stopFollowing();
    };
    const key = (event: KeyboardEvent): void => {
      if (["ArrowUp", "PageUp", "Home"].includes(event.key)) stopFollowing();
    };
    const touchStart = (event: TouchEvent): void => {
      touchY = event.touches[0]?.clientY ?? 0;
    };
    const touchMove = (event: TouchEvent): void => {
      if ((event.touches[0]?.clientY ?? 0) > touchY) stopFollowing();
    };
    // When a person opens a part, the view stays where it is while the part grows.
    const click = (event: MouseEvent): void => {
      if (!(event.target instanceof Element) || !event.target.closest("summary, button")) return;
      isFollowing.current = false;
      setTimeout(() => {
        if (atEnd()) isFollowing.current = true;
      }, 250);
    };
    // A ResizeObserver notices every change of the height. It runs after layout and before paint,
    // so the view does not flicker.
    const grown = new ResizeObserver(() => {
      if (isFollowing.current && box.scrollHeight - box.scrollTop - box.clientHeight > 1)
        box.scrollTop = box.scrollHeight;
    });
    grown.observe(box);
    if (content.current) grown.observe(content.current);
    box.addEventListener("click", click, true);
    box.addEventListener("scroll", scrolled, { passive: true });
    box.addEventListener("wheel", wheel, { passive: true });
    box.addEventListener("keydown", key);
    box.addEventListener("touchstart", touchStart, { passive: true });
    box.addEventListener("touchmove", touchMove, { passive: true });
    return () => {
      grown.disconnect();
      box.removeEventListener("click", click, true);
      box.removeEventListener("scroll", scrolled);
      box.removeEventListener("wheel", wheel);
      box.removeEventListener("keydown", key);
      box.removeEventListener("touchstart", touchStart);
      box.removeEventListener("touchmove", touchMove);
    };
  }, [scroller, content, key]);
  return {
    isAway,
    toEnd: () => {
      isFollowing.current = true;
      const box = scroller.current;
      if (box) box.scrollTop = box.scrollHeight;
    },
  };
}
