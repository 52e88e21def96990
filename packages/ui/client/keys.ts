// Keyboard shortcuts. Single-letter shortcuts work only outside of text fields, and only if they
// are turned on in the settings.

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { Store } from "./store.ts";

/** Listens for the keys of the page. */
export function useKeys(store: Store, host: HTMLElement, scroller: RefObject<HTMLElement | null>): void {
  // Listen from the first render on, because a person may press a key as soon as they see the page.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const target = event.composedPath()[0];
      const isNowhere = target === document.body || target === document.documentElement;
      // On somebody else's page, handle keys only if the focus is inside this element. If nothing
      // has the focus, handle them only if this element is directly in the page's body.
      const isForPage = event.composedPath().includes(host) || (isNowhere && host.parentElement === document.body);
      if (isForPage && !event.defaultPrevented) press(event, target, store, host, scroller.current);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [store, host, scroller]);
}

function press(
  event: KeyboardEvent,
  target: EventTarget | undefined,
  store: Store,
  host: HTMLElement,
  scroller: HTMLElement | null,
): void {
  const isCommand = event.metaKey || event.ctrlKey;
  const handled = (action: () => void): void => {
    event.preventDefault();
    action();
  };
  if (isCommand && !event.shiftKey && event.key.toLowerCase() === "k")
    return handled(() => store.show(store.dialog === "palette" ? null : "palette"));
  if (isCommand && event.shiftKey && event.key.toLowerCase() === "o") return handled(() => store.startNew());
  if (store.dialog !== null) return;
  if (event.key === "Escape") return pressEscape(event, target, store, host);
  if (isCommand || event.altKey || isField(target) || !store.settings.hasLetterKeys) return;
  const action = letters(event, store, host, scroller)[event.key];
  if (action) handled(action);
}

const isField = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  (target.matches("input:not([type=checkbox]):not([type=range]), textarea, select") || target.isContentEditable);

/**
 * Handles Escape. If the list of sessions is open, closes it. If a run is active, moves the focus
 * to the Stop button; pressing Escape there stops the run. Otherwise closes the inspector.
 */
function pressEscape(event: KeyboardEvent, target: EventTarget | undefined, store: Store, host: HTMLElement): void {
  const stop = host.shadowRoot?.querySelector<HTMLButtonElement>("[data-stop]");
  if (store.isRailOpen) {
    store.isRailOpen = false;
    store.changed();
  } else if (stop && !stop.disabled) {
    event.preventDefault();
    if (target === stop) void store.actions.stop();
    else stop.focus();
  } else if (store.tab !== null) store.setTab(null);
}

function letters(
  event: KeyboardEvent,
  store: Store,
  host: HTMLElement,
  scroller: HTMLElement | null,
): Readonly<Record<string, () => void>> {
  const root = host.shadowRoot;
  const heads = [
    ...(scroller?.querySelectorAll<HTMLElement>(".rows-list > .step > summary, .rows-list > div > .step > summary") ??
      []),
  ];
  const focused = root?.activeElement ?? null;
  const at = heads.findIndex((head) => head === focused || head.parentElement?.contains(focused));
  const go = (index: number): void => {
    const head = heads[Math.min(Math.max(0, index), heads.length - 1)];
    head?.focus();
    head?.scrollIntoView({ block: "nearest" });
  };
  const tab = (name: "timeline" | "variables") => (): void => store.setTab(store.tab === name ? null : name);
  const openAll = (): void => {
    const isAnyClosed = heads.some((head) => !(head.parentElement as HTMLDetailsElement).open);
    store.openAllSteps(isAnyClosed);
    // Click instead of setting `open`, because a click also stops the view from following the end
    // of the run.
    for (const head of heads) if ((head.parentElement as HTMLDetailsElement).open !== isAnyClosed) head.click();
  };
  const { replay } = store;
  const onButton = event.composedPath()[0] instanceof HTMLButtonElement;
  return {
    j: () => go(at + 1),
    k: () => go(at < 0 ? heads.length - 1 : at - 1),
    ...(at >= 0
      ? {
          o: () => heads[at]?.click(),
          c: () => copyCode(store, heads[at]),
          f: () => heads[at]?.parentElement?.querySelector<HTMLElement>(".fork")?.click(),
        }
      : {}),
    O: openAll,
    a: () => root?.querySelector<HTMLElement>("[data-approve]")?.click(),
    d: () => root?.querySelector<HTMLElement>("[data-deny]")?.click(),
    n: () => store.startNew(),
    t: tab("timeline"),
    v: tab("variables"),
    "/": () => store.focusComposer(),
    "?": () => store.show("keys"),
    ...(replay
      ? {
          ...(onButton ? {} : { " ": () => replay.play(!replay.isPlaying) }),
          "[": () => replay.seek(replay.time - (replay.endTime - replay.startTime) / 20),
          "]": () => replay.seek(replay.time + (replay.endTime - replay.startTime) / 20),
        }
      : {}),
  };
}

function copyCode(store: Store, head: HTMLElement | undefined): void {
  const lines = [...(head?.parentElement?.querySelectorAll(".cell .line") ?? [])];
  if (lines.length > 0) store.actions.copy(lines.map((line) => line.textContent).join("\n"));
}
