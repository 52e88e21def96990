// The timeline of a run. Each step has a thin bar. Below it are separate lanes for its model, its
// code, each of its calls, and waiting for a person. The lanes of models, code and people add up to
// the sums above the timeline. The same data is also available as a table.

import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { type CallView, type RunView, totalUsageOf } from "../fold/session-view.ts";
import {
  isFailedCall,
  isFailedStep,
  type TimeKind,
  type TimePart,
  timeByKind,
  timeParts,
  workOf,
} from "../fold/time-parts.ts";
import { argumentsOf } from "../parts/call.tsx";
import { TimeBar } from "../parts/run-parts.tsx";
import { revealed, visibleText } from "../text/odd-characters.ts";
import { inline } from "../text/values.ts";

/** One lane of the timeline. */
export interface Lane {
  readonly key: string;
  readonly label: string;
  readonly kind: "step" | "model" | "program" | "tool" | "person" | "agent";
  readonly isFailed: boolean;
  readonly depth: number;
  readonly startTime: number;
  /**
   * The total time of the bars, in ms. A step's failed time is counted only once, although it is
   * drawn as a red bar over the step's bar.
   */
  readonly durationMs: number;
  /** The bars in drawing order: a later bar covers an earlier one. */
  readonly bars: readonly Bar[];
  readonly facts: readonly (readonly [string, string])[];
}

/** One bar on a lane. */
interface Bar {
  readonly kind: TimeKind | "step";
  readonly startTime: number;
  readonly endTime: number;
}

const maxLanes = 400;

/** Shows how the time of a run was used. */
export function TimelinePanel({ run }: { readonly run: RunView; readonly version: number }): VNode {
  const app = useApp();
  const { t, figures } = app;
  const [picked, setPicked] = useState<string | null>(null);
  const [isTable, setTable] = useState(false);
  const lanes = useMemo(() => lanesOf(run, app), [run, run.version, app]);
  const shown = lanes.slice(0, maxLanes);
  const sums = useMemo(() => timeByKind(timeParts(run)), [run, run.version]);
  const total = Math.max(1, run.endTime - run.startTime);
  const usage = totalUsageOf(run);
  const chosen = lanes.find(({ key }) => key === picked);
  return (
    <>
      <p class="lead">{summary(sums, total, t)}</p>
      <p class="sub">
        {t("timeInAll", { time: figures.duration(total), work: figures.duration(total - sums.person) })}
        {usage.totalTokens > 0 ? `, ${t("tokens", { count: figures.count(usage.totalTokens) })}` : ""}
        {usage.costUsd ? `, ${figures.cost(usage.costUsd)}` : ""}
      </p>
      <TimeBar run={run} />
      <div class="legend">
        <Legend kind="model" text={`${t("model")} ${figures.duration(sums.model)}`} />
        <Legend kind="tool" text={`${t("toolsAndCode")} ${figures.duration(sums.tool + sums.code)}`} />
        {sums.fault > 0 ? <Legend kind="fault" text={`${t("failedTools")} ${figures.duration(sums.fault)}`} /> : null}
        {sums.person > 0 ? <Legend kind="person" text={`${t("you")} ${figures.duration(sums.person)}`} /> : null}
        {sums.rest > 0 ? <Legend kind="rest" text={`${t("otherTime")} ${figures.duration(sums.rest)}`} /> : null}
      </div>
      <p class="panel-tools">
        <button type="button" class="show-all" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? t("asChart") : t("asTable")}
        </button>
      </p>
      {isTable ? (
        <LaneTable lanes={shown} run={run} />
      ) : (
        <div class="lanes" role="group" aria-label={t("tab-timeline")}>
          <Axis run={run} />
          {shown.map((lane) => (
            <LaneRow
              key={lane.key}
              lane={lane}
              run={run}
              isPicked={lane.key === picked}
              onPick={() => setPicked(lane.key === picked ? null : lane.key)}
            />
          ))}
        </div>
      )}
      {lanes.length > shown.length ? (
        <p class="figure">{t("moreLanes", { count: lanes.length - shown.length })}</p>
      ) : null}
      {chosen ? <Picked lane={chosen} /> : null}
    </>
  );
}

function Legend({ kind, text }: { readonly kind: string; readonly text: string }): VNode {
  return (
    <span>
      <i class={`${kind}-time`} aria-hidden="true" />
      {text}
    </span>
  );
}

/** Says in words which kind of work took the largest share of the total time. */
export function summary(sums: ReturnType<typeof timeByKind>, total: number, t: ReturnType<typeof useApp>["t"]): string {
  const work = sums.tool + sums.code;
  const most = Math.max(sums.model, work, sums.person, sums.fault, sums.rest);
  const share = shareText(most / total, t);
  if (most === sums.person) return t("mostPerson", { share });
  if (most === sums.model) return t("mostModel", { share });
  if (most === sums.fault) return t("mostFault", { share });
  return most === work ? t("mostTools", { share }) : t("mostOther", { share });
}

function shareText(share: number, t: ReturnType<typeof useApp>["t"]): string {
  if (share > 0.95) return t("shareAll");
  if (share > 0.85) return t("shareNineTenths");
  if (share > 0.77) return t("shareFourFifths");
  if (share > 0.7) return t("shareThreeQuarters");
  if (share > 0.6) return t("shareTwoThirds");
  return share > 0.52 ? t("shareMoreThanHalf") : t("shareMost");
}

function Axis({ run }: { readonly run: RunView }): VNode {
  const { figures } = useApp();
  const total = Math.max(1, run.endTime - run.startTime);
  const step = niceStep(total / 3.2);
  const marks: number[] = [];
  // A label is about a tenth of the axis wide and centred on its time, so none is placed in the
  // last 5 %.
  for (let at = 0; at <= total * 0.95 && marks.length < 8; at += step) marks.push(at);
  return (
    <div class="axis" aria-hidden="true">
      {marks.map((at) => (
        <span key={at} style={{ insetInlineStart: `${(at / total) * 100}%` }}>
          {at === 0 ? "0" : figures.duration(at)}
        </span>
      ))}
    </div>
  );
}

function niceStep(ms: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, ms)));
  const of = [1, 2, 5, 10].find((factor) => factor * power >= ms) ?? 10;
  return Math.max(1, of * power);
}

interface LaneRowProps {
  readonly lane: Lane;
  readonly run: RunView;
  readonly isPicked: boolean;
  onPick(): void;
}

function LaneRow({ lane, run, isPicked, onPick }: LaneRowProps): VNode {
  const app = useApp();
  const bars = lane.bars.map((bar) => ({ kind: bar.kind, ...placeOf(bar, run) }));
  const from = bars[0]?.from ?? placeOf({ startTime: lane.startTime, endTime: lane.startTime }, run).from;
  const to = Math.max(from, ...bars.map((bar) => bar.from + bar.width));
  const isThin = lane.kind === "step" || lane.kind === "agent";
  const isInside = to - from > 40;
  const place = isInside
    ? {}
    : to > (lane.isFailed ? 50 : 70)
      ? { insetInlineEnd: `max(${100 - from}%, ${minBarPx}px)` }
      : { insetInlineStart: `max(${to}%, ${minBarPx}px)` };
  return (
    <button type="button" class={`lane ${lane.depth > 0 ? "inner" : ""}`} aria-pressed={isPicked} onClick={onPick}>
      <span class="label" style={lane.depth > 1 ? { paddingInlineStart: `${lane.depth * 14}px` } : {}}>
        {visibleText(lane.label)}
      </span>
      <span class="track">
        {bars.map((bar, index) => (
          <i
            key={index}
            class={`span ${bar.kind}-time ${isThin ? "thin" : ""}`}
            style={{ insetInlineStart: `min(${bar.from}%, 100% - ${minBarPx}px)`, width: `${bar.width}%` }}
          />
        ))}
        {isThin ? (
          <span class="visually-hidden">{timeOf(lane, app)}</span>
        ) : (
          <span class={`ms ${isInside ? "inside" : ""} ${lane.kind} ${lane.isFailed ? "failed" : ""}`} style={place}>
            {timeOf(lane, app)}
          </span>
        )}
      </span>
    </button>
  );
}

/** The smallest width of a bar, in px. */
const minBarPx = 4;

/** Returns the start and the width of a bar, in percent of the axis. */
function placeOf(
  { startTime, endTime }: Pick<Bar, "startTime" | "endTime">,
  run: RunView,
): { readonly from: number; readonly width: number } {
  const total = Math.max(1, run.endTime - run.startTime);
  const width = Math.max(0.4, clamp(((endTime - startTime) / total) * 100));
  return { width, from: Math.min(100 - width, clamp(((startTime - run.startTime) / total) * 100)) };
}

function timeOf({ durationMs, isFailed }: Lane, { t, figures }: AppParts): string {
  const time = figures.duration(durationMs);
  return isFailed ? t("failedAfter", { time }) : time;
}

const clamp = (percent: number): number => Math.min(100, Math.max(0, percent));

function LaneTable({ lanes, run }: { readonly lanes: readonly Lane[]; readonly run: RunView }): VNode {
  const app = useApp();
  const { t, figures } = app;
  return (
    <div class="table lanes-table" tabIndex={0} role="group" aria-label={t("tab-timeline")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("what")}</th>
            <th scope="col" class="number">
              {t("start")}
            </th>
            <th scope="col" class="number">
              {t("duration")}
            </th>
          </tr>
        </thead>
        <tbody>
          {lanes.map((lane) => (
            <tr key={lane.key}>
              <th scope="row">
                {" ".repeat(lane.depth * 2)}
                {visibleText(lane.label)}
              </th>
              <td class="number">{figures.duration(lane.startTime - run.startTime)}</td>
              <td class="number">{timeOf(lane, app)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Picked({ lane }: { readonly lane: Lane }): VNode {
  const { t } = useApp();
  return (
    <section class="picked" aria-label={t("selected")}>
      <h3>{visibleText(lane.label)}</h3>
      <dl class="facts">
        {lane.facts.map(([name, text]) => (
          <>
            <dt key={`${name}-name`}>{visibleText(name)}</dt>
            <dd key={name}>{revealed(text)}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

type AppParts = Pick<ReturnType<typeof useApp>, "t" | "figures">;

/** Returns all lanes of a run, including those of its managed agents. */
export function lanesOf(run: RunView, app: AppParts, depth = 0): readonly Lane[] {
  const { t, figures } = app;
  const lanes: Lane[] = [];
  const parts = timeParts(run);
  const model = run.model.replace(/^[^/]*\//, "");
  for (const item of run.items) {
    if (item.type !== "step" && item.type !== "plan") continue;
    const isStep = item.type === "step";
    const label = isStep ? t("stepTitle", { number: item.number }) : t("plan");
    const endTime = item.isLive ? run.endTime : item.endTime;
    const isFailed = isStep && isFailedStep(item);
    const work = isStep ? workOf(item, run.endTime) : null;
    const failedFrom = work?.startTime ?? item.startTime;
    const whole = span("step", item.startTime, endTime);
    lanes.push({
      ...whole,
      key: item.key,
      label,
      kind: "step",
      isFailed,
      depth,
      bars: isFailed ? [...whole.bars, { kind: "fault", startTime: failedFrom, endTime }] : whole.bars,
      facts: [[t("duration"), figures.duration(item.endTime - item.startTime)]],
    });
    if (item.modelTiming) {
      const { usage } = item;
      lanes.push({
        ...span("model", item.modelTiming.startTime, item.modelTiming.endTime),
        key: `${item.key}/model`,
        label: model,
        kind: "model",
        isFailed: false,
        depth: depth + 1,
        facts: [
          [t("duration"), figures.duration(item.modelTiming.endTime - item.modelTiming.startTime)],
          ...(usage
            ? ([
                [t("tokensIn"), cachedText(usage.inputTokens, usage.cachedInputTokens, app)],
                [t("tokensOut"), figures.count(usage.outputTokens)],
                ...(usage.costUsd === undefined ? [] : [[t("cost"), figures.cost(usage.costUsd)] as const]),
              ] as const)
            : []),
        ],
      });
    }
    if (!isStep) continue;
    const hasCode = item.code !== null && work !== null;
    if (hasCode) {
      const bars = codeBars(parts, work);
      const durationMs = bars.reduce((sum, bar) => sum + bar.endTime - bar.startTime, 0);
      lanes.push({
        key: `${item.key}/code`,
        label: t("code"),
        kind: "program",
        isFailed,
        depth: depth + 1,
        startTime: work.startTime,
        durationMs,
        bars,
        facts: [[t("duration"), figures.duration(durationMs)]],
      });
    }
    for (const call of item.calls) lanes.push(...lanesOfCall(call, run, app, depth + (hasCode ? 2 : 1)));
  }
  return lanes;
}

/** Returns a lane's time as one bar. */
function span(kind: Bar["kind"], startTime: number, endTime: number): Pick<Lane, "startTime" | "durationMs" | "bars"> {
  return { startTime, durationMs: endTime - startTime, bars: [{ kind, startTime, endTime }] };
}

/**
 * Returns the time that a step spent in code and tool calls, as bars. Time spent waiting for people
 * or for the models of managed agents is left out.
 */
function codeBars(parts: readonly TimePart[], within: { readonly startTime: number; readonly endTime: number }): Bar[] {
  const bars: Bar[] = [];
  for (const part of parts) {
    const kind = part.kind === "tool" ? "code" : part.kind;
    const startTime = Math.max(part.startTime, within.startTime);
    const endTime = Math.min(part.endTime, within.endTime);
    if ((kind !== "code" && kind !== "fault") || endTime <= startTime) continue;
    const last = bars.at(-1);
    if (last?.kind === kind && last.endTime === startTime) bars[bars.length - 1] = { ...last, endTime };
    else bars.push({ kind, startTime, endTime });
  }
  return bars;
}

function cachedText(input: number, cached: number | undefined, { t, figures }: AppParts): string {
  return cached
    ? `${figures.count(input)}, ${t("cachedTokens", { count: figures.count(cached) })}`
    : figures.count(input);
}

function lanesOfCall(call: CallView, run: RunView, app: AppParts, depth: number): readonly Lane[] {
  const { t, figures } = app;
  const { approval, id, name } = call;
  const end = call.endTime ?? run.endTime;
  const lanes: Lane[] = [];
  if (approval) {
    const decided = approval.decidedAt ?? run.endTime;
    lanes.push({
      ...span("person", approval.askedAt, decided),
      key: `${id}/you`,
      label: t("youLower"),
      kind: "person",
      isFailed: false,
      depth,
      facts: [
        [t("decision"), decisionText(call, app)],
        ...changesOf(call).map(([field, text]) => [t("changed"), `${field}: ${text}`] as const),
        [t("waited"), t("notCounted", { time: figures.duration(decided - approval.askedAt) })],
        ...(approval.by === null ? [] : [[t("decidedBy"), approval.by] as const]),
      ],
    });
  }
  const start = approval?.decidedAt ?? call.startTime;
  const isAgent = call.agents.length > 0;
  const isFailed = isFailedCall(call);
  if (!approval || approval.decidedAt !== null)
    lanes.push({
      ...span(isAgent ? "step" : isFailed ? "fault" : "tool", start, end),
      key: id,
      label: name,
      kind: isAgent ? "agent" : "tool",
      isFailed,
      depth,
      facts: [
        [t("duration"), figures.duration(end - start)],
        ...argumentsOf(call, undefined).map(([argument, value]) => [argument, inline(value, 300)] as const),
        ...(call.outcome && call.outcome.type !== "ok" ? [[t("failed"), call.outcome.error.message] as const] : []),
      ],
    });
  for (const agent of call.agents) lanes.push(...lanesOf(agent, app, depth + 1));
  return lanes;
}

function decisionText({ approval }: CallView, { t }: AppParts): string {
  switch (approval?.decision?.type) {
    case "approve":
      return t("decisionApproved");
    case "edit":
      return t("decisionEdited");
    case "deny":
      return approval.decision.reason ? `${t("denied")}: ${approval.decision.reason}` : t("denied");
    case "always":
      return t("alwaysAllowed");
    default:
      return t("waitingForYou");
  }
}

function changesOf(call: CallView): readonly (readonly [string, string])[] {
  const decision = call.approval?.decision;
  if (decision?.type !== "edit" || !call.approval) return [];
  const before = new Map(argumentsOf(call, undefined));
  const after = argumentsOf({ args: [], approval: null, input: decision.input }, undefined);
  return after.flatMap(([name, value]) =>
    inline(value) === inline(before.get(name)) ? [] : [[name, inline(value, 200)] as const],
  );
}
