// The dialog for continuing a run from one of its steps. The person can change the step's code and
// add a message to the agent. The dialog also shows which effects would happen a second time.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { StepView } from "../fold/session-view.ts";
import type { ForkProblem } from "../store.ts";
import { visibleText } from "../text/odd-characters.ts";
import { Icon } from "./icon.tsx";

/** The form inside the dialog. */
export function ForkForm({ step, onClose }: { readonly step: StepView; onClose(): void }): VNode {
  const { t, actions } = useApp();
  const { code: before } = step;
  const [code, setCode] = useState(before ?? "");
  const [message, setMessage] = useState("");
  const [isSent, setSent] = useState(false);
  const [problem, setProblem] = useState<ForkProblem | null>(null);
  const send = async (): Promise<void> => {
    if (isSent) return;
    setSent(true);
    const isChanged = code.trim() !== "" && code !== before;
    const repeats = problem?.effects ? { repeatEffects: true } : {};
    const said = await actions?.forkWith({
      ...(isChanged ? { code } : {}),
      ...(message.trim() === "" ? {} : { message }),
      ...repeats,
    });
    setProblem(said ?? null);
    setSent(false);
  };
  return (
    <form
      class="fork-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
      }}
    >
      <p>{t("forkWhy")}</p>
      {before === null ? null : (
        <label class="field">
          <span class="label">{t("forkCode")}</span>
          <textarea
            class="input mono"
            dir="ltr"
            spellcheck={false}
            rows={Math.min(18, Math.max(5, code.split("\n").length + 1))}
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </label>
      )}
      <label class="field">
        <span class="label">{t("forkMessage")}</span>
        <textarea
          class="input"
          dir="auto"
          rows={2}
          value={message}
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
      </label>
      {problem ? (
        <div class="odd" role="alert">
          <Icon name="warn" size={14} />
          <div>
            <p>{problem.effects ? t("forkRepeats") : visibleText(problem.text)}</p>
            {problem.effects ? (
              <ul>
                {problem.effects.slice(0, 8).map((call) => (
                  <li key={call} class="mono" dir="ltr">
                    {visibleText(call)}
                  </li>
                ))}
              </ul>
            ) : null}
          </div>
        </div>
      ) : null}
      <p class="buttons">
        <button type="submit" class="button primary" disabled={isSent}>
          {problem?.effects ? t("forkRepeat") : t("continueFrom", { number: step.number })}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {t("cancel")}
        </button>
      </p>
    </form>
  );
}
