// Shows the messages of one request to the model, with a line above the first new message.

import { createStepFold, toMessages } from "@smolts/memory";
import type { ChatMessage, ContentPart, DurableEvent } from "@smolts/protocol";
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { type RunView, stepsOf } from "../fold/session-view.ts";
import { IconButton } from "../parts/icon.tsx";
import { LongText } from "../parts/value.tsx";
import type { Store } from "../store.ts";

/** Returns the messages of one model request, computed from the log. */
function messagesOf(
  events: readonly DurableEvent[],
  run: Pick<RunView, "id" | "path">,
  stepNumber: number,
): readonly ChatMessage[] {
  const fold = createStepFold({ path: run.path });
  for (const event of events) {
    const isAt =
      event.runId === run.id &&
      event.path.length === run.path.length &&
      event.path.every((name, at) => name === run.path[at]);
    if (isAt && event.type === "step-start" && event.stepNumber === stepNumber) break;
    fold.add(event);
  }
  return toMessages(fold.steps);
}

/** The panel that shows the messages that the model got. */
export function MemoryPanel({ run, store }: { readonly run: RunView; readonly store: Store }): VNode {
  const { t, figures, actions } = useApp();
  const [chosen, setChosen] = useState<number | null>(null);
  const steps = stepsOf(run);
  const events = store.replay?.file.events ?? store.session?.events ?? [];
  const index = Math.min(chosen ?? steps.length - 1, steps.length - 1);
  const step = steps[index];
  const earlier = steps[index - 1];
  const messages = useMemo(() => (step ? messagesOf(events, run, step.number) : []), [run, step, events.length]);
  const known = useMemo(
    () => (earlier ? messagesOf(events, run, earlier.number).length : 0),
    [run, earlier, events.length],
  );
  if (!step) return <p class="nothing">{t("nothingYet")}</p>;
  const { usage } = step;
  const sizes = messages.map(sizeOf);
  const total = Math.max(
    1,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  return (
    <>
      <div class="stepper">
        <span>
          {t("requestOf", { number: index + 1, count: steps.length, model: run.model.replace(/^[^/]*\//, "") })}
        </span>
        <IconButton
          icon="copy"
          class="small"
          label={t("copyJson")}
          onClick={() => actions?.copy(JSON.stringify(messages, null, 2))}
        />
        <IconButton
          icon="back"
          class="small"
          label={t("requestBefore")}
          disabled={index === 0}
          onClick={() => setChosen(index - 1)}
        />
        <IconButton
          icon="next"
          class="small"
          label={t("nextRequest")}
          disabled={index === steps.length - 1}
          onClick={() => setChosen(index + 1)}
        />
      </div>
      <p class="lead">
        {usage
          ? usage.cachedInputTokens
            ? t("tokensCached", {
                count: figures.count(usage.inputTokens),
                cached: figures.count(usage.cachedInputTokens),
              })
            : t("tokens", { count: figures.count(usage.inputTokens) })
          : t("messages", { count: messages.length })}
      </p>
      <div
        class="budget"
        role="img"
        aria-label={t("memoryShares", { count: messages.length, fresh: messages.length - known })}
      >
        {barOf(sizes, known).map(({ size, isNew }, at) => (
          <i key={at} class={isNew ? "new" : ""} style={{ flexGrow: size / total }} />
        ))}
      </div>
      <div class="legend memory-legend">
        <span>
          <i class="as-before" aria-hidden="true" />
          {t("asBefore")}
        </span>
        <span>
          <i class="model-time" aria-hidden="true" />
          {t("newInRequest")}
        </span>
      </div>
      {messages.map((message, at) => (
        <>
          {at === known && known > 0 ? (
            <div class="since" key="since">
              {t("newSince", { number: index })}
            </div>
          ) : null}
          <Message key={at} message={message} size={sizes[at]!} />
        </>
      ))}
    </>
  );
}

const maxBarParts = 60;

/**
 * Returns one part of the bar for each message. If there are too many messages, returns two parts:
 * one for all messages that the model already knew, and one for all new messages.
 */
function barOf(sizes: readonly number[], known: number): readonly { readonly size: number; readonly isNew: boolean }[] {
  if (sizes.length <= maxBarParts) return sizes.map((size, at) => ({ size, isNew: at >= known }));
  const sum = (part: readonly number[]): number => part.reduce((total, size) => total + size, 0);
  return [
    { size: sum(sizes.slice(0, known)), isNew: false },
    { size: sum(sizes.slice(known)), isNew: true },
  ];
}

const headLength = 600;

function Message({ message, size }: { readonly message: ChatMessage; readonly size: number }): VNode {
  const { t, figures } = useApp();
  const [isWhole, setWhole] = useState(false);
  const text = message.content.map(partText).join("\n");
  return (
    <div class="message">
      <p class="by">
        <b>{t(`role-${message.role}`)}</b>
        <span class="figure">{t("characters", { count: figures.count(size) })}</span>
      </p>
      <LongText text={isWhole || text.length <= headLength ? text : `${text.slice(0, headLength)}…`} />
      {text.length > headLength && !isWhole ? (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          {t("showAll")}
        </button>
      ) : null}
    </div>
  );
}

function partText(part: ContentPart): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text;
    case "tool-call":
      return `${part.name}(${JSON.stringify(part.input)})`;
    case "tool-result":
      return part.output.map(partText).join("\n");
    case "image":
    case "audio":
    case "file":
      return `[${part.type}${part.name === undefined ? "" : ` ${part.name}`}]`;
    default:
      return part satisfies never;
  }
}

const sizeOf = ({ content }: ChatMessage): number => content.reduce((sum, part) => sum + partText(part).length, 0);
