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
import { defaultLanguage, languageOf } from "../languages/languages.ts";
import { isStored } from "../media/media.ts";
import { resultNames } from "../observation/cut-results.ts";
import { editNotes, renderObservation } from "../observation/observe.ts";
import { isShownToModel } from "../run/error-policy.ts";
import { actionsOf } from "../run/own-steps.ts";
import type { PastStep } from "../run/past.ts";
import { goingStep, type Run } from "../run/run.ts";
import { suspended } from "../run/suspension.ts";
import { type AskedCall, callIdOf } from "../tool-calls/asked-call.ts";
import { callTool, recordAsk } from "../tool-calls/call-tool.ts";
import { effectiveInput } from "../tool-calls/effective-input.ts";
import { finalAnswer, finalAnswerName } from "../tools/final-answer.ts";
import { isTypedAnswer, type TypedAnswerTool } from "../tools/typed-answer.ts";
import { runCode } from "./run-code.ts";

/** A block of code to act on. */
export interface CodeBlock {
  readonly code: string;
  readonly past: PastStep;
  readonly maxPrintedLength: number;
}

/** Runs a block and turns how it ended into what the model is shown. */
export async function actOnCode(
  run: Run,
  stepNumber: number,
  { code, past, maxPrintedLength }: CodeBlock,
): Promise<Action> {
  const result = await runCode(run, stepNumber, code, past);
  run.signal.throwIfAborted();
  const { logs, toolCalls } = goingStep(run);
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
      language: run.definition.executor?.language ?? defaultLanguage.id,
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
 * A last value that is an image, or a list of them, is shown to the model as such. Code can make up
 * a digest: only what the log holds is shown.
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

/** Media that the sandbox returned beside the value; their bytes are in the log. */
function partOf(media: OutputMedia): MediaPart[] {
  if ("data" in media) return [];
  const [kind] = media.mediaType.split("/");
  return [{ type: kind === "image" || kind === "audio" ? kind : "file", source: media }];
}

/** Printed text cannot know it, and so cannot imitate the frame of an observation. */
const nonceOf = (run: Run): string => run.start.seed.slice(0, 8);

type FinalAnswer = Extract<ExecutionResult, { type: "final-answer" }>;

/**
 * The first argument of `finalAnswer(...)`; an agent's own tool of that name is called with the
 * arguments instead.
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
    return isTypedAnswer(tool) ? fittingAnswer(tool, value) : { value };
  }
  const recorded = [...past.calls.values()].find(({ asked }) => asked.name === finalAnswerName);
  const callIndex = recorded?.asked.callIndex ?? goingStep(run).toolCalls.length + 1;
  const callId = callIdOf(run, stepNumber, callIndex);
  const args = languageOf(run.definition.executor?.language).callArguments(tool, given);
  const call: AskedCall = { callId, stepNumber, callIndex, name: finalAnswerName, args, isCode: true };
  if (!recorded) recordAsk(run, call);
  const result = recorded?.result ?? (await callTool(run, call, { past: recorded }));
  if (!result) throw suspended(run);
  const { outcome } = result;
  return outcome.type === "ok" ? { value: outcome.value } : { error: outcome.error };
}

/** There is one answer. What else was passed would be lost. */
function miscountOf({ args, keywords = {} }: FinalAnswer): AgentError | null {
  const named = Object.keys(keywords).length;
  if (args.length === 1 || (args.length === 0 && named > 0)) return null;
  const [what, hint] =
    args.length === 0
      ? ["nothing", `pass the answer: ${finalAnswerName}(answer)`]
      : [`${args.length} of them`, `put them into one: ${finalAnswerName}([a, b]), or an object with a name for each`];
  return new AgentError("tool-input", `${finalAnswerName} takes one answer: expected one argument, got ${what}`, {
    hint,
  });
}

/** An answer may be passed by name, in languages that can. */
function answerOf({ args, keywords = {} }: FinalAnswer): EncodedValue {
  const [named, ...others] = Object.values(keywords);
  if (args.length > 0) return args[0] as EncodedValue; // just counted
  if (named === undefined) return encodeValue(undefined);
  return keywords["answer"] ?? (others.length === 0 ? named : encodeValue(decodedKeywords(keywords)));
}

const decodedKeywords = (keywords: { readonly [name: string]: EncodedValue }): { readonly [name: string]: unknown } =>
  Object.fromEntries(Object.entries(keywords).map(([name, value]) => [name, decodeValue(value)]));

/**
 * Whether an answer has the form asked for is the same whenever it is looked at, so it is not an
 * event of the log.
 */
async function fittingAnswer(
  tool: TypedAnswerTool,
  given: EncodedValue,
): Promise<{ readonly value: EncodedValue } | { readonly error: SerializedError }> {
  try {
    const input = await effectiveInput(tool, { args: [encodeValue({ answer: decodeValue(given) })] });
    // The cast: what the tool's own `parseInput` gives.
    return { value: encodeValue((decodeValue(input) as { readonly answer: unknown }).answer) };
  } catch (error) {
    if (isShownToModel(error)) return { error: error.toJSON() };
    throw error;
  }
}

// The answer of code that is legal but probably a mistake, such as using a promise as its value. It
// is held back once: the model sees the reason, and if it sends the same code again, the answer
// counts.

/**
 * Why an answer is held back; null if nothing is doubtful, or if the model saw the doubt in the
 * step before.
 */
function doubtAbout(run: Run, { doubts = [] }: ExecutionResult): AgentError | null {
  if (doubts.length === 0 || isLastHeldBack(run)) return null;
  return new AgentError("final-answer-check", ["the answer may be wrong and was not taken", ...doubts].join("\n"), {
    hint: "correct these places and answer again; if the code means what it says, send it again and the answer counts",
    details: heldBack,
  });
}

const heldBack = { heldBack: true };

/** Whether the step before this one ended with such an error. */
function isLastHeldBack(run: Run): boolean {
  const before = actionsOf(run).at(-2)?.error;
  return before?.code === "final-answer-check" && JSON.stringify(before.details) === JSON.stringify(heldBack);
}
