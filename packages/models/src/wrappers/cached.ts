import {
  invalidOption,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type OptionTable,
  readOptions,
  sha256,
  type TokenUsage,
  toBase64,
} from "@smolts/protocol";
import { checkModel } from "./check-models.ts";
import { wrapModel } from "./wrap-model.ts";

/** The place where {@link cached} keeps answers. */
export interface AnswerStore {
  get(key: string): Promise<readonly ModelEvent[] | undefined>;
  set(key: string, events: readonly ModelEvent[]): Promise<void>;
}

/** Options of {@link cached}. */
export interface CacheOptions {
  /**
   * The owner of the answers, such as a user's id. A cached answer is returned only for the scope
   * in which it was created, so that no user sees the answers to another user.
   */
  readonly scope: string | ((request: ModelRequest) => string);
  /** The store for the answers. Default: the memory of this process, limited by `maxEntries`. */
  readonly store?: AnswerStore;
  /**
   * The maximum number of answers in the default store. If there are more, the store drops the
   * answer that was used least recently. Default: 1,000.
   */
  readonly maxEntries?: number;
}

/**
 * Wraps a model so that a request that was already answered gets the stored answer.
 *
 * Two requests are the same if they have the same scope, model id, messages, tools and settings.
 * The model's own options are not compared. An answer that was cut off or filtered is not stored.
 * The usage of a cached answer is 0 tokens, and its `end` event has `details: { cached: true }`.
 *
 * @throws AgentError `invalid-option` if `scope` is missing; at a call, if the scope function
 *   returns no scope
 * @example
 * ```ts
 * import { cached, generate } from "@smolts/models";
 * import { scriptedModel } from "@smolts/testing";
 *
 * const model = cached(scriptedModel(["42"]), { scope: "user-7" });
 * const request = { messages: [] };
 * await generate(model, request);
 * console.log((await generate(model, request)).usage?.totalTokens); // 0
 * ```
 */
export function cached(model: Model, options: CacheOptions): Model {
  checkModel(model, "cached");
  // JavaScript callers may leave the options out. Then the error says that the scope is missing.
  const read = readOptions<CacheOptions>(options ?? {}, "cached()", cacheOptions);
  const { scope, maxEntries = 1_000, store = memoryStore(maxEntries) } = read;
  if (typeof scope !== "function") requireScope(scope);
  return wrapModel(model, async function* (request, options) {
    options.signal.throwIfAborted();
    const key = await keyOf(requireScope(typeof scope === "function" ? scope(request) : scope), model.id, request);
    const known = await store.get(key);
    options.signal.throwIfAborted();
    if (known?.at(-1)?.type === "end") return yield* replay(known, options.signal);
    const events: ModelEvent[] = [];
    for await (const event of model.stream(request, options)) {
      if (event.type !== "retry" && event.type !== "learned") events.push(event);
      // The answer is stored before its last event is shown, because the consumer may stop reading
      // there.
      if (isGoodEnd(event)) await store.set(key, events);
      yield event;
    }
  });
}

const cacheOptions: OptionTable<CacheOptions> = { scope: true, store: true, maxEntries: true };

function requireScope(scope: string): string {
  // Check the scope, because JavaScript callers may leave it out.
  if (typeof scope === "string" && scope !== "") return scope;
  throw invalidOption(
    "the cache has no scope",
    'name the owner of the answers, such as { scope: userId }, or { scope: "everybody" } if everybody may see all answers',
  );
}

async function keyOf(scope: string, modelId: string, request: ModelRequest): Promise<string> {
  return toBase64(await sha256(JSON.stringify([scope, modelId, request])));
}

const isGoodEnd = (event: ModelEvent): boolean =>
  event.type === "end" && (event.finishReason === "stop" || event.finishReason === "tool-calls");

const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

function* replay(events: readonly ModelEvent[], signal: AbortSignal): Generator<ModelEvent> {
  for (const event of events) {
    signal.throwIfAborted();
    if (event.type === "usage") continue;
    if (event.type === "end") {
      yield { type: "usage", usage: noUsage };
      yield { type: "end", finishReason: event.finishReason, details: { cached: true } };
      return;
    }
    yield event;
  }
}

function memoryStore(maxEntries: number): AnswerStore {
  // A Map keeps the order of insertion. Each answer that is used is moved to the end, so the first
  // answer is the least recently used.
  const answers = new Map<string, readonly ModelEvent[]>();
  const put = (key: string, events: readonly ModelEvent[]): void => {
    answers.delete(key);
    answers.set(key, events);
    const [oldest] = answers.keys();
    if (answers.size > maxEntries && oldest !== undefined) answers.delete(oldest);
  };
  return {
    async get(key) {
      const events = answers.get(key);
      if (events) put(key, events);
      return events;
    },
    async set(key, events) {
      put(key, events);
    },
  };
}
