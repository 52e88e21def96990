import { sumUsage, toMessages } from "@smolts/memory";
import {
  AgentError,
  type ChatMessage,
  type ContentPart,
  type EventOf,
  type Model,
  type ModelEvent,
  type ModelRequest,
  textOf,
  thrownText,
} from "@smolts/protocol";
import type { TextSorter } from "../agent/agent-definition.ts";
import { typeText } from "../languages/languages.ts";
import { withNote } from "../observation/state-note.ts";
import { finalAnswerMessages } from "../prompts/final-answer.ts";
import type { RunLimit } from "../prompts/prompts-option.ts";
import { needsUsage } from "../run/budget.ts";
import { cutReason } from "../run/cut-answer.ts";
import { itemsUntilAborted } from "../run/items-until-aborted.ts";
import type { Run } from "../run/run.ts";
import { finalAnswerName } from "../tools/final-answer.ts";
import { isTypedAnswer } from "../tools/typed-answer.ts";
import { AnswerPieces } from "./answer-pieces.ts";
import { checkModelEvent } from "./model-event.ts";

/** The model's answer in a step. */
export type ModelResponse = EventOf<"model-response">;

/** A model's answer that is not recorded yet. */
export type ModelAnswer = Pick<ModelResponse, "message" | "usage" | "finishReason" | "timing">;

/** Asks the model for its next action and records the answer. */
export async function askModel(run: Run, stepNumber: number): Promise<ModelResponse> {
  const { request, openStream, stateNote, moreTools } = run.definition.behaviour;
  const more = moreTools?.(run) ?? [];
  const note = (await stateNote?.(run, stepNumber)) ?? "";
  return ask(
    run,
    stepNumber,
    {
      ...request,
      ...(more.length > 0 && { tools: [...(request.tools ?? []), ...more] }),
      messages: withNote(run.messages ?? toMessages(run.steps()), note),
    },
    openStream,
  );
}

/**
 * Asks the model for an answer based on what it knows, without tools or code, and records the
 * answer.
 */
export function askForFinalAnswer(run: Run, stepNumber: number, limit: RunLimit): Promise<ModelResponse> {
  // Providers refuse a history with native tool calls if the tools are missing, so the calls become
  // text.
  const { behaviour, prompts } = run.definition;
  const history = toMessages(run.steps(), { summary: behaviour.request.tools !== undefined });
  const messages = finalAnswerMessages(history, run.start.task, prompts, limit);
  const tool = run.definition.tools.get(finalAnswerName);
  if (!isTypedAnswer(tool)) return ask(run, stepNumber, { messages });
  // The messages also describe the type of the answer, for models that do not support response
  // formats.
  const form = `Write the answer as JSON of this type, and nothing else: ${typeText(tool.inputSchema)}`;
  return ask(run, stepNumber, {
    messages: [...messages, { role: "user", content: [{ type: "text", text: form }] }],
    responseFormat: { name: "answer", schema: tool.inputSchema },
  });
}

/**
 * Asks the model and returns its answer. `see` gets each event as it arrives, and returns true to
 * stop reading.
 */
export async function answerOf(
  run: Run,
  request: ModelRequest,
  see: (event: ModelEvent) => boolean,
): Promise<ModelAnswer> {
  const startTime = Date.now();
  const answer = new AnswerPieces();
  let isEnough = false;
  await readStream(run, request, (event) => {
    if (isEnough) return takeUsage(answer, event);
    answer.take(event);
    if (event.type === "learned") noteRefusal(run, event);
    isEnough = see(event);
    return isEnough && (answer.usage !== null || !needsUsage(run));
  });
  const { message, usage } = answer;
  const finishReason = isEnough ? "stop" : answer.finishReason;
  if (finishReason === null) throw brokeOff(run);
  return { message, usage, finishReason, timing: { startTime, endTime: Date.now() } };
}

/**
 * Takes only the usage from the rest of an answer whose text is complete. A budget needs the usage,
 * and providers send it last. Returns true when the usage has arrived.
 */
function takeUsage(answer: AnswerPieces, event: ModelEvent): boolean {
  if (event.type === "usage") answer.take(event);
  return event.type === "usage";
}

/**
 * Records that the model's server refused a field, which later requests leave out. The event is for
 * readers of the log.
 */
function noteRefusal(run: Run, { refused, error }: Extract<ModelEvent, { type: "learned" }>): void {
  run.append({ type: "note", name: "smolts/learned", data: { refused, message: thrownText(error) } });
}

async function ask(
  run: Run,
  stepNumber: number,
  request: ModelRequest,
  openStream?: () => TextSorter,
): Promise<ModelResponse> {
  const { model } = run.definition;
  const asked = stoppedInside.has(model) ? withoutStop(request) : request;
  const first = await askOnce(run, stepNumber, asked, openStream);
  const answer = isStoppedTooEarly(run, asked, first)
    ? await askWithoutStop(run, stepNumber, request, openStream, first)
    : first;
  const message = cutReason(answer.finishReason) === null ? completed(run, answer.message) : answer.message;
  return run.append({ type: "model-response", stepNumber, ...answer, message });
}

/**
 * Models that write stop sequences in their thoughts or in strings of their programs. If the server
 * looked for the stop sequences, it would cut off these thoughts and programs.
 */
const stoppedInside = new WeakSet<Model>();

const withoutStop = ({ stop: _, ...request }: ModelRequest): ModelRequest => request;

/**
 * Says whether the server stopped inside a thought or a string, because the thought or string
 * contains a stop sequence.
 */
const isStoppedTooEarly = (
  { definition: { behaviour } }: Run,
  { stop }: ModelRequest,
  { message, finishReason }: ModelAnswer,
): boolean => stop !== undefined && finishReason === "stop" && (behaviour.isStoppedInside?.(message) ?? false);

/**
 * Asks again without stop sequences, and cuts off the new answer in this process. Unlike the
 * server, this process recognises thoughts and strings. The usage of the first answer counts too.
 */
async function askWithoutStop(
  run: Run,
  stepNumber: number,
  request: ModelRequest,
  openStream: (() => TextSorter) | undefined,
  first: ModelAnswer,
): Promise<ModelAnswer> {
  stoppedInside.add(run.definition.model);
  const answer = await askOnce(run, stepNumber, withoutStop(request), openStream);
  const usage = first.usage && answer.usage ? sumUsage([first.usage, answer.usage]) : null;
  return { ...answer, usage, timing: { startTime: first.timing.startTime, endTime: answer.timing.endTime } };
}

async function askOnce(
  run: Run,
  stepNumber: number,
  request: ModelRequest,
  openStream?: () => TextSorter,
): Promise<ModelAnswer> {
  const sorter = openStream?.();
  const { model } = run.definition;
  const isCutHere = model.capabilities?.stop === false || stoppedInside.has(model);
  const emitText = (pieces: ReturnType<TextSorter["push"]>): void => {
    for (const { type, text } of pieces) run.emit({ type: `${type}-delta`, stepNumber, text });
  };
  const answer = await answerOf(run, inKnownForms(run, request), (event) => {
    if (event.type === "text-delta" && sorter) emitText(sorter.push(event.text));
    else emitPassing(run, stepNumber, event);
    return sorter?.closed === true && isCutHere;
  });
  if (sorter) emitText(sorter.end());
  return answer;
}

/**
 * Removes the response format for a model that does not support one. The prompt describes the
 * format anyway.
 */
function inKnownForms({ definition: { model } }: Run, request: ModelRequest): ModelRequest {
  if (model.capabilities?.structuredOutput !== false || !request.responseFormat) return request;
  const { responseFormat: _, ...inWords } = request;
  return inWords;
}

/** Returns the message with the missing end of its code added to its last text. */
function completed(run: Run, message: ChatMessage): ChatMessage {
  const text = textOf(message);
  const whole = run.definition.behaviour.completeText?.(text) ?? text;
  const last = message.content.findLastIndex((part) => part.type === "text");
  if (whole === text || last === -1) return message;
  const lacking = whole.slice(text.trimEnd().length);
  const completedPart = (part: ContentPart, index: number): ContentPart =>
    part.type === "text" && index === last ? { type: "text", text: part.text.trimEnd() + lacking } : part;
  return { role: message.role, content: message.content.map(completedPart) };
}

const brokeOff = ({ definition: { model } }: Run): AgentError =>
  new AgentError("generation", `the answer of "${model.id}" broke off: its stream ended without an "end" event`, {
    hint: 'try again; a Model of your own must yield { type: "end", finishReason: "stop" } last',
  });

/**
 * Reads the model's stream until `take` returns true. Errors of the stream become AgentErrors, and
 * an abort throws the signal's own reason.
 */
async function readStream(run: Run, request: ModelRequest, take: (event: ModelEvent) => boolean): Promise<void> {
  const { model } = run.definition;
  try {
    const stream = model.stream(request, { signal: run.signal, readBlob: run.readBlob });
    const isLast = (event: ModelEvent): boolean => event?.type === "end";
    for await (const event of itemsUntilAborted(stream, run.signal, isLast)) {
      checkModelEvent(model.id, event);
      if (take(event)) return;
    }
  } catch (error) {
    run.signal.throwIfAborted();
    if (AgentError.is(error)) throw error;
    const message = thrownText(error);
    throw new AgentError("generation", `the model "${model.id}" failed: ${message}`, {
      cause: error,
      hint: "look at the cause of this error, which the model threw",
    });
  }
}

function emitPassing(run: Run, stepNumber: number, event: ModelEvent): void {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      run.emit({ type: event.type, stepNumber, text: event.text });
      return;
    case "tool-call-delta": {
      const { index, name, inputText } = event;
      run.emit({ type: "tool-call-delta", stepNumber, index, inputText, ...(name === undefined ? {} : { name }) });
      return;
    }
    case "retry":
      run.emit({ ...event, stepNumber, error: { ...event.error, message: thrownText(event.error) } });
      return;
    case "part":
    case "usage":
    case "learned":
    case "end":
      return;
    default:
      event satisfies never;
  }
}
