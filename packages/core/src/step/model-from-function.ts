import { explainMessages } from "@smolts/memory";
import {
  AgentError,
  type ChatMessage,
  invalidOption,
  isClass,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ModelStreamOptions,
} from "@smolts/protocol";

/** The answer of a model that is a function: a text, a whole message, or pieces of it. */
export type ModelFunctionAnswer =
  | string
  | ChatMessage
  | AsyncIterable<string | ModelEvent>
  | Promise<string | ChatMessage>;

/** A model that is written as a function of the messages. */
export type ModelFunction = (
  messages: readonly ChatMessage[],
  options: ModelStreamOptions & Omit<ModelRequest, "messages">,
) => ModelFunctionAnswer;

/**
 * Turns a function of the messages into a model.
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
      const result = await answer(explainMessages(messages), { ...request, ...options });
      if (typeof result === "string") yield* eventsOfText(result);
      else if (isIterable(result)) yield* eventsOfPieces(result);
      else if (isMessage(result)) yield* eventsOfMessage(result);
      else if (isModel(result)) throw madeModel(answer.name);
      else throw notAnAnswer("returned", result);
    },
  };
}

/**
 * Returns the model that was passed as the option `model`. A function is turned into a model.
 * @throws AgentError `invalid-option` that says what to write
 */
export function checkModel(model: unknown): Model {
  if (typeof model === "function" && isClass(model)) {
    throw invalidOption(
      `model is the class "${model.name}"; expected a model or a function`,
      'write model: openai("gpt-5-mini"), or make an instance of it',
    );
  }
  // its answers are checked at each call
  if (typeof model === "function") return modelFromFunction(model as ModelFunction);
  if (isModel(model)) return model;
  if (typeof model === "string") {
    throw invalidOption(
      `model is the string "${model}"`,
      'strings are resolved by the agents of the package "smolts"; import CodeAgent from there',
    );
  }
  const what = typeof model === "object" && model !== null ? "an object" : String(model);
  throw invalidOption(
    `model is ${what}; expected a model or a function`,
    foreignModelHint(model) ?? 'write model: openai("gpt-5-mini") or model: (messages) => "..."',
  );
}

const isModel = (value: unknown): value is Model =>
  typeof value === "object" && value !== null && "stream" in value && "id" in value;

/** Returns a hint for a model object of another library, which is recognised by its members. */
function foreignModelHint(model: unknown): string | undefined {
  if (typeof model !== "object" || model === null) return undefined;
  if (Array.isArray(model)) return "write model: fallback([first, second])";
  if (model instanceof Promise) return "it is a promise: write model: await ...";
  if ("doStream" in model) return "it is a model of the AI SDK: write fromAiSdkModel(model) of @smolts/model-ai-sdk";
  if ("chat" in model || "responses" in model) {
    return 'it is a client of the OpenAI SDK: write model: openai("gpt-5-mini", { apiKey })';
  }
  if ("invoke" in model) return 'it is a model of LangChain: write model: openai("gpt-5-mini", { apiKey })';
  if ("apiKey" in model || "modelId" in model || "provider" in model)
    return 'it contains options: write model: openai("gpt-5-mini", { apiKey })';
  return undefined;
}

async function* eventsOfPieces(pieces: AsyncIterable<string | ModelEvent>): AsyncGenerator<ModelEvent> {
  let ended = false;
  for await (const piece of pieces) {
    const event: ModelEvent = typeof piece === "string" ? { type: "text-delta", text: piece } : piece;
    if (!isTyped(event)) throw notAnAnswer("yielded", event);
    ended ||= event.type === "end";
    yield event;
  }
  // A function that yields only texts need not yield `end`, because the answer also ends when the
  // function returns.
  if (!ended) yield { type: "end", finishReason: "stop" };
}

function* eventsOfText(text: string): Generator<ModelEvent> {
  yield { type: "text-delta", text };
  yield { type: "end", finishReason: "stop" };
}

function* eventsOfMessage({ content }: ChatMessage): Generator<ModelEvent> {
  let callCount = 0;
  for (const part of content) {
    if (part.type === "text") yield { type: "text-delta", text: part.text };
    else if (part.type === "tool-call") {
      yield {
        type: "tool-call-delta",
        index: callCount++,
        id: part.id,
        name: part.name,
        inputText: part.rawInput ?? JSON.stringify(part.input ?? {}),
      };
    } else if (part.type !== "tool-result") yield { type: "part", part };
  }
  yield { type: "end", finishReason: callCount > 0 ? "tool-calls" : "stop" };
}

// The function's result is checked, because without TypeScript a function can return anything.

const isIterable = (value: object): value is AsyncIterable<string | ModelEvent> =>
  value !== null && typeof value === "object" && Symbol.asyncIterator in value;

const isMessage = (value: ChatMessage): boolean =>
  typeof value === "object" && value !== null && Array.isArray(value.content) && value.content.every(isTyped);

const isTyped = (item: { readonly type: string }): boolean =>
  typeof item === "object" && item !== null && typeof item.type === "string" && (!isSpoken(item) || hasText(item));

const isSpoken = ({ type }: { readonly type: string }): boolean =>
  ["text", "text-delta", "reasoning-delta"].includes(type);

const hasText = (item: object): boolean => "text" in item && typeof item.text === "string";

/** Returns the error for a model function that returned a model instead of an answer. */
function madeModel(name: string): AgentError {
  return invalidOption(
    "model is a function that returned a model; expected a model",
    `call it: model: ${name === "" || name === "model" ? "makeModel" : name}()`,
  );
}

function notAnAnswer(did: "returned" | "yielded", value: unknown): AgentError {
  const what =
    value === null || Array.isArray(value) ? JSON.stringify(value)?.slice(0, 100) : `a value of type "${typeof value}"`;
  return new AgentError("generation", `the model function ${did} ${what}, which is not an answer`, {
    hint:
      did === "returned"
        ? 'return a string, { role: "assistant", content: [{ type: "text", text: "..." }] }, or an async iterable of strings'
        : 'yield strings, or events such as { type: "text-delta", text: "..." }',
  });
}
