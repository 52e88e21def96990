// The inspector beside the run shows how the time was used, the variables, the messages that the
// model got, and the log.

import { textOf } from "@smolts/protocol";
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { RunView, SessionView } from "../fold/session-view.ts";
import { Guarded } from "../parts/guarded.tsx";
import { IconButton } from "../parts/icon.tsx";
import type { InspectorTab, Store } from "../store.ts";
import { visibleText } from "../text/odd-characters.ts";
import { LogPanel } from "./log-panel.tsx";
import { MemoryPanel } from "./memory-panel.tsx";
import { TimelinePanel } from "./timeline-panel.tsx";
import { VariablesPanel } from "./variables-panel.tsx";

const tabs: readonly InspectorTab[] = ["timeline", "variables", "memory", "log"];

/** The panel on the right; on small screens, a sheet. */
export function Inspector({
  store,
  tab,
  view,
}: {
  readonly store: Store;
  readonly tab: InspectorTab;
  readonly view: SessionView | null;
}): VNode {
  const { t } = useApp();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const runs = view?.runs ?? [];
  const run =
    runs.find(({ id }) => id === chosen) ?? runs.findLast(({ items }) => items.length > 0) ?? runs.at(-1) ?? null;
  const move = (by: number): void => {
    const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length]!;
    store.setTab(next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <aside class="inspector" aria-label={t("inspector")}>
      <div class="top">
        <h2>{t("inspector")}</h2>
        {runs.length > 1 && run ? (
          <select
            class="run-choice"
            aria-label={t("chooseRun")}
            value={run.id}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            {runs.map(({ id, task }) => (
              <option key={id} value={id}>
                {visibleText(textOf(task)).slice(0, 60)}
              </option>
            ))}
          </select>
        ) : null}
        <IconButton icon="close" label={t("closeInspector")} onClick={() => store.setTab(null)} />
      </div>
      <div
        class="tabs"
        role="tablist"
        aria-label={t("viewsOfRun")}
        ref={list}
        onKeyDown={(event) => {
          const isForward = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
          if (event.key === "ArrowRight" || event.key === "ArrowLeft") move(event.key === isForward ? 1 : -1);
        }}
      >
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            data-tab={name}
            aria-selected={name === tab}
            aria-controls="inspector-panel"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => store.setTab(name)}
          >
            {t(`tab-${name}`)}
          </button>
        ))}
      </div>
      <div class="panel" id="inspector-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {run ? (
          <Guarded key={tab} version={run.version}>
            <Panel store={store} tab={tab} run={run} />
          </Guarded>
        ) : (
          <p class="nothing">{t("nothingYet")}</p>
        )}
      </div>
    </aside>
  );
}

function Panel({
  store,
  tab,
  run,
}: {
  readonly store: Store;
  readonly tab: InspectorTab;
  readonly run: RunView;
}): VNode {
  switch (tab) {
    case "timeline":
      return <TimelinePanel run={run} version={run.version} />;
    case "variables":
      return <VariablesPanel run={run} store={store} />;
    case "memory":
      return <MemoryPanel run={run} store={store} />;
    case "log":
      return <LogPanel store={store} />;
    default:
      return tab satisfies never;
  }
}
