// The box of one step: its code, calls and agents, errors, console output and result.

import type { ConsoleLine, SerializedError, TokenUsage } from "@smolts/protocol";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { CallDraft, StepView } from "../fold/session-view.ts";
import { visibleText } from "../text/odd-characters.ts";
import { Call } from "./call.tsx";
import { Code, type CodeFault, lineCountOf } from "./code.tsx";
import { Icon, IconButton } from "./icon.tsx";
import { LongText, Value } from "./value.tsx";

/** Says whether a step has anything to show in a box. */
export function hasCell(step: StepView): boolean {
  return (
    step.code !== null ||
    step.calls.length > 0 ||
    step.drafts.length > 0 ||
    step.error !== null ||
    step.console.length > 0
  );
}

/**
 * The box of one step. `isFolded` collapses the code to one line. This is used while a question to
 * a person is shown below the code.
 */
export function Cell({ step, isFolded }: { readonly step: StepView; readonly isFolded: boolean }): VNode {
  const { toolNames } = useApp();
  const calls = step.calls.filter(({ name }) => name !== "finalAnswer" || !toolNames.has(name) || step.code === null);
  return (
    <div class="cell">
      {step.code === null ? null : <StepCode step={step} code={step.code} isFolded={isFolded} />}
      {calls.map((call) => (
        <Call key={call.id} call={call} version={call.version} />
      ))}
      {step.drafts.filter(Boolean).map((draft, index) => (
        <Draft key={index} draft={draft} />
      ))}
      {step.error && step.error.code !== "interrupted" ? <Trouble error={step.error} /> : null}
      {step.console.length > 0 ? <Console lines={step.console} /> : null}
      {step.output && step.console.length === 0 && !step.error ? <Output step={step} /> : null}
    </div>
  );
}

function StepCode({
  step,
  code,
  isFolded,
}: {
  readonly step: StepView;
  readonly code: string;
  readonly isFolded: boolean;
}): VNode {
  const { t, actions, canAct, info, isContinuing } = useApp();
  const isWriting = isContinuing && step.codeState === "writing";
  const language = isPython(code.slice(0, 4_000)) ? "python" : "javascript";
  const name = language === "python" ? "Python" : "JavaScript";
  const shown = <Code code={code} language={language} isLive={isWriting} fault={faultOf(step.error)} />;
  if (isFolded)
    return (
      <details class="folded">
        <summary class="bar">
          <Icon name="chevron" size={14} />
          <span>{t("codeLines", { language: name, count: lineCountOf(code) })}</span>
        </summary>
        {shown}
      </details>
    );
  return (
    <>
      <div class="bar">
        <span>{isWriting ? t("writingLanguage", { language: name }) : name}</span>
        <span class="spacer" />
        {isWriting ? null : <StepFigures usage={step.usage} />}
        {actions && !isWriting ? (
          <>
            {canAct && info?.canFork && step.run.path.length === 1 ? (
              <IconButton icon="edit" label={t("forkHere")} class="small fork" onClick={() => actions.fork(step)} />
            ) : null}
            <IconButton icon="copy" label={t("copyCode")} class="small" onClick={() => actions.copy(code)} />
          </>
        ) : null}
      </div>
      {shown}
    </>
  );
}

const isPython = (code: string): boolean =>
  /^\s*(?:import \w+|from \w+ import|def \w+\(|print\(f")/m.test(code) && !/\bconst |\blet |;$/m.test(code);

/** Shows the tokens and the cost of one answer of the model. */
export function StepFigures({ usage }: { readonly usage: TokenUsage | null }): VNode | null {
  const { t, figures } = useApp();
  if (!usage) return null;
  const { inputTokens, outputTokens, cachedInputTokens, costUsd } = usage;
  const cached = cachedInputTokens ? t("cachedTokens", { count: figures.count(cachedInputTokens) }) : undefined;
  return (
    <span class="figure step-figures" title={cached}>
      {t("stepTokens", { input: figures.count(inputTokens), output: figures.count(outputTokens) })}
      {costUsd === undefined ? "" : `, ${figures.cost(costUsd)}`}
    </span>
  );
}

/** Returns the line and column in the message of a code error; null if there are none. */
function faultOf(error: SerializedError | null): CodeFault | null {
  const place = error?.code === "code-execution" ? /^line (\d+), column (\d+):?$/m.exec(error.message) : null;
  return place ? { line: Number(place[1]), column: Number(place[2]) } : null;
}

/**
 * Shows an error. Leaves out the message's excerpt of the code, because the whole code is shown
 * above.
 */
export function Trouble({ error }: { readonly error: SerializedError }): VNode {
  const { t } = useApp();
  const message = messageOf(error);
  return (
    <div class="trouble">
      <strong>{visibleText(message.length > 2_000 ? `${message.slice(0, 2_000)}…` : message)}</strong>
      {error.hint ? (
        <p class="hint">
          <span class="hint-label">{t("hint")}</span> {visibleText(error.hint)}
        </p>
      ) : null}
    </div>
  );
}

/** Returns the message of an error, without the excerpt of the code. */
export function messageOf(error: SerializedError): string {
  return error.message.replace(/\nline \d+, column \d+:?\n[^\n]*\n\s*\^[^\n]*/g, "").trim();
}

const maxLines = 60;

function Console({ lines }: { readonly lines: readonly ConsoleLine[] }): VNode {
  const { t } = useApp();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(-maxLines);
  return (
    <div class="console">
      <p class="label">
        {t("console")}
        {shown.length < lines.length ? (
          <button type="button" onClick={() => setWhole(true)}>
            {t("showAllLines", { count: lines.length })}
          </button>
        ) : null}
      </p>
      {grouped(shown).map(({ level, text }, index) => (
        <div key={`${isWhole}/${index}`} class={`lines level-${level}`}>
          <LongText text={text} isOpened={isWhole} />
        </div>
      ))}
    </div>
  );
}

/** Joins neighbouring console lines of the same level, so that they need only one element. */
function grouped(lines: readonly ConsoleLine[]): readonly ConsoleLine[] {
  const groups: { level: ConsoleLine["level"]; texts: string[] }[] = [];
  for (const { level, text } of lines) {
    const last = groups.at(-1);
    if (last?.level === level) last.texts.push(text);
    else groups.push({ level, texts: [text] });
  }
  return groups.map(({ level, texts }) => ({ level, text: texts.join("\n") }));
}

function Output({ step }: { readonly step: StepView }): VNode | null {
  const { t } = useApp();
  if (!step.output || step.output.text === "undefined") return null;
  return (
    <div class="console">
      <p class="label">{t("lastValue")}</p>
      {step.output.value === undefined ? <LongText text={step.output.text} /> : <Value value={step.output.value} />}
    </div>
  );
}

function Draft({ draft }: { readonly draft: CallDraft }): VNode {
  const { t } = useApp();
  return (
    <div class="call">
      <Icon name="call" />
      <span class="name">{visibleText(draft.name)}</span>
      <span class="arguments drafted">
        {visibleText(draft.inputText.slice(-400))}
        <i class="cursor" />
      </span>
      <span class="state">{t("writingCall")}</span>
    </div>
  );
}
