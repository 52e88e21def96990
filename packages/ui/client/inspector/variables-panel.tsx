// Shows the variables of the sandbox after a step: which are new, which have changed, and which
// tool a value came from.

import type { VariableSummary } from "@smolts/protocol";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { type RunView, stepsOf } from "../fold/session-view.ts";
import { IconButton } from "../parts/icon.tsx";
import type { Store, VariablesAfter } from "../store.ts";
import { revealed, visibleText } from "../text/odd-characters.ts";

/** The panel that shows the variables of the sandbox. */
export function VariablesPanel({ run, store }: { readonly run: RunView; readonly store: Store }): VNode {
  const { t } = useApp();
  const [chosen, setChosen] = useState<number | null>(null);
  const all = store.replay ? [] : (store.session?.variables ?? []);
  const ofRun = all.filter(({ runId }) => runId === run.id);
  if (ofRun.length === 0)
    return (
      <>
        <p class="lead">{t("noVariables")}</p>
        <p class="sub">{store.replay ? t("variablesNotInFile") : t("variablesAfterStep")}</p>
      </>
    );
  const index = Math.min(chosen ?? ofRun.length - 1, ofRun.length - 1);
  const now = ofRun[index]!;
  const before = all[all.indexOf(now) - 1];
  const { fresh, changed, rest } = compare(now, before);
  return (
    <>
      <div class="stepper">
        <span>{t("afterStep", { number: now.stepNumber, count: ofRun.at(-1)!.stepNumber })}</span>
        <IconButton
          icon="back"
          class="small"
          label={t("stepBefore")}
          disabled={index === 0}
          onClick={() => setChosen(index - 1)}
        />
        <IconButton
          icon="next"
          class="small"
          label={t("nextStep")}
          disabled={index === ofRun.length - 1}
          onClick={() => setChosen(index + 1)}
        />
      </div>
      <p class="lead">{t("newAndChanged", { added: fresh.length, changed: changed.length })}</p>
      <p class="sub">{t("variablesInAll", { count: now.variables.length })}</p>
      {fresh.length + changed.length > 0 ? (
        <>
          <h3 class="group">{t("byThisStep")}</h3>
          {changed.map(({ variable, was }) => (
            <Variable key={variable.name} variable={variable} was={was} kind="changed" run={run} />
          ))}
          {fresh.map((variable) => (
            <Variable key={variable.name} variable={variable} was={null} kind="new" run={run} />
          ))}
        </>
      ) : null}
      {rest.length > 0 ? (
        <>
          <h3 class="group">{t("fromBefore")}</h3>
          {rest.map((variable) => (
            <Variable key={variable.name} variable={variable} was={null} kind="" run={run} />
          ))}
        </>
      ) : null}
    </>
  );
}

interface Compared {
  readonly fresh: readonly VariableSummary[];
  readonly changed: readonly { readonly variable: VariableSummary; readonly was: VariableSummary }[];
  readonly rest: readonly VariableSummary[];
}

function compare(now: VariablesAfter, before: VariablesAfter | undefined): Compared {
  const known = new Map(before?.variables.map((variable) => [variable.name, variable]));
  const fresh: VariableSummary[] = [];
  const changed: { variable: VariableSummary; was: VariableSummary }[] = [];
  const rest: VariableSummary[] = [];
  for (const variable of now.variables) {
    const was = known.get(variable.name);
    if (!was) fresh.push(variable);
    else if (was.preview !== variable.preview || was.type !== variable.type || was.size !== variable.size)
      changed.push({ variable, was });
    else rest.push(variable);
  }
  return { fresh, changed, rest };
}

interface VariableProps {
  readonly variable: VariableSummary;
  readonly was: VariableSummary | null;
  readonly kind: "new" | "changed" | "";
  readonly run: RunView;
}

function Variable({ variable, was, kind, run }: VariableProps): VNode {
  const { t, figures } = useApp();
  const { name, type, size, preview } = variable;
  const source = sourceOf(name, run);
  const shown = revealed(preview);
  const [same, fresh] = kind === "changed" && was ? splitAtChange(was.preview, shown) : [shown, ""];
  return (
    <div class={`variable ${kind}`}>
      <span class="sign" aria-hidden="true">
        {kind === "new" ? "+" : kind === "changed" ? "~" : ""}
      </span>
      <span class="name">{visibleText(name)}</span>
      <span class="value">
        <span class="type">
          {visibleText(shortType(type))}
          {size === undefined ? "" : ` (${figures.count(size)})`}
        </span>{" "}
        {same}
        {fresh === "" ? null : <ins>{fresh}</ins>}
      </span>
      <span class="note">
        {kind === "new" ? <span class="visually-hidden">{t("newItem")} </span> : null}
        {kind === "changed" ? <span class="visually-hidden">{t("changed")} </span> : null}
        {source ? t("fromTool", { tool: source.tool, number: source.step }) : ""}
      </span>
    </div>
  );
}

/** Splits a new text into the start that has not changed, and the rest. */
function splitAtChange(was: string, now: string): readonly [string, string] {
  let same = 0;
  while (same < was.length && same < now.length && was[same] === now[same]) same++;
  return [now.slice(0, same), now.slice(same)];
}

function shortType(type: string): string {
  if (/^[{[(].*\[\]$/.test(type)) return "Array";
  if (type.startsWith("{")) return "Object";
  return type.length > 40 ? `${type.slice(0, 39)}…` : type;
}

/**
 * Returns the tool whose result the code assigned to a variable, and the number of the step; null
 * if no tool's result was assigned to it.
 */
function sourceOf(name: string, run: RunView): { readonly tool: string; readonly step: number } | null {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return null;
  const pattern = new RegExp(
    `(?:const|let|var)\\s+(?:\\[[^\\]=]*\\b${escaped(name)}\\b[^\\]=]*\\]|\\{[^}=]*\\b${escaped(name)}\\b[^}=]*\\}|${escaped(name)})\\s*=\\s*await\\s+([A-Za-z_$][\\w$]*)\\(`,
  );
  for (const step of stepsOf(run).toReversed()) {
    const tool = pattern.exec(step.code ?? "")?.[1];
    if (tool && step.calls.some((call) => call.name === tool)) return { tool, step: step.number };
  }
  return null;
}

const escaped = (text: string): string => text.replace(/[$]/g, "\\$&");
