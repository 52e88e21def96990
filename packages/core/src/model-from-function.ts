import type { ChatMessage, Model, ModelEvent, ModelRequest, ModelStreamOptions } from "@smolts/protocol";

/** What a model given as a function may answer: text, a whole message, or pieces as they come. */
export type ModelFunctionAnswer =
  | string
  | ChatMessage
  | AsyncIterable<string | ModelEvent>
  | Promise<string | ChatMessage>;

/** A model as a function of the messages. */
export type ModelFunction = (
  messages: readonly ChatMessage[],
  options: ModelStreamOptions & Omit<ModelRequest, "messages">,
) => ModelFunctionAnswer;

/**
 * Makes a model of a function.
 *
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 *
 * const model = modelFromFunction((messages) => `<code>finalAnswer(${messages.length})</code>`);
 * console.log(await new CodeAgent({ model }).run("How many messages do you see?")); // 2
 * ```
 */
export function modelFromFunction(answer: ModelFunction): Model {
  return {
    id: `function/${answer.name || "anonymous"}`,
    async *stream({ messages, ...request }, options) {
      const given = await answer(messages, { ...request, ...options });
      if (typeof given === "object" && Symbol.asyncIterator in given) yield* eventsOfPieces(given);
      else yield* eventsOfWhole(given);
    },
  };
}

async function* eventsOfPieces(pieces: AsyncIterable<string | ModelEvent>): AsyncGenerator<ModelEvent> {
  let ended = false;
  for await (const piece of pieces) {
    const event: ModelEvent = typeof piece === "string" ? { type: "text-delta", text: piece } : piece;
    ended ||= event.type === "end";
    yield event;
  }
  // A function that yields only texts says by returning that it is done.
  if (!ended) yield { type: "end", finishReason: "stop" };
}

function* eventsOfWhole(answer: string | ChatMessage): Generator<ModelEvent> {
  if (typeof answer === "string") {
    yield { type: "text-delta", text: answer };
    yield { type: "end", finishReason: "stop" };
    return;
  }
  let callCount = 0;
  for (const part of answer.content) {
    if (part.type === "text") yield { type: "text-delta", text: part.text };
    else if (part.type === "tool-call") {
      yield {
        type: "tool-call-delta",
        index: callCount++,
        id: part.id,
        name: part.name,
        inputText: JSON.stringify(part.input),
      };
    } else if (part.type !== "tool-result") yield { type: "part", part };
  }
  yield { type: "end", finishReason: callCount > 0 ? "tool-calls" : "stop" };
}
