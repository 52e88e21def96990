// One tool call: its name, its arguments with their names, and its outcome. A call of a managed
// agent can be opened to show the agent's steps.

import type { EncodedValue, JsonSchema } from "@smolts/protocol";
import type { ComponentChildren, VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { ToolCard } from "../../src/wire.ts";
import { useApp } from "../app-context.ts";
import { type CallView, type RunView, stepsOf } from "../fold/session-view.ts";
import { gistOf } from "../fold/thought.ts";
import { revealed, visibleText } from "../text/odd-characters.ts";
import { decoded, inline, mediaOf, rowsOf } from "../text/values.ts";
import { Icon } from "./icon.tsx";
import { memo } from "./memo.ts";
import { RunItems } from "./step.tsx";
import { Media, Value } from "./value.tsx";

/** Options of {@link Call}. */
export interface CallProps {
  readonly call: CallView;
  readonly version: number;
}

/** Shows a tool call, or the managed agents that the call started. */
export const Call = memo(
  ({ call }: CallProps): ComponentChildren => {
    if (call.agents.length === 0) return <ToolCall call={call} />;
    return call.agents.map((agent) => (
      <Agent key={agent.path.join("/")} call={call} agent={agent} version={agent.version} />
    ));
  },
  (before, now) => before.version === now.version && before.call === now.call,
);

function ToolCall({ call }: { readonly call: CallView }): VNode {
  const { info } = useApp();
  const tool = info?.agent.tools.find(({ name }) => name === call.name);
  const input = useMemo(() => argumentsOf(call, tool), [call, call.version, tool]);
  const edited = call.approval?.decision?.type === "edit" ? decoded(call.approval.decision.input) : null;
  return (
    <div class="call">
      <Icon name="call" />
      <span class="name">{visibleText(call.name)}</span>
      <dl class="arguments">
        {input.map(([name, value]) => (
          <Argument key={name} name={name} value={value} edited={editedField(edited, name)} />
        ))}
      </dl>
      <CallState call={call} />
      <CallResult call={call} />
    </div>
  );
}

function Argument({
  name,
  value,
  edited,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly edited: unknown;
}): VNode {
  const isChanged = edited !== undefined && inline(edited) !== inline(value);
  return (
    <>
      <dt>{visibleText(name)}</dt>
      <dd>
        {isChanged ? (
          <>
            <del>{shortText(value)}</del> <ins>{shortText(edited)}</ins>
          </>
        ) : (
          <ArgumentText value={value} />
        )}
      </dd>
    </>
  );
}

const shortLength = 240;

function ArgumentText({ value }: { readonly value: unknown }): VNode {
  const { t } = useApp();
  const [isWhole, setWhole] = useState(false);
  const text = useMemo(() => inline(value, 200_000), [value]);
  if (text.length <= shortLength || isWhole) return <>{revealed(text)}</>;
  return (
    <>
      {revealed(text.slice(0, shortLength))}…{" "}
      <button type="button" class="show-all inline" onClick={() => setWhole(true)}>
        {t("showAll")}
      </button>
    </>
  );
}

function shortText(value: unknown): string {
  return revealed(inline(value, shortLength));
}

const editedField = (edited: unknown, name: string): unknown =>
  typeof edited === "object" && edited !== null && Object.hasOwn(edited, name)
    ? (edited as { readonly [field: string]: unknown })[name]
    : undefined;

/**
 * Returns the arguments of a call with their names. They come from the input that a person
 * approves, or that the tool received. If neither is known, they are the arguments that the code
 * passed, with names from the tool's schema.
 */
export function argumentsOf(
  call: Pick<CallView, "args" | "approval" | "input">,
  tool: Pick<ToolCard, "inputSchema"> | undefined,
): readonly (readonly [string, unknown])[] {
  const known = call.approval?.input ?? call.input;
  if (known !== null && known !== undefined) return entriesOf(decoded(known));
  const args = call.args.map(decoded);
  const [first] = args;
  if (args.length === 1 && isRecord(first)) return Object.entries(first);
  const names = namesIn(tool?.inputSchema);
  return args.map((value, index) => [names[index] ?? String(index + 1), value]);
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(value) ? Object.entries(value) : [["1", value]];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !mediaOf(value);

function namesIn(schema: JsonSchema | undefined): readonly string[] {
  const properties = schema?.["properties"];
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}

function CallState({ call }: { readonly call: CallView }): VNode {
  const { t, figures } = useApp();
  const { outcome, approval } = call;
  const time = figures.duration(workTime(call));
  if (!outcome) {
    if (approval && !approval.decision)
      return (
        <span class="state person">
          <i class="dot person" aria-hidden="true" />
          {t("waitingForYou")}
        </span>
      );
    return (
      <span class="state">
        <i class="pulse" aria-hidden="true" />
        {t("runningCall")}
      </span>
    );
  }
  switch (outcome.type) {
    case "ok": {
      const by = approval ? decisionLabel(approval.decision?.type, t) : null;
      return (
        <span class={`state ${by ? "" : "ok"}`}>
          {by ? `${by}, ` : <Icon name="check" size={14} />}
          {by ? null : <span class="visually-hidden">{t("succeeded")}</span>}
          {time}
        </span>
      );
    }
    case "denied":
      return <span class="state person">{t("denied")}</span>;
    case "refused":
      return <span class="state fault">{t("refused")}</span>;
    case "cancelled":
      return <span class="state">{t("cancelled")}</span>;
    case "unknown":
      return <span class="state fault">{t("outcomeUnknown")}</span>;
    case "error":
      return <span class="state fault">{t("failedAfter", { time })}</span>;
    default:
      return outcome satisfies never;
  }
}

function decisionLabel(type: string | undefined, t: ReturnType<typeof useApp>["t"]): string | null {
  if (type === "edit") return t("changedByYou");
  if (type === "approve") return t("approvedByYou");
  return type === "always" ? t("alwaysAllowed") : null;
}

/** Returns how long a call worked, in ms, without the wait for a person. */
function workTime({ startTime, endTime, approval }: CallView): number {
  const start = approval?.decidedAt ?? startTime;
  return Math.max(0, (endTime ?? start) - start);
}

function CallResult({ call }: { readonly call: CallView }): VNode | null {
  const { outcome, progress } = call;
  if (!outcome)
    return progress === null ? null : (
      <div class="result progress">
        <Progress data={progress} />
      </div>
    );
  if (outcome.type !== "ok")
    return call.step.error && outcome.type === "error" ? null : (
      <div class="result">
        <span class={outcome.type === "denied" ? "said" : "wrong"}>{visibleText(outcome.error.message)}</span>
      </div>
    );
  return <ShownResult value={outcome.value} />;
}

/** Shows tables, images and sounds at once. Other values are shown after a click. */
function ShownResult({ value }: { readonly value: EncodedValue }): VNode | null {
  const { t } = useApp();
  const [isOpen, setOpen] = useState(false);
  const plain = useMemo(() => decoded(value), [value]);
  const media = mediaOf(plain);
  if (media)
    return (
      <div class="result">
        <Media part={media} />
      </div>
    );
  if (plain === undefined || plain === null) return null;
  const rows = rowsOf(plain);
  if (rows && rows.rows.length > 1)
    return (
      <div class="result">
        <Value value={value} />
      </div>
    );
  const text = inline(plain, 160);
  if (text.length < 100 && !text.includes("\n"))
    return (
      <div class="result">
        <code class="short-value">{revealed(text)}</code>
      </div>
    );
  return (
    <div class="result">
      {isOpen ? (
        <Value value={value} />
      ) : (
        <button type="button" class="peek" onClick={() => setOpen(true)} aria-label={t("showResult")}>
          <code>{revealed(text.replace(/\s+/g, " "))}</code>
        </button>
      )}
    </div>
  );
}

function Progress({ data }: { readonly data: unknown }): ComponentChildren {
  const fraction =
    typeof data === "number" ? data : isRecord(data) && typeof data["progress"] === "number" ? data["progress"] : null;
  if (fraction !== null && fraction >= 0 && fraction <= 1)
    return <progress value={fraction} max={1} aria-label={inline(data, 80)} />;
  return <span class="figure">{visibleText(inline(data, 200))}</span>;
}

interface AgentProps {
  readonly call: CallView;
  readonly agent: RunView;
  readonly version: number;
}

/** A working managed agent: one row that opens to the list of the agent's steps. */
function Agent({ call, agent }: AgentProps): VNode {
  const { t, figures, isContinuing } = useApp();
  const isUnfinished = agent.status === "running" && call.endTime === null;
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const isShown = isOpen ?? isUnfinished;
  const steps = stepsOf(agent).length;
  const time = figures.duration(agent.endTime - agent.startTime);
  const failed = call.outcome !== null && call.outcome.type !== "ok";
  return (
    <details
      class="agent"
      open={isShown}
      onToggle={(event) => {
        const { open } = event.currentTarget;
        if (open !== isShown) setOpen(open);
      }}
    >
      <summary>
        <Icon name="chevron" />
        <span class="name">{visibleText(agent.name)}</span>
        <span class="does">{visibleText(isUnfinished ? taskOf(call) : reportOf(agent, call))}</span>
        {isUnfinished ? (
          isContinuing ? (
            <i class="pulse" aria-hidden="true" />
          ) : null
        ) : (
          <span class={`state ${failed ? "fault" : "ok"}`}>
            {failed ? t("failed") : <Icon name="check" size={14} />}
          </span>
        )}
        <span class="figure">{isUnfinished ? time : t("stepsIn", { count: steps, time })}</span>
      </summary>
      {isShown ? (
        <div class="inner">
          <RunItems run={agent} version={agent.version} isInner />
        </div>
      ) : null}
    </details>
  );
}

/** Returns the task of a managed agent as text. */
function taskOf(call: CallView): string {
  const first = argumentsOf(call, undefined)[0]?.[1];
  return gistOf(inline(first ?? "", 300));
}

/** Returns the answer of a managed agent as text. */
function reportOf(agent: RunView, call: CallView): string {
  if (agent.answer) return gistOf(inline(decoded(agent.answer.value), 300));
  return call.outcome && call.outcome.type !== "ok" ? call.outcome.error.message : taskOf(call);
}
