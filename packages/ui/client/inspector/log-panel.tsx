// Shows the log: each event with its number, its time and its type. A click on an event shows its
// content.

import type { DurableEvent } from "@smolts/protocol";
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { Icon } from "../parts/icon.tsx";
import type { Store } from "../store.ts";
import { visibleText } from "../text/odd-characters.ts";

/** The panel that shows the log. */
export function LogPanel({ store }: { readonly store: Store }): VNode {
  const { t, figures } = useApp();
  const [filter, setFilter] = useState("");
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const events = store.replay?.file.events ?? store.session?.events ?? [];
  const shown = useMemo(() => filtered(events, filter), [events, events.length, filter]);
  const toggle = (seq: number): void => {
    const next = new Set(open);
    if (!next.delete(seq)) next.add(seq);
    setOpen(next);
  };
  return (
    <>
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={t("filterEvents")}
          placeholder={t("filterEvents")}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      <p class="figure log-count">{t("events", { count: figures.count(shown.length) })}</p>
      <EventList events={shown} start={events[0]?.time ?? 0} open={open} onToggle={toggle} />
    </>
  );
}

function filtered(events: readonly DurableEvent[], filter: string): readonly DurableEvent[] {
  const words = filter.trim().toLowerCase();
  if (words === "") return events;
  return events.filter(
    (event) =>
      event.type.includes(words) ||
      summaryOf(event).toLowerCase().includes(words) ||
      event.path.join("/").toLowerCase().includes(words),
  );
}

interface EventListProps {
  readonly events: readonly DurableEvent[];
  readonly start: number;
  readonly open: ReadonlySet<number>;
  onToggle(seq: number): void;
}

/** The list of events. Only the visible ones are rendered. */
function EventList({ events, start, open, onToggle }: EventListProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  const [, redraw] = useState(0);
  const options = {
    count: events.length,
    getScrollElement: () => list.current?.closest<HTMLElement>(".panel") ?? null,
    estimateSize: () => 28,
    getItemKey: (index: number) => events[index]?.seq ?? index,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: 10,
    scrollMargin: 90,
    initialRect: { width: 400, height: 800 },
    onChange: () => redraw((count) => count + 1),
  };
  const virtualizer = useRef<Virtualizer<HTMLElement, HTMLElement> | null>(null);
  virtualizer.current ??= new Virtualizer<HTMLElement, HTMLElement>(options);
  const rows = virtualizer.current;
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), [rows]);
  useLayoutEffect(() => rows._willUpdate());
  const items = rows.getVirtualItems();
  const before = (items[0]?.start ?? 90) - 90;
  const after = rows.getTotalSize() - ((items.at(-1)?.end ?? 90) - 90);
  return (
    <div
      class="log"
      ref={list}
      dir="ltr"
      style={{ paddingTop: `${before}px`, paddingBottom: `${Math.max(0, after)}px` }}
    >
      {items.map(({ index, key }) => {
        const event = events[index];
        if (!event) return null;
        const isOpen = open.has(event.seq);
        return (
          <div key={String(key)} data-index={index} ref={(element) => rows.measureElement(element)}>
            <button type="button" aria-expanded={isOpen} onClick={() => onToggle(event.seq)}>
              <span class="seq">{event.seq}</span>
              <span class="at">{((event.time - start) / 1_000).toFixed(3)}</span>
              <span class={`type ${/^(?:approval|doubt)/.test(event.type) ? "person" : ""}`}>
                <span>
                  {visibleText(event.type)} <i>{visibleText(summaryOf(event))}</i>
                </span>
              </span>
            </button>
            {isOpen ? <pre>{visibleText(jsonOf(event))}</pre> : null}
          </div>
        );
      })}
    </div>
  );
}

const maxJsonLength = 20_000;

function jsonOf(event: DurableEvent): string {
  const text = JSON.stringify(event, null, 2);
  return text.length > maxJsonLength ? `${text.slice(0, maxJsonLength)}…` : text;
}

/** Returns a short summary of an event. */
function summaryOf(event: DurableEvent): string {
  switch (event.type) {
    case "run-start":
      return event.task
        .map((part) => (part.type === "text" ? part.text : part.type))
        .join(" ")
        .slice(0, 60);
    case "run-end":
      return event.status;
    case "run-suspend":
      return event.callIds.join(", ");
    case "fork":
      return `${event.parent.runId}, step ${event.atStep}`;
    case "run-resume":
      return String(event.attempt);
    case "model-response":
      return event.usage ? `${event.usage.inputTokens} in, ${event.usage.outputTokens} out` : event.finishReason;
    case "code-start":
      return `${event.code.split("\n").length} lines`;
    case "tool-call":
    case "approval-request":
    case "doubt-request":
      return event.name;
    case "approval-response":
    case "doubt-response":
      return event.decision.type;
    case "approval-policy":
    case "tool-start":
      return event.callId.slice(event.callId.lastIndexOf("/") + 1);
    case "tool-result":
      return event.outcome.type;
    case "console":
      return event.text.slice(0, 60);
    case "code-end":
      return event.result.type;
    case "note":
      return event.name;
    case "check-result":
      return event.name;
    case "message":
      return event.message.role;
    case "budget-stop":
      return event.limit;
    case "compaction":
      return event.reason;
    case "model-request":
      return event.purpose;
    case "reset":
      return "the session began again";
    case "plan":
    case "step-start":
    case "step-edit":
    case "step-end":
      return String(event.stepNumber);
    default:
      return event satisfies never;
  }
}
