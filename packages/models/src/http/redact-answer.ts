// A server that echoes a key in its answer, maybe in pieces, must not get it into logs: what may be
// the beginning of a secret is held back until it is known.

import type { ModelEvent } from "@smolts/protocol";
import type { Secrets } from "./redact.ts";

/** The answer with its secrets taken out of text, reasoning and tool calls. */
export async function* redactAnswer(events: AsyncIterable<ModelEvent>, secrets: Secrets): AsyncGenerator<ModelEvent> {
  if (secrets.isEmpty) return yield* events;
  // Text of one kind may go on after text of another.
  const held = new Map<string, { readonly event: TextEvent; text: string }>();
  for await (const event of events) {
    if (isText(event)) {
      const key = event.type === "tool-call-delta" ? `call ${event.index}` : event.type;
      const text = secrets.redact((held.get(key)?.text ?? "") + textOf(event));
      const shownLength = text.length - secrets.openEnd(text);
      if (shownLength === text.length) held.delete(key);
      else held.set(key, { event, text: text.slice(shownLength) });
      if (shownLength > 0 || event.type === "tool-call-delta") yield withText(event, text.slice(0, shownLength));
      continue;
    }
    if (event.type === "end")
      for (const { event: last, text } of held.values()) yield withText(withoutStart(last), text);
    yield event.type === "part" ? { ...event, part: redactedPart(event.part, secrets) } : event;
  }
}

type TextEvent = Extract<ModelEvent, { readonly type: "text-delta" | "reasoning-delta" | "tool-call-delta" }>;

const isText = (event: ModelEvent): event is TextEvent =>
  event.type === "text-delta" || event.type === "reasoning-delta" || event.type === "tool-call-delta";

const textOf = (event: TextEvent): string => (event.type === "tool-call-delta" ? event.inputText : event.text);

const withText = (event: TextEvent, text: string): ModelEvent =>
  event.type === "tool-call-delta" ? { ...event, inputText: text } : { ...event, text };

/** A rest of a call is not its beginning once more. */
const withoutStart = (event: TextEvent): TextEvent =>
  event.type === "tool-call-delta" ? { type: event.type, index: event.index, inputText: "" } : event;

type Part = Extract<ModelEvent, { readonly type: "part" }>["part"];

function redactedPart(part: Part, { redact }: Secrets): Part {
  const text = JSON.stringify(part);
  const redacted = redact(text);
  // What stands for a secret has no character that JSON escapes, so that the text is still that of
  // a part.
  return redacted === text ? part : (JSON.parse(redacted) as Part);
}
