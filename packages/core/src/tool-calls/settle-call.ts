import {
  AgentError,
  type CallOutcome,
  type EncodedValue,
  encodeValue,
  onAbort,
  type SerializedError,
  type Tool,
  thrownText,
} from "@smolts/protocol";
import { defaults } from "../defaults.ts";
import { ignoreRejections } from "./ignore-rejections.ts";
import { isLostConnection } from "./lost-connection.ts";
import { toToolError } from "./redact.ts";

/** A call that is running. */
export interface RunningCall {
  readonly tool: Tool;
  /** The signal of the whole run. */
  readonly signal: AbortSignal;
  /**
   * The controller of this call alone. It aborts when the time limit of the call is over, or when
   * the run is aborted.
   */
  readonly controller: AbortController;
}

/** The longest delay of a timer, in ms (25 days). A timer with a longer delay fires immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** Returns how long a tool may take, in ms. Null for no limit. */
export function timeLimitMs({ timeoutMs = defaults.toolTimeoutMs }: Tool): number | null {
  return timeoutMs > 0 && timeoutMs <= maxTimerMs ? timeoutMs : null;
}

/**
 * Runs a tool until it ends, its time is over or the run is aborted, whichever comes first. The
 * tool may hang and ignore the signal. Then this function stops waiting for it.
 */
export function settleCall(
  { tool, signal, controller }: RunningCall,
  task: () => Promise<unknown>,
): Promise<CallOutcome> {
  return new Promise((resolve) => {
    const limitMs = timeLimitMs(tool);
    const timers: ReturnType<typeof setTimeout>[] = [];
    const settle = (outcome: CallOutcome): void => {
      stopListening();
      for (const timer of timers) clearTimeout(timer);
      resolve(outcome);
    };
    const giveUpAfter = (ms: number, how: string): void => {
      const act = (): void => {
        const outcome = cutOff(tool, how);
        controller.abort(AgentError.from(outcome.error));
        settle(outcome);
      };
      timers.push(setTimeout(act, ms));
    };
    const endWithRun = (): void => {
      controller.abort(signal.reason);
      giveUpAfter(defaults.abortGraceMs, "was still running when the run was aborted");
    };
    const stopListening = onAbort(signal, endWithRun);
    if (limitMs !== null) giveUpAfter(limitMs, `took longer than ${limitMs} ms`);
    void outcomeOf(tool, signal, task).then(settle);
  });
}

async function outcomeOf(tool: Tool, signal: AbortSignal, task: () => Promise<unknown>): Promise<CallOutcome> {
  try {
    return { type: "ok", value: encodeOutput(tool, await task()) };
  } catch (error) {
    if (signal.aborted) return cutOff(tool, "was stopped by the abort of the run");
    if (tool.effects !== "none" && mayBeLost(error))
      return cutOff(tool, `lost its connection (${toToolError(error).message})`);
    return { type: "error", error: toToolError(error) };
  }
}

/**
 * Says whether an error means a lost connection. If reading the error throws, it does not count as
 * one.
 */
function mayBeLost(error: unknown): boolean {
  try {
    return isLostConnection(error);
  } catch {
    return false;
  }
}

/**
 * Encodes a tool's result, if necessary after converting it to plain data.
 *
 * @throws AgentError `tool-execution` that names the first part that cannot be converted
 */
function encodeOutput({ name, effects }: Tool, output: unknown): EncodedValue {
  const encode = (value: unknown): EncodedValue =>
    encodeValue(value, { charge: countUpTo(defaults.maxToolResultBytes) });
  try {
    return encode(output);
  } catch (error) {
    try {
      return encode(plainForm(output));
    } catch {
      ignoreRejections(output);
      const why = thrownText(error);
      throw new AgentError("tool-execution", `tool "${name}" returned a value that cannot be passed on: ${why}`, {
        cause: error,
        hint: isIterator(output)
          ? "the author has to return one value, and may report progress with context.emit(data)"
          : effects === "none"
            ? undefined
            : "the tool did its work, and only its result is lost: do not call it again",
      });
    }
  }
}

const isIterator = (output: unknown): boolean =>
  typeof output === "object" && output !== null && Symbol.asyncIterator in output;

/**
 * Returns a function that counts bytes. Above the limit it throws, before the copy of a result
 * fills the memory and the log.
 */
function countUpTo(maxBytes: number): (bytes: number) => void {
  let total = 0;
  return (bytes) => {
    total += bytes;
    if (total > maxBytes)
      throw new RangeError(`it is larger than ${maxBytes} bytes; return a part of it, or a summary`);
  };
}

type CutOff = Extract<CallOutcome, { readonly error: SerializedError }>;

/**
 * Returns the outcome of a call that was interrupted. If the tool has effects, the call may have
 * happened.
 */
function cutOff({ name, effects }: Tool, how: string): CutOff {
  if (effects === "none") {
    return { type: "error", error: new AgentError("tool-execution", `tool "${name}" ${how}`).toJSON() };
  }
  const error = new AgentError("tool-execution", `tool "${name}" ${how}: it may or may not have happened`, {
    hint: "do not simply call it again",
  });
  return { type: "unknown", error: error.toJSON() };
}

// Converts results of tools that are not plain data into a form that a model can be shown.

const maxDepth = 64;

/**
 * Returns a value with its parts in plain form:
 *
 * - An object with `toJSON` becomes the result of `toJSON`, such as a string for a `URL`.
 * - An error becomes `{ name, message }`.
 * - A typed array becomes a list of numbers.
 *
 * Parts without such a form stay as they are.
 */
function plainForm(value: unknown): unknown {
  // Convert each object only once, even if several objects refer to it. Otherwise, if each object
  // refers twice to the next one, the time would double with every level. If an object contains
  // itself, the inner reference is not converted.
  const forms = new Map<object, unknown>();
  const formOf = (part: unknown, depth: number): unknown => {
    if (typeof part !== "object" || part === null || depth > maxDepth) return part;
    if (!forms.has(part)) {
      forms.set(part, part);
      forms.set(
        part,
        plainObject(part, (inner) => formOf(inner, depth + 1)),
      );
    }
    return forms.get(part);
  };
  return formOf(value, 0);
}

/** Returns the plain form of one object. `formOf` converts its parts. */
function plainObject(value: object, formOf: (part: unknown) => unknown): unknown {
  if (value instanceof Date || value instanceof Uint8Array || value instanceof Map || value instanceof Set)
    return value;
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return listOf(value);
  if ("toJSON" in value && typeof value.toJSON === "function") return formOf(value.toJSON());
  if (Array.isArray(value)) return plainList(value, formOf);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, formOf(item)]));
}

/**
 * Returns an array without its named properties, such as `index` in the result of a regular
 * expression.
 */
function plainList(list: readonly unknown[], formOf: (part: unknown) => unknown): unknown[] {
  const form = new Array<unknown>(list.length);
  // An array may have far more holes than elements, so only the elements are visited.
  for (const [key, item] of Object.entries(list)) if (/^\d+$/.test(key)) form[Number(key)] = formOf(item);
  return form;
}

/** Returns the numbers of a typed array. An array that is too large for a result stays as it is. */
const listOf = (view: ArrayBufferView): unknown =>
  // The cast is safe: every view except a `DataView` has a length and values by index.
  view.byteLength > defaults.maxToolResultBytes ? view : Array.from(view as unknown as ArrayLike<unknown>);
