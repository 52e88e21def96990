// Removes secrets from answers. A server may echo a key in its answer, even split over several
// pieces, and the key must not get into logs. So text that may be the beginning of a secret is held
// back until the rest of it has arrived.

import type { ModelEvent } from "@smolts/protocol";
import type { Secrets } from "./redact.ts";

/** Yields the events of an answer, without the secrets in its text, reasoning and tool calls. */
export async function* redactAnswer(events: AsyncIterable<ModelEvent>, secrets: Secrets): AsyncGenerator<ModelEvent> {
  if (secrets.isEmpty) return yield* events;
  // The text that is held back. Each kind of text has its own entry, because pieces of different
  // kinds may alternate.
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

/**
 * Removes the id and the name of a call. They were already sent with the first piece of the call.
 */
const withoutStart = (event: TextEvent): TextEvent =>
  event.type === "tool-call-delta" ? { type: event.type, index: event.index, inputText: "" } : event;

type Part = Extract<ModelEvent, { readonly type: "part" }>["part"];

function redactedPart(part: Part, { redact }: Secrets): Part {
  const text = JSON.stringify(part);
  const redacted = redact(text);
  // The text that replaces a secret has no characters that JSON escapes. So the redacted text is
  // still the JSON of a part.
  return redacted === text ? part : (JSON.parse(redacted) as Part);
}
