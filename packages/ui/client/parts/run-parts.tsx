// The parts around the steps of a run: the task above them, and below them the answer, how the run
// ended, and what it used.

import { textOf } from "@smolts/protocol";
import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { answerSource } from "../fold/answer-source.ts";
import { type RunView, stepsOf, totalUsageOf } from "../fold/session-view.ts";
import { barParts, timeByKind, timeParts } from "../fold/time-parts.ts";
import { visibleText } from "../text/odd-characters.ts";
import { decoded, mediaOf, pretty } from "../text/values.ts";
import { Trouble } from "./cell.tsx";
import { Fish, Icon, IconButton } from "./icon.tsx";
import { Media, Value } from "./value.tsx";

const longTask = 700;

/** Shows the task as the heading of its run, with a button to change it. */
export function Task({ run, isFirst }: { readonly run: RunView; readonly isFirst: boolean }): VNode {
  const { t, actions, canAct } = useApp();
  const [isEditing, setEditing] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const text = textOf(run.task);
  const isCut = text.length > longTask && !isWhole;
  const media = run.task.map(mediaOf).filter((part) => part !== null);
  const canEdit = canAct && actions !== null && run.status !== "running" && run.status !== "suspended";
  return (
    <header class={`task${isFirst ? "" : " next"}`} data-key={`${run.id}/task`}>
      {isEditing && actions ? (
        <EditTask text={text} onCancel={() => setEditing(false)} onSend={(next) => void actions.rerun(run, next)} />
      ) : (
        <h2 dir="auto" class={text.length > 240 ? "long" : ""}>
          {visibleText(isCut ? `${text.slice(0, longTask)}…` : text)}
          {isCut ? (
            <button type="button" class="show-all inline" onClick={() => setWhole(true)}>
              {t("showAll")}
            </button>
          ) : null}
        </h2>
      )}
      {canEdit && !isEditing ? (
        <div class="actions">
          <IconButton icon="edit" class="small" label={t("editTask")} onClick={() => setEditing(true)} />
        </div>
      ) : null}
      {media.map((part, index) => (
        <Media key={index} part={part} />
      ))}
    </header>
  );
}

interface EditTaskProps {
  readonly text: string;
  onSend(text: string): void;
  onCancel(): void;
}

function EditTask({ text, onSend, onCancel }: EditTaskProps): VNode {
  const { t } = useApp();
  const [now, setNow] = useState(text);
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => area.current?.focus(), []);
  const send = (): void => {
    if (now.trim() !== "") onSend(now);
  };
  return (
    <form
      class="edit-task"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={area}
        class="input"
        aria-label={t("editTask")}
        rows={3}
        value={now}
        onInput={(event) => setNow(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            onCancel();
          }
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
            event.preventDefault();
            send();
          }
        }}
      />
      <div class="buttons">
        <button type="submit" class="button primary" disabled={now.trim() === ""}>
          {t("runAgain")}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          {t("cancel")}
        </button>
        <span class="figure">{t("editForgets")}</span>
      </div>
    </form>
  );
}

const longAnswer = 180;

/** Shows the answer beside the logo, and the expression that it came from. */
export function Answer({ run }: { readonly run: RunView }): VNode | null {
  const { t, actions } = useApp();
  const source = useMemo(() => answerSource(run), [run, run.answer]);
  if (!run.answer) return null;
  const { value } = run.answer;
  const isShort = typeof value === "string" && value.length <= longAnswer && !/\n\s*\n|^#|^[-*] |\|/m.test(value);
  const isFigure = typeof value === "number" || typeof value === "boolean";
  return (
    <div class={`answer ${isShort || isFigure ? "" : "long"}`} data-key={`${run.id}/end`}>
      <Fish size={22} />
      <div class="text" dir="auto">
        {isFigure ? String(value) : <Value value={value} isAnswer />}
      </div>
      {source ? (
        <p class="source">
          {t("answerFrom")} <code>{visibleText(source.expression)}</code>
          {", "}
          <button type="button" class="step-link" onClick={() => actions?.goToStep(run, source.stepNumber)}>
            {t("stepNumber", { number: source.stepNumber })}
          </button>
        </p>
      ) : null}
      {run.status === "max-steps" || run.status === "budget" ? (
        <p class="source">{t(run.status === "budget" ? "forcedByBudget" : "forcedBySteps")}</p>
      ) : null}
    </div>
  );
}

/** Says how a run without an answer ended. */
export function Ending({ run }: { readonly run: RunView }): VNode | null {
  const { t, actions, canAct } = useApp();
  if (run.status === "aborted")
    return (
      <div class="ending">
        <span class="marker" aria-hidden="true">
          <i class="square" />
        </span>
        <p>{t("stoppedHere")}</p>
      </div>
    );
  if (run.status !== "failed") return null;
  const error = run.error ?? { code: "executor" as const, message: t("noReason") };
  const title =
    error.code === "generation"
      ? t("modelFailed")
      : error.code === "context-overflow"
        ? t("contextFull")
        : t("runFailed");
  return (
    <div class="ending">
      <section class="fault-card" aria-label={title}>
        <div class="content">
          <h3>
            <Icon name="warn" />
            {title}
          </h3>
          <Trouble error={error} />
          <p>{t("stepsAreKept")}</p>
          {actions ? (
            <div class="buttons">
              {canAct ? (
                <button type="button" class="button primary" onClick={() => void actions.rerun(run, textOf(run.task))}>
                  {t("runAgain")}
                </button>
              ) : null}
              <button type="button" class="button" onClick={() => actions.copy(reportOf(run))}>
                {t("copyReport")}
              </button>
            </div>
          ) : null}
        </div>
      </section>
    </div>
  );
}

function reportOf(run: RunView): string {
  const { error } = run;
  return [
    `${run.name}, ${run.model}: ${run.status}`,
    error ? `${error.code}: ${error.message}` : "",
    error?.hint ? `hint: ${error.hint}` : "",
    `steps: ${stepsOf(run).length}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** Shows how the time was used, and the tokens and the cost of the run. */
export function Account({ run }: { readonly run: RunView }): VNode | null {
  const { t, figures, actions, canAct } = useApp();
  if (run.status === "running" || run.status === "suspended") return null;
  const usage = totalUsageOf(run);
  const text = run.answer ? decoded(run.answer.value) : "";
  return (
    <footer class="account">
      <TimeBar run={run} />
      <div class="line">
        <b>{t("steps", { count: stepsOf(run).length })}</b>
        <span>{figures.duration(run.endTime - run.startTime)}</span>
        <span>{usage.isComplete ? t("tokens", { count: figures.count(usage.totalTokens) }) : t("tokensUnknown")}</span>
        {usage.costUsd === null || usage.costUsd === 0 ? null : <span>{figures.cost(usage.costUsd)}</span>}
        {actions ? (
          <span class="actions">
            <IconButton
              icon="copy"
              class="small"
              label={t("copyAnswer")}
              onClick={() => actions.copy(typeof text === "string" ? text : pretty(text))}
            />
            {canAct ? (
              <IconButton
                icon="retry"
                class="small"
                label={t("runAgain")}
                onClick={() => void actions.rerun(run, textOf(run.task))}
              />
            ) : null}
            <IconButton icon="save" class="small" label={t("saveRun")} onClick={() => void actions.saveLog()} />
          </span>
        ) : null}
      </div>
    </footer>
  );
}

/** Shows how the time of a run was used, as one thin bar. */
export function TimeBar({ run }: { readonly run: RunView }): VNode {
  const { t, figures } = useApp();
  const parts = timeParts(run);
  const total = Math.max(1, run.endTime - run.startTime);
  const sums = timeByKind(parts);
  const label = t("whereTimeWent", {
    model: figures.duration(sums.model),
    tools: figures.duration(sums.tool + sums.code + sums.fault),
    you: figures.duration(sums.person),
  });
  return (
    <div class="where" role="img" aria-label={label}>
      {barParts(parts).map(({ kind, length }, index) => (
        <i key={index} class={`${kind}-time`} style={{ flexGrow: length / total }} />
      ))}
    </div>
  );
}
