// Writes sentences for a screen reader about important events. The streamed text itself is not
// announced.

import { useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { gistOf } from "./fold/thought.ts";
import type { Store } from "./store.ts";
import { visibleText } from "./text/odd-characters.ts";
import { decoded, inline } from "./text/values.ts";

/** Returns a sentence about the latest important event. */
export function useAnnouncement(store: Store): string {
  const { t, figures } = useApp();
  const last = useRef("");
  const { session, replay } = store;
  const run = session?.view.runs.at(-1);
  if (!run || replay) return "";
  const waiting = [...(session?.view.waiting.values() ?? [])][0];
  if (waiting) last.current = t("sayWaiting", { tool: waiting.name });
  else if (run.status === "success" || run.status === "max-steps" || run.status === "budget") {
    const answer = run.answer ? inline(decoded(run.answer.value), 400) : "";
    last.current = t("sayDone", { time: figures.duration(run.endTime - run.startTime), answer: visibleText(answer) });
  } else if (run.status === "failed") last.current = t("sayFailed", { reason: run.error?.message ?? "" });
  else if (run.status === "aborted") last.current = t("sayStopped");
  else {
    const step = run.items.findLast((item) => item.type === "step");
    const plan = run.items.at(-1);
    // Announce a changed plan or a step. A step is announced only when the model's text before the
    // code is complete: when the code has begun or the whole message has arrived.
    if (plan?.type === "plan" && !plan.isLive && plan.previous) last.current = t("sayPlanChanged");
    else if (step?.type === "step" && (step.code !== null || step.message !== null))
      last.current = t("sayStep", { number: step.number, gist: gistOf(step.thought).slice(0, 200) });
  }
  return last.current;
}
