// A card for a call that began before the server ended. Nobody knows whether it happened, so a
// person must decide.

import type { JsonValue } from "@smolts/protocol";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { CallView, DoubtView } from "../fold/session-view.ts";
import { revealed, visibleText } from "../text/odd-characters.ts";
import { inline } from "../text/values.ts";
import { argumentsOf } from "./call.tsx";
import { Icon } from "./icon.tsx";

/** Asks whether a call happened. */
export function DoubtCard({ call, doubt }: { readonly call: CallView; readonly doubt: DoubtView }): VNode {
  const { t, actions, canAct } = useApp();
  const [isHappened, setHappened] = useState(false);
  const [output, setOutput] = useState("");
  const [isSent, setSent] = useState(false);
  const [problem, setProblem] = useState<string | null>(doubt.problem);
  const title = `doubt-${doubt.digest.slice(0, 12)}`;
  const decide = async (decision: Parameters<NonNullable<typeof actions>["decide"]>[1]): Promise<void> => {
    if (!actions || isSent) return;
    setSent(true);
    const failure = await actions.decide(call, decision);
    setProblem(failure);
    if (failure !== null) setSent(false);
  };
  const happened = (): void => {
    const value = parsedJson(output);
    if (value === invalid) setProblem(t("fieldJson", { field: t("doubtOutput") }));
    else void decide(value === undefined ? { type: "happened" } : { type: "happened", output: value });
  };
  return (
    <section class="card person" aria-labelledby={title} data-doubt={call.id}>
      <div class="head">
        <Icon name="hand" />
        <strong id={title}>
          <code>{visibleText(call.name)}</code> {t("doubtTitle")}
        </strong>
      </div>
      <div class="content">
        <p class="because">{t("doubtWhy")}</p>
        <dl class="arguments">
          {argumentsOf({ args: [], approval: null, input: doubt.input }, undefined).map(([name, value]) => (
            <div key={name} class="argument">
              <dt>{visibleText(name)}</dt>
              <dd>{revealed(inline(value, 4_000))}</dd>
            </div>
          ))}
        </dl>
        {isHappened ? (
          <textarea
            class="input mono"
            rows={3}
            aria-label={t("doubtOutput")}
            placeholder={t("doubtOutput")}
            value={output}
            onInput={(event) => setOutput(event.currentTarget.value)}
          />
        ) : null}
        {problem ? (
          <p class="odd" role="alert">
            <Icon name="warn" size={14} />
            <span>{visibleText(problem)}</span>
          </p>
        ) : null}
      </div>
      <div class="foot">
        {canAct ? (
          <>
            <button
              type="button"
              class="button"
              disabled={isSent}
              aria-expanded={isHappened}
              onClick={() => (isHappened ? happened() : setHappened(true))}
            >
              {t("doubtHappened")}
            </button>
            <button type="button" class="button" disabled={isSent} onClick={() => void decide({ type: "again" })}>
              {t("doubtAgain")}
            </button>
            <button type="button" class="button" disabled={isSent} onClick={() => void decide({ type: "fail" })}>
              {t("doubtFail")}
            </button>
          </>
        ) : (
          <p class="figure">{t("cannotDecide")}</p>
        )}
      </div>
    </section>
  );
}

const invalid: unique symbol = Symbol("invalid");

/** Parses a text as JSON. Returns undefined for an empty text. */
function parsedJson(text: string): JsonValue | undefined | typeof invalid {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return invalid;
  }
}
