import {
  AgentError,
  type ContentPart,
  decodeValue,
  type EncodedValue,
  type ExecutionResult,
  encodeValue,
  type MediaPart,
  type OutputMedia,
  type SerializedError,
} from "@smolts/protocol";
import type { Action } from "../agent/agent-definition.ts";
import { isStored } from "../media/media.ts";
import { resultNames } from "../observation/cut-results.ts";
import { editNotes, renderObservation } from "../observation/observe.ts";
import { isShownToModel } from "../run/error-policy.ts";
import { actionsOf } from "../run/own-steps.ts";
import type { PastStep } from "../run/past.ts";
import { currentStep, type Run } from "../run/run.ts";
import { suspended } from "../run/suspension.ts";
import { type AskedCall, callIdOf } from "../tool-calls/asked-call.ts";
import { callTool, recordAsk } from "../tool-calls/call-tool.ts";
import { effectiveInput } from "../tool-calls/effective-input.ts";
import { finalAnswer, finalAnswerName } from "../tools/final-answer.ts";
import { isTypedAnswer, type TypedAnswerTool } from "../tools/typed-answer.ts";
import { runCode } from "./run-code.ts";

/** A block of code to run, with its limit for printed text and the recorded events of its step. */
export interface CodeBlock {
  readonly code: string;
  readonly past: PastStep;
  readonly maxPrintedLength: number;
}

/** Runs a block of code, and turns its result into an observation for the model. */
export async function actOnCode(
  run: Run,
  stepNumber: number,
  { code, past, maxPrintedLength }: CodeBlock,
): Promise<Action> {
  const result = await runCode(run, stepNumber, code, past);
  run.signal.throwIfAborted();
  const { logs, toolCalls } = currentStep(run);
  const observation = [
    ...(await shownMedia(run, result)),
    ...renderObservation({
      result,
      logs,
      calls: toolCalls,
      code,
      maxPrintedLength,
      names: resultNames(stepNumber),
      nonce: nonceOf(run),
      language: run.definition.language.id,
      notes: [...editNotes(toolCalls), ...(result.type === "value" ? (result.doubts ?? []) : [])],
    }),
  ];
  switch (result.type) {
    case "value":
      return { observation, error: null, answer: null };
    case "error":
    case "stopped":
      return { observation, error: result.error, answer: null };
    case "final-answer": {
      const doubt = doubtAbout(run, result);
      if (doubt) return { observation, error: doubt.toJSON(), answer: null };
      const answer = await answerFrom(run, stepNumber, result, past);
      return "error" in answer
        ? { observation, error: answer.error, answer: null }
        : { observation, error: null, answer };
    }
    default:
      return result satisfies never;
  }
}

/**
 * Returns the media of the last value, if that value is an image or a list of images. The value
 * refers to its bytes by a digest. Code can invent a digest, so only media whose bytes are in the
 * log is shown.
 */
async function shownMedia(run: Run, result: ExecutionResult): Promise<ContentPart[]> {
  const value = result.type === "value" ? result.output?.value : undefined;
  const media = (Array.isArray(value) ? value : [value]).filter(isStored);
  const drawn = result.type === "value" ? (result.output?.media ?? []).flatMap(partOf) : [];
  if (media.length === 0) return drawn;
  const isHeld = await Promise.all(
    media.map(({ source }) => "digest" in source && run.readBlob(source.digest).then(Boolean, () => false)),
  );
  return [...media.filter((_part, index) => isHeld[index]), ...drawn];
}

/**
 * Converts media that the sandbox returned in addition to the value. The bytes are already in the
 * log.
 */
function partOf(media: OutputMedia): MediaPart[] {
  if ("data" in media) return [];
  const [kind] = media.mediaType.split("/");
  return [{ type: kind === "image" || kind === "audio" ? kind : "file", source: media }];
}

/**
 * Returns the random text in the frame of an observation. Authors of printed text cannot know it,
 * so printed text cannot imitate the frame.
 */
const nonceOf = (run: Run): string => run.start.seed.slice(0, 8);

type FinalAnswer = Extract<ExecutionResult, { type: "final-answer" }>;

/**
 * Returns the first argument of `finalAnswer(...)` as the answer. If the agent has its own tool of
 * that name, the tool is called with the arguments instead.
 */
async function answerFrom(
  run: Run,
  stepNumber: number,
  given: FinalAnswer,
  past: PastStep,
): Promise<{ readonly value: EncodedValue } | { readonly error: SerializedError }> {
  const tool = run.definition.tools.get(finalAnswerName);
  if (tool === undefined || tool === finalAnswer || isTypedAnswer(tool)) {
    const mistake = miscountOf(given);
    if (mistake) return { error: mistake.toJSON() };
    const value = answerOf(given);
    return isTypedAnswer(tool) ? fittingAnswer(run, tool, value) : { value };
  }
  const recorded = [...past.calls.values()].find(({ asked }) => asked.name === finalAnswerName);
  const callIndex = recorded?.asked.callIndex ?? currentStep(run).toolCalls.length + 1;
  const callId = callIdOf(run, stepNumber, callIndex);
  const args = run.definition.language.callArguments(tool, given);
  const call: AskedCall = { callId, stepNumber, callIndex, name: finalAnswerName, args, isCode: true };
  if (!recorded) recordAsk(run, call);
  const result = recorded?.result ?? (await callTool(run, call, { past: recorded }));
  if (!result) throw suspended(run);
  const { outcome } = result;
  return outcome.type === "ok" ? { value: outcome.value } : { error: outcome.error };
}

/**
 * Refuses more than one argument. A run has only one answer, so further arguments would be lost.
 */
function miscountOf({ args, keywords = {} }: FinalAnswer): AgentError | null {
  const named = Object.keys(keywords).length;
  if (args.length === 1 || (args.length === 0 && named > 0)) return null;
  const [what, hint] =
    args.length === 0
      ? ["no argument", `pass the answer: ${finalAnswerName}(answer)`]
      : [
          `${args.length} arguments`,
          `put them into one: ${finalAnswerName}([a, b]), or an object with a name for each`,
        ];
  return new AgentError("tool-input", `${finalAnswerName} got ${what}; expected one, the answer`, {
    hint,
  });
}

/** Returns the answer. It may be passed by name, in languages that have named arguments. */
function answerOf({ args, keywords = {} }: FinalAnswer): EncodedValue {
  const [named, ...others] = Object.values(keywords);
  if (args.length > 0) return args[0] as EncodedValue; // just counted
  if (named === undefined) return encodeValue(undefined);
  return keywords["answer"] ?? (others.length === 0 ? named : encodeValue(decodedKeywords(keywords)));
}

const decodedKeywords = (keywords: { readonly [name: string]: EncodedValue }): { readonly [name: string]: unknown } =>
  Object.fromEntries(Object.entries(keywords).map(([name, value]) => [name, decodeValue(value)]));

/**
 * Converts an answer to the type that the agent's schema asks for. The conversion is deterministic,
 * so its result is not recorded in the log.
 */
async function fittingAnswer(
  { signal }: Run,
  tool: TypedAnswerTool,
  value: EncodedValue,
): Promise<{ readonly value: EncodedValue } | { readonly error: SerializedError }> {
  try {
    const input = await effectiveInput(tool, { args: [encodeValue({ answer: decodeValue(value) })] }, { signal });
    // The cast is safe: the tool's own `parseInput` returns this type.
    return { value: encodeValue((decodeValue(input) as { readonly answer: unknown }).answer) };
  } catch (error) {
    if (isShownToModel(error)) return { error: error.toJSON() };
    throw error;
  }
}

// Holds back an answer whose code is legal but probably wrong, such as code that uses a promise as
// if it were the awaited value. An answer is held back only once: the model sees the reason, and an
// answer in the next step counts.

/**
 * Returns why an answer is held back. Null if nothing is doubtful, or if the step before already
 * held an answer back.
 */
function doubtAbout(run: Run, { doubts = [] }: ExecutionResult): AgentError | null {
  if (doubts.length === 0 || isLastHeldBack(run)) return null;
  return new AgentError(
    "final-answer-check",
    ["the answer may be wrong, so it was not accepted", ...doubts].join("\n"),
    {
      hint: "correct these places and answer again; if the code is right as it is, send it again, and the answer is accepted",
      details: heldBack,
    },
  );
}

const heldBack = { heldBack: true };

/** Says whether an answer was held back in the previous step. */
function isLastHeldBack(run: Run): boolean {
  const before = actionsOf(run).at(-2)?.error;
  return before?.code === "final-answer-check" && JSON.stringify(before.details) === JSON.stringify(heldBack);
}
