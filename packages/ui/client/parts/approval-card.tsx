// A card for a call that waits for a person's approval. The person can approve only after
// everything was shown, so long values must be unfolded first. Characters that are invisible or
// look like other characters are marked.

import type { JsonValue } from "@smolts/protocol";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { CallView } from "../fold/session-view.ts";
import { visibleText } from "../text/odd-characters.ts";
import { decoded } from "../text/values.ts";
import { Icon } from "./icon.tsx";
import { memo } from "./memo.ts";
import {
  type FormState,
  fieldsOf,
  formInput,
  formProblem,
  oddCharactersIn,
  SchemaForm,
  unseenFields,
} from "./schema-form.tsx";

/**
 * How long presses of the card's buttons are ignored after the card has appeared or moved, in ms.
 * Such an early press was probably meant for something else.
 */
const guardMs = 400;

/** Options of {@link ApprovalCard}. */
export interface ApprovalCardProps {
  readonly call: CallView;
  readonly version: number;
}

/** Asks whether a call may run. */
export const ApprovalCard = memo(
  ({ call }: ApprovalCardProps): VNode | null => (call.approval ? <Card call={call} approval={call.approval} /> : null),
  (before, now) => before.version === now.version && before.call === now.call,
);

function Card({
  call,
  approval,
}: {
  readonly call: CallView;
  readonly approval: NonNullable<CallView["approval"]>;
}): VNode {
  const { t, figures, info, actions, canAct } = useApp();
  const card = useRef<HTMLElement>(null);
  const input = useMemo(() => decoded(approval.input), [approval.digest]);
  const schema = toolSchema(info, call.name);
  const fields = useMemo(() => fieldsOf(input, schema), [input, schema]);
  const [form, setForm] = useState<FormState>({});
  const [isWarned, setWarned] = useState(false);
  const [isDenying, setDenying] = useState(false);
  const [reason, setReason] = useState("");
  const [isAlways, setAlways] = useState(false);
  const [sent, setSent] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(actions?.problemOf(call.id) ?? null);
  const calmSince = useCalm(card);
  const waited = useWaited(approval.askedAt);

  const odd = oddCharactersIn(fields, form);
  const unseen = unseenFields(fields, form);
  const wrong = formProblem(fields, form, t);
  const isEdited = Object.values(form).some(({ text }) => text !== undefined);
  const first = odd[0];
  const title = `approval-${approval.digest.slice(0, 12)}`;

  const decide = async (
    decision: Parameters<NonNullable<typeof actions>["decide"]>[1],
    kind: string,
  ): Promise<void> => {
    if (!actions) return;
    setSent(kind);
    const failure = await actions.decide(call, decision);
    if (failure !== null) {
      setSent(null);
      setProblem(failure);
    }
  };

  const approve = (): void => {
    if (performance.now() - calmSince.current < guardMs || sent !== null || unseen > 0 || wrong !== null) return;
    if (first && !isWarned) {
      setWarned(true);
      card.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(first.path)}"]`)?.focus();
      return;
    }
    if (isEdited) void decide({ type: "edit", input: formInput(fields, form) as JsonValue }, "approve");
    else if (isAlways && !approval.each && odd.length === 0) void decide({ type: "always" }, "approve");
    else void decide({ type: "approve" }, "approve");
  };

  const deny = (): void => {
    if (performance.now() - calmSince.current < guardMs || sent !== null) return;
    void decide(reason.trim() === "" ? { type: "deny" } : { type: "deny", reason: reason.trim() }, "deny");
  };

  const approveLabel = isWarned && odd.length > 0 ? t("approveAnyway") : isEdited ? t("approveChanged") : t("approve");
  const isBlocked = !canAct || sent !== null || unseen > 0 || wrong !== null;
  const alwaysHint = odd.length > 0 ? t("alwaysOdd") : isEdited ? t("alwaysEdited") : t("always", { tool: call.name });
  return (
    <section class="card person" ref={card} aria-labelledby={title} data-approval={call.id}>
      <div class="head">
        <Icon name="hand" />
        <strong id={title}>
          <code>{visibleText(call.name)}</code> {t("waitsForYou")}
        </strong>
        <span class="figure">{figures.clock(waited)}</span>
      </div>
      <div class="content">
        <p class="because">{effectsText(call, info, t)}</p>
        <SchemaForm fields={fields} form={form} isDisabled={!canAct || sent !== null} onChange={setForm} id={title} />
        {unseen > 0 ? <p class="figure">{t("unfoldFirst", { count: unseen })}</p> : null}
        {wrong ? <p class="odd wrong-field">{wrong}</p> : null}
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
            <button type="button" class="button primary" data-approve disabled={isBlocked} onClick={approve}>
              {sent === "approve" ? t("sending") : approveLabel}{" "}
              <span class="kbd" aria-hidden="true">
                A
              </span>
            </button>
            <button
              type="button"
              class="button"
              data-deny
              disabled={sent !== null}
              aria-expanded={isDenying}
              onClick={() => setDenying(!isDenying)}
            >
              {t("deny")}{" "}
              <span class="kbd" aria-hidden="true">
                D
              </span>
            </button>
            {approval.each ? null : (
              <label class="always">
                <input
                  type="checkbox"
                  checked={isAlways && odd.length === 0 && !isEdited}
                  disabled={odd.length > 0 || isEdited || sent !== null}
                  onChange={(event) => setAlways(event.currentTarget.checked)}
                />
                <span>{alwaysHint}</span>
              </label>
            )}
            {isDenying ? (
              <form
                class="reason"
                onSubmit={(event) => {
                  event.preventDefault();
                  deny();
                }}
              >
                <FocusedInput label={t("reasonLabel")} value={reason} onInput={setReason} />
                <button type="submit" class="button" disabled={sent !== null}>
                  {sent === "deny" ? t("sending") : t("denyNow")}
                </button>
              </form>
            ) : null}
          </>
        ) : (
          <p class="figure">{t("cannotDecide")}</p>
        )}
      </div>
    </section>
  );
}

function FocusedInput({
  label,
  value,
  onInput,
}: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}): VNode {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <input
      ref={input}
      class="input"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

function toolSchema(info: ReturnType<typeof useApp>["info"], name: string): { readonly [key: string]: unknown } | null {
  const find = (agent: NonNullable<typeof info>["agent"]): { readonly [key: string]: unknown } | null =>
    agent.tools.find((tool) => tool.name === name)?.inputSchema ??
    agent.managedAgents.reduce<{ readonly [key: string]: unknown } | null>(
      (found, inner) => found ?? find(inner),
      null,
    );
  return info ? find(info.agent) : null;
}

/** Describes the effect of the tool in fixed words. The model cannot change them. */
function effectsText(
  call: CallView,
  info: ReturnType<typeof useApp>["info"],
  t: ReturnType<typeof useApp>["t"],
): string {
  const effects = info?.agent.tools.find(({ name }) => name === call.name)?.effects;
  if (effects === "none") return t("effectNone");
  return effects === "idempotent" ? t("effectIdempotent") : t("effectOnce");
}

/**
 * Returns the time at which the card last appeared or moved. Moves by scrolling do not count,
 * because the person expects them.
 */
function useCalm(card: { readonly current: HTMLElement | null }): { current: number } {
  const since = useRef(performance.now());
  useEffect(() => {
    let last = card.current?.getBoundingClientRect().top ?? 0;
    const scroller = card.current?.closest(".scroll");
    let isScrolling = false;
    let end: ReturnType<typeof setTimeout>;
    const scrolled = (): void => {
      isScrolling = true; // the person scrolls, so they see the card move
      clearTimeout(end);
      end = setTimeout(() => {
        isScrolling = false;
      }, 150);
    };
    scroller?.addEventListener("scroll", scrolled, { passive: true });
    const timer = setInterval(() => {
      const top = card.current?.getBoundingClientRect().top ?? 0;
      if (Math.abs(top - last) > 4 && !isScrolling) since.current = performance.now();
      last = top;
    }, 100);
    return () => {
      clearInterval(timer);
      scroller?.removeEventListener("scroll", scrolled);
    };
  }, []);
  return since;
}

/** Returns how long the call has waited, in ms, updated every second. */
function useWaited(askedAt: number): number {
  const { actions } = useApp();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!actions) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [actions]);
  return now - askedAt;
}
