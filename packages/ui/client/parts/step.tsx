// One step in the list of a run. Its heading is the model's text before the code: at most two lines
// while the step is closed, all of it while it is open.

import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { planParts } from "../fold/plan-items.ts";
import {
  type CallView,
  isDoubted,
  type NoteView,
  type PlanView,
  type RunItem,
  type RunView,
  type SaidView,
  type StepView,
} from "../fold/session-view.ts";
import { gistOf, splitThought } from "../fold/thought.ts";
import { Markdown } from "../text/markdown.tsx";
import { visibleText } from "../text/odd-characters.ts";
import { inline, mediaOf } from "../text/values.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { Cell, hasCell, messageOf, StepFigures } from "./cell.tsx";
import { DoubtCard } from "./doubt-card.tsx";
import { Icon } from "./icon.tsx";
import { memo } from "./memo.ts";
import { Plan } from "./plan.tsx";
import { RetryCard } from "./retry-card.tsx";
import { useNow } from "./use-now.ts";
import { Media } from "./value.tsx";

/**
 * The steps that the reader has opened or closed, by key. They are in the store, so a step stays
 * open while a long list does not render it.
 */
export type OpenSteps = Map<string, boolean>;

/** Options of {@link Item}. */
export interface ItemProps {
  readonly item: RunItem;
  readonly version: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Whether the step belongs to a managed agent and is inside the box of its caller. */
  readonly isInner?: boolean;
}

/** Shows a step, a plan, a note, or a message to the agent. */
export const Item = memo(
  ({ item, isFirst, isLast, isInner = false }: ItemProps): VNode | null => {
    const ends = `${isFirst ? " first" : ""}${isLast ? " last" : ""}`;
    switch (item.type) {
      case "step":
        return <Step step={item} ends={ends} isInner={isInner} />;
      case "plan":
        return <PlanStep plan={item} ends={ends} />;
      case "said":
        return <Said said={item} ends={ends} />;
      case "note":
        return <Note note={item} ends={ends} />;
      default:
        return item satisfies never;
    }
  },
  (before, now) =>
    before.item === now.item &&
    before.version === now.version &&
    before.isFirst === now.isFirst &&
    before.isLast === now.isLast,
);

/** Shows all items of a small run at once, such as a managed agent's run. */
export const RunItems = memo(
  ({
    run,
    isInner = false,
  }: {
    readonly run: RunView;
    readonly version: number;
    readonly isInner?: boolean;
  }): VNode => {
    const { t } = useApp();
    const [count, setCount] = useState(40);
    const hidden = Math.max(0, run.items.length - count);
    return (
      <div class="steps">
        {hidden > 0 ? (
          <button type="button" class="show-all" onClick={() => setCount(count + 100)}>
            {t("earlierSteps", { count: hidden })}
          </button>
        ) : null}
        {run.items.slice(hidden).map((item, index, shown) => (
          <Item
            key={item.key}
            item={item}
            version={item.version}
            isFirst={index === 0}
            isLast={index === shown.length - 1}
            isInner={isInner}
          />
        ))}
      </div>
    );
  },
  (before, now) => before.version === now.version && before.run === now.run,
);

interface StationProps {
  readonly itemKey: string;
  readonly kind: string;
  readonly ends: string;
  readonly marker: ComponentChildren;
  readonly head: (isOpen: boolean) => ComponentChildren;
  readonly isOpenByItself: boolean;
  /** Whether there is nothing to open. */
  readonly isEmpty?: boolean;
  readonly label: string;
  readonly children: () => ComponentChildren;
}

function Station(props: StationProps): VNode {
  const { itemKey, kind, ends, marker, head, isOpenByItself, isEmpty = false, label, children } = props;
  const { actions } = useApp();
  const [, redraw] = useState(0);
  const isOpen = !isEmpty && (actions?.openSteps.get(itemKey) ?? isOpenByItself);
  return (
    <details
      class={`step ${kind}${ends}`}
      open={isOpen}
      data-key={itemKey}
      onToggle={(event) => {
        const { open } = event.currentTarget;
        if (open === isOpen || !actions) return;
        actions.openSteps.set(itemKey, open);
        redraw((count) => count + 1);
      }}
    >
      <summary>
        {label === "" ? null : <span class="visually-hidden">{label} </span>}
        <span class={markerClass(marker)} aria-hidden="true">
          {marker}
        </span>
        {head(isOpen)}
        {isEmpty ? null : <Icon name="chevron" />}
      </summary>
      {isOpen ? <div class="body">{children()}</div> : null}
    </details>
  );
}

/** Returns the CSS class of a step's marker. Long step numbers need a wider marker. */
export function markerClass(marker: unknown): string {
  if (typeof marker !== "number" || marker < 100) return "marker";
  return marker < 1_000 ? "marker wide" : "marker wider";
}

function Step({
  step,
  ends,
  isInner,
}: {
  readonly step: StepView;
  readonly ends: string;
  readonly isInner: boolean;
}): VNode {
  const { t, figures, isActive, isContinuing } = useApp();
  const waiting = step.calls.filter(isWaiting);
  const isLive = isContinuing && step.isLive && step.run.status === "running" && waiting.length === 0;
  const isStopped = step.error?.code === "interrupted";
  const kind = step.error && !isStopped ? "fault" : waiting.length > 0 ? "person" : isLive ? "live" : "";
  const { head, rest } = splitThought(step.thought);
  const isSilent = isLive && !step.retry && step.thought.trim() === "" && step.code === null && !step.calls.length;
  const gist = gistOf(step.thought) || step.calls.map(({ name }) => name).join(", ") || gistWithoutText(step, t);
  const time = step.isLive && !waiting.length ? "" : figures.duration(step.endTime - step.startTime);
  const tools = [...new Set(step.calls.map(({ name }) => name))].filter((name) => name !== "finalAnswer");
  return (
    <Station
      itemKey={step.key}
      kind={kind}
      ends={ends}
      marker={step.number}
      isOpenByItself={isLive || waiting.length > 0 || waitsInside(step)}
      isEmpty={isSilent && step.reasoning === "" && !hasCell(step)}
      label={`${t("stepTitle", { number: step.number })}:`}
      head={(isOpen) => (
        <>
          {isSilent && isActive ? (
            <Elapsed startTime={step.startTime} />
          ) : (
            <span class="gist" dir="auto">
              {isOpen ? visibleText(head || gist) : visibleText(gist)}
            </span>
          )}
          {step.error && !isStopped ? (
            <span class="why">{visibleText(shortReason(messageOf(step.error)))}</span>
          ) : tools.length > 0 && !isInner ? (
            <span class="uses">{visibleText(tools.slice(0, 3).join(", "))}</span>
          ) : null}
          {time === "" ? null : <span class="figure time">{time}</span>}
        </>
      )}
    >
      {() => <StepBody step={step} rest={rest} isAsking={waiting.length > 0} />}
    </Station>
  );
}

/**
 * Shows how long a step without any text has lasted. The line below the run says what is happening.
 */
function Elapsed({ startTime }: { readonly startTime: number }): VNode {
  const { figures } = useApp();
  const now = useNow(true);
  return <span class="gist figure">{figures.duration(now - startTime)}</span>;
}

function StepBody({
  step,
  rest,
  isAsking,
}: {
  readonly step: StepView;
  readonly rest: string;
  readonly isAsking: boolean;
}): VNode {
  const { t } = useApp();
  return (
    <>
      {rest === "" ? null : <Markdown text={visibleText(rest)} />}
      {step.reasoning === "" ? null : (
        <details class="reasoning">
          <summary>
            <Icon name="chevron" size={14} />
            {t("reasoning")}
          </summary>
          <Markdown text={visibleText(step.reasoning)} />
        </details>
      )}
      {step.retry ? <RetryCard retry={step.retry} step={step} /> : null}
      {hasCell(step) ? <Cell step={step} isFolded={isAsking} /> : null}
      {step.media.map((part, index) => {
        const media = mediaOf(part);
        return media ? <Media key={index} part={media} /> : null;
      })}
      {step.checks
        .filter(({ passed }) => !passed)
        .map(({ name, reason }) => (
          <p key={name} class="wrong">
            {t("checkFailed", { name: visibleText(name), reason: visibleText(reason ?? "") })}
          </p>
        ))}
      {step.calls
        .filter(isWaiting)
        .map((call) =>
          isDoubted(call) && call.doubt ? (
            <DoubtCard key={`${call.id}/doubt`} call={call} doubt={call.doubt} />
          ) : (
            <ApprovalCard key={call.id} call={call} version={call.version} />
          ),
        )}
      {step.code === null ? <StepFigures usage={step.usage} /> : null}
    </>
  );
}

const isWaiting = (call: CallView): boolean =>
  isDoubted(call) || (call.approval !== null && call.approval.decision === null && call.outcome === null);

/**
 * Says whether a managed agent inside the step waits for a person. If so, the step is opened, too.
 */
function waitsInside(step: StepView): boolean {
  return step.calls.some(
    (call) =>
      call.outcome === null &&
      call.agents.some((agent) =>
        agent.items.some((item) => item.type === "step" && (item.calls.some(isWaiting) || waitsInside(item))),
      ),
  );
}

function gistWithoutText(step: StepView, t: ReturnType<typeof useApp>["t"]): string {
  if (step.retry) return t("waitingForModel");
  if (step.isLive && step.code === null) return t("thinking");
  return step.answer ? t("answers") : t("stepTitle", { number: step.number });
}

const shortReason = (message: string): string => {
  const [line = ""] = message.replace(/^[A-Za-z]\w*(?:Error|Exception|\d\w*): /, "").split("\n");
  return line.length > 48 ? `${line.slice(0, 47)}…` : line;
};

function PlanStep({ plan, ends }: { readonly plan: PlanView; readonly ends: string }): VNode {
  const { t, figures, isContinuing } = useApp();
  const isLive = isContinuing && plan.isLive;
  const isChanged = plan.previous !== null;
  const title = isLive ? t("planning") : isChanged ? t("planChanged", { step: plan.beforeStep - 1 }) : t("plan");
  return (
    <Station
      itemKey={plan.key}
      kind={`is-plan${isLive ? " live" : ""}`}
      ends={ends}
      marker={<Icon name="list" size={13} />}
      isOpenByItself={plan.isLive || isNewest(plan)}
      label=""
      head={(isOpen) => (
        <>
          <span class="gist">{title}</span>
          {isOpen || plan.isLive ? null : <span class="uses plain">{planFigures(plan, t)}</span>}
          {plan.isLive ? null : <span class="figure time">{figures.duration(plan.endTime - plan.startTime)}</span>}
        </>
      )}
    >
      {() => <Plan plan={plan} />}
    </Station>
  );
}

/** Says whether a plan is the current one of an active run. If so, the plan is opened. */
const isNewest = (plan: PlanView): boolean =>
  plan.run.status === "running" && plan.run.items.findLast(({ type }) => type === "plan") === plan;

function planFigures(plan: PlanView, t: ReturnType<typeof useApp>["t"]): string {
  const { items } = planParts(plan.text, plan.previous?.text ?? null);
  const of = (change: string): number => items.filter((item) => item.change === change).length;
  if (plan.previous === null) return t("planItems", { count: items.length });
  return of("new") + of("dropped") === 0 ? t("planSame") : t("planDiff", { added: of("new"), dropped: of("dropped") });
}

function Said({ said, ends }: { readonly said: SaidView; readonly ends: string }): VNode {
  const { t } = useApp();
  return (
    <div class={`step said${ends}`} data-key={said.key}>
      <div class="row">
        <span class="marker" aria-hidden="true">
          <Icon name="speech" size={13} />
        </span>
        <p class="gist" dir="auto">
          <span class="visually-hidden">{t("youSaid")} </span>
          {visibleText(said.text)}
        </p>
      </div>
    </div>
  );
}

function Note({ note, ends }: { readonly note: NoteView; readonly ends: string }): VNode {
  return (
    <div class={`step note${ends}`} data-key={note.key}>
      <div class="row">
        <span class="marker" aria-hidden="true">
          ·
        </span>
        <span class="gist">
          <code>{visibleText(note.name)}</code> {visibleText(inline(note.data, 200))}
        </span>
      </div>
    </div>
  );
}
