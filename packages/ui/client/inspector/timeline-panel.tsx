// The timeline: one lane a call under a thin bar of its step, a wait for a person as a lane of its own. Its twin is a table.

import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { type CallView, type RunView, totalUsageOf } from "../fold/session-view.ts";
import { timeByKind, timeParts } from "../fold/time-parts.ts";
import { argumentsOf } from "../parts/call.tsx";
import { TimeBar } from "../parts/run-parts.tsx";
import { revealed, visibleText } from "../text/odd-characters.ts";
import { inline } from "../text/values.ts";

/** One lane of the timeline. */
export interface Lane {
  readonly key: string;
  readonly label: string;
  readonly kind: "step" | "model" | "tool" | "person" | "agent" | "fault";
  readonly depth: number;
  readonly startTime: number;
  readonly endTime: number;
  readonly facts: readonly (readonly [string, string])[];
}

const mostLanes = 400;

/** Where a run's time went. */
export function TimelinePanel({ run }: { readonly run: RunView; readonly version: number }): VNode {
  const app = useApp();
  const { t, figures } = app;
  const [picked, setPicked] = useState<string | null>(null);
  const [isTable, setTable] = useState(false);
  const lanes = useMemo(() => lanesOf(run, app), [run, run.version, app]);
  const shown = lanes.slice(0, mostLanes);
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
        {sums.fault > 0 ? <Legend kind="fault" text={`${t("failed")} ${figures.duration(sums.fault)}`} /> : null}
        {sums.person > 0 ? <Legend kind="person" text={`${t("you")} ${figures.duration(sums.person)}`} /> : null}
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

/** The largest share, in words. */
function summary(sums: ReturnType<typeof timeByKind>, total: number, t: ReturnType<typeof useApp>["t"]): string {
  const work = sums.tool + sums.code;
  const most = Math.max(sums.model, work, sums.person, sums.fault);
  const share = shareWords(most / total, t);
  if (most === sums.person) return t("mostPerson", { share });
  if (most === sums.model) return t("mostModel", { share });
  return most === sums.fault ? t("mostFault", { share }) : t("mostTools", { share });
}

function shareWords(share: number, t: ReturnType<typeof useApp>["t"]): string {
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
  for (let at = 0; at <= total * 0.98 && marks.length < 8; at += step) marks.push(at);
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

const timeClass = {
  step: "code",
  model: "model",
  tool: "tool",
  person: "person",
  agent: "code",
  fault: "fault",
} as const;

function LaneRow({ lane, run, isPicked, onPick }: LaneRowProps): VNode {
  const { figures } = useApp();
  const total = Math.max(1, run.endTime - run.startTime);
  const from = clamp(((lane.startTime - run.startTime) / total) * 100);
  const width = Math.max(0.4, clamp(((lane.endTime - lane.startTime) / total) * 100));
  const isBar = lane.kind === "step" || lane.kind === "agent";
  const place =
    width > 40
      ? {}
      : from + width > 70
        ? { insetInlineEnd: `${100 - from}%` }
        : { insetInlineStart: `${from + width}%` };
  return (
    <button type="button" class={`lane ${lane.depth > 0 ? "inner" : ""}`} aria-pressed={isPicked} onClick={onPick}>
      <span class="label" style={lane.depth > 1 ? { paddingInlineStart: `${lane.depth * 14}px` } : {}}>
        {visibleText(lane.label)}
      </span>
      <span class="track">
        <i
          class={`span ${timeClass[lane.kind]}-time ${isBar ? "thin" : ""}`}
          style={{ insetInlineStart: `${from}%`, width: `${width}%` }}
        />
        {isBar ? (
          <span class="visually-hidden">{figures.duration(lane.endTime - lane.startTime)}</span>
        ) : (
          <span class={`ms ${width > 40 ? "inside" : ""} ${lane.kind}`} style={place}>
            {figures.duration(lane.endTime - lane.startTime)}
          </span>
        )}
      </span>
    </button>
  );
}

const clamp = (percent: number): number => Math.min(100, Math.max(0, percent));

function LaneTable({ lanes, run }: { readonly lanes: readonly Lane[]; readonly run: RunView }): VNode {
  const { t, figures } = useApp();
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
              <td class="number">{figures.duration(lane.endTime - lane.startTime)}</td>
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

/** All lanes of a run, its agents' among them. */
export function lanesOf(run: RunView, app: AppParts, depth = 0): readonly Lane[] {
  const { t, figures } = app;
  const lanes: Lane[] = [];
  const model = run.model.replace(/^[^/]*\//, "");
  for (const item of run.items) {
    if (item.type !== "step" && item.type !== "plan") continue;
    const isStep = item.type === "step";
    const label = isStep ? t("stepTitle", { number: item.number }) : t("plan");
    lanes.push({
      key: item.key,
      label,
      kind: isStep && item.error && item.error.code !== "interrupted" ? "fault" : "step",
      depth,
      startTime: item.startTime,
      endTime: item.isLive ? run.endTime : item.endTime,
      facts: [[t("duration"), figures.duration(item.endTime - item.startTime)]],
    });
    if (item.modelTiming) {
      const { usage } = item;
      lanes.push({
        key: `${item.key}/model`,
        label: model,
        kind: "model",
        depth: depth + 1,
        ...item.modelTiming,
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
    if (isStep) for (const call of item.calls) lanes.push(...lanesOfCall(call, run, app, depth + 1));
  }
  return lanes;
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
      key: `${id}/you`,
      label: t("youLower"),
      kind: "person",
      depth,
      startTime: approval.askedAt,
      endTime: decided,
      facts: [
        [t("decision"), decisionText(call, app)],
        ...changesOf(call).map(([field, text]) => [t("changed"), `${field}: ${text}`] as const),
        [t("waited"), t("notCounted", { time: figures.duration(decided - approval.askedAt) })],
        ...(approval.by === null ? [] : [[t("decidedBy"), approval.by] as const]),
      ],
    });
  }
  const start = approval?.decidedAt ?? call.startTime;
  if (!approval || approval.decidedAt !== null)
    lanes.push({
      key: id,
      label: name,
      kind: call.agents.length > 0 ? "agent" : "tool",
      depth,
      startTime: start,
      endTime: end,
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
