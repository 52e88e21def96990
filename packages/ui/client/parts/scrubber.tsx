// The time bar of a replay. The part that was played is strong, and the rest is pale.

import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { stepMarks, timeParts } from "../fold/time-parts.ts";
import type { Replay } from "../replay.ts";
import { IconButton } from "./icon.tsx";

const speeds = [0.5, 1, 4, 16] as const;

/** The time bar. The arrow keys move from step to step. */
export function Scrubber({ replay }: { readonly replay: Replay }): VNode {
  const { t } = useApp();
  const { startTime, endTime, time, isPlaying, speed } = replay;
  const length = Math.max(1, endTime - startTime);
  const at = ((time - startTime) / length) * 100;
  const film = useMemo(() => filmOf(replay), [replay.whole]);
  const stops = useMemo(() => stopsOf(replay), [replay.whole]);
  const step = (by: 1 | -1): void => {
    replay.play(false);
    replay.seek(
      by > 0
        ? (stops.find((stop) => stop > time + 1) ?? endTime)
        : (stops.findLast((stop) => stop < time - 1) ?? startTime),
    );
  };
  const position = clock(time - startTime);
  return (
    <div class="scrubber">
      <div class="film" dir="ltr" style={{ "--at": `${at}%` }}>
        <Film parts={film.parts} kind="ahead" />
        <Film parts={film.parts} kind="played" />
        {film.marks.map(({ label, place, isFault }) => (
          <span
            key={place}
            class={`mark ${isFault ? "fault" : ""} ${place > 96 ? "last" : ""}`}
            style={{ insetInlineStart: `${place}%` }}
            aria-hidden="true"
          >
            {label}
          </span>
        ))}
        <input
          type="range"
          min={0}
          max={1_000}
          value={Math.round(at * 10)}
          aria-label={t("position")}
          aria-valuetext={t("positionOf", { position, length: clock(length) })}
          onInput={(event) => {
            replay.play(false);
            replay.seek(startTime + (Number(event.currentTarget.value) / 1_000) * length);
          }}
          onKeyDown={(event) => {
            const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key] as 1 | -1 | undefined;
            if (by === undefined) return;
            event.preventDefault();
            step(by);
          }}
        />
        <i class="head" aria-hidden="true" />
      </div>
      <div class="controls">
        <IconButton icon="back" label={t("stepBack")} onClick={() => step(-1)} />
        <IconButton
          icon={isPlaying ? "pause" : "play"}
          label={isPlaying ? t("pause") : t("play")}
          onClick={() => replay.play(!isPlaying)}
        />
        <IconButton icon="next" label={t("stepForward")} onClick={() => step(1)} />
        <span class="figure">
          <b>{position}</b> {t("of")} {clock(length)}
        </span>
        <span class="speeds" role="group" aria-label={t("speed")}>
          {speeds.map((value) => (
            <button
              key={value}
              class="button bare"
              type="button"
              aria-pressed={value === speed}
              onClick={() => replay.setSpeed(value)}
            >
              {value}×
            </button>
          ))}
        </span>
      </div>
    </div>
  );
}

function Film({ parts, kind }: { readonly parts: ReturnType<typeof filmOf>["parts"]; readonly kind: string }): VNode {
  return (
    <div class={`parts ${kind}`} aria-hidden="true">
      {parts.map((part, index) => (
        <i key={index} class={`${part.kind}-time`} style={{ flexGrow: part.share }} />
      ))}
    </div>
  );
}

function filmOf({ whole, startTime, endTime }: Replay) {
  const length = Math.max(1, endTime - startTime);
  const parts = whole.runs.flatMap((run, index) => {
    const gap = run.startTime - (whole.runs[index - 1]?.endTime ?? startTime);
    const own = timeParts(run).map((part) => ({
      kind: part.kind as string,
      share: (part.endTime - part.startTime) / length,
    }));
    return gap > 0 ? [{ kind: "no", share: gap / length }, ...own] : own;
  });
  const marks: { label: string; place: number; isFault: boolean }[] = [];
  for (const run of whole.runs) {
    const [from, scale] = [(run.startTime - startTime) / length, (run.endTime - run.startTime) / length];
    for (const { number, at, isFault } of stepMarks(run)) {
      const place = (from + at * scale) * 100;
      if (marks.length === 0 || place - marks.at(-1)!.place > 5) marks.push({ label: String(number), place, isFault });
    }
  }
  return { parts: parts.filter(({ share }) => share > 0.0015).slice(0, 500), marks: marks.slice(0, 24) };
}

/**
 * Returns the times that the arrow keys move to: the ends of all steps and the starts of all runs.
 */
function stopsOf({ whole, endTime }: Replay): readonly number[] {
  const times = whole.runs.flatMap((run) =>
    run.items.map(({ type, ...item }) =>
      type === "step" || type === "plan" ? (item as { endTime: number }).endTime : 0,
    ),
  );
  return [...new Set([...times.filter((time) => time > 0), ...whole.runs.map((run) => run.startTime), endTime])].sort(
    (a, b) => a - b,
  );
}

function clock(ms: number): string {
  const seconds = ms / 1_000;
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, "0")}`;
}
