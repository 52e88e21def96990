// A card for a model call that failed: the reason in plain words, the time of the next attempt, and
// the earlier attempts.

import type { VNode } from "preact";
import { useApp } from "../app-context.ts";
import type { RetryView, StepView } from "../fold/session-view.ts";
import { asSentences } from "../text/as-sentences.ts";
import { visibleText } from "../text/odd-characters.ts";
import { Icon } from "./icon.tsx";

/** Shows a failed model call that will be tried again. */
export function RetryCard({ retry, step }: { readonly retry: RetryView; readonly step: StepView }): VNode {
  const { t, figures } = useApp();
  return (
    <section class="fault-card" aria-label={t("modelSilent")}>
      <div class="content">
        <h3>
          <Icon name="warn" />
          {t("modelSilent")}
        </h3>
        <p>{visibleText(asSentences(retry.error.message))}</p>
        {retry.error.hint ? <p>{visibleText(asSentences(retry.error.hint))}</p> : null}
        <p>{step.number > 1 ? t("stepsKept", { count: step.number - 1 }) : t("nothingLost")}</p>
      </div>
      <details>
        <summary>
          <Icon name="chevron" size={14} />
          {t("whatWasTried")}
        </summary>
        <pre dir="ltr">
          {[...retry.earlier, retry]
            .map(({ time, attempt, error, delayMs }) =>
              visibleText(
                `${figures.timeOfDay(time)}  ${t("attempt", { number: attempt })}  ${error.message}  (${figures.duration(delayMs)})`,
              ),
            )
            .join("\n")}
        </pre>
      </details>
    </section>
  );
}
