// Shows a plan as a list that marks which steps are new, dropped or the same. If the plan also
// states facts, they are below the list, in a section that is closed at first.

import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { planParts } from "../fold/plan-items.ts";
import type { PlanView } from "../fold/session-view.ts";
import { Markdown } from "../text/markdown.tsx";
import { visibleText } from "../text/odd-characters.ts";
import { Icon } from "./icon.tsx";

/** Shows the content of a plan. */
export function Plan({ plan }: { readonly plan: PlanView }): VNode {
  const { t } = useApp();
  // Compare only a complete plan. Steps that are not written yet must not be marked as dropped.
  const previous = plan.isLive ? null : (plan.previous?.text ?? null);
  const { items, facts, text } = useMemo(() => planParts(plan.text, previous), [plan.text, previous]);
  if (items.length === 0) return <Markdown text={visibleText(text)} />;
  return (
    <div class="plan">
      <ol>
        {items.map(({ text: item, change }, index) => (
          <li key={index} class={change === "new" ? "added" : change === "dropped" ? "removed" : "same"}>
            {change === "new" ? (
              <Icon name="plus" />
            ) : change === "dropped" ? (
              <Icon name="minus" />
            ) : (
              <i class="box" aria-hidden="true" />
            )}
            <span class="text" dir="auto">
              {visibleText(item)}
            </span>
            {change === "new" ? <span class="tag">{t("newItem")}</span> : null}
            {change === "dropped" ? <span class="tag">{t("droppedItem")}</span> : null}
          </li>
        ))}
      </ol>
      {facts === "" ? null : (
        <details class="facts-fold">
          <summary>
            <Icon name="chevron" size={14} />
            {t("facts")}
          </summary>
          <Markdown text={visibleText(facts)} />
        </details>
      )}
    </div>
  );
}
