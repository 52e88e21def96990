// Shortens a long history for the model. These functions are pure and return the same step objects
// each time, so that cached messages of a step stay valid.

import type { ActionStep, ChatMessage, CompactionStep, ContentPart, MemoryStep } from "@smolts/protocol";

/**
 * Estimates the tokens of messages: one token for four characters, and a fixed number for each
 * image, sound or file.
 *
 * @example
 * ```ts
 * import { estimateTokens } from "@smolts/memory";
 *
 * console.log(estimateTokens([{ role: "user", content: [{ type: "text", text: "twelve chars" }] }])); // 7
 * ```
 */
export function estimateTokens(messages: readonly ChatMessage[]): number {
  let total = 0;
  for (const message of messages) total += tokensOfMessage(message);
  return total;
}

const knownTokens = new WeakMap<ChatMessage, number>();
const tokensOfMedia = 1_000;
const tokensOfFrame = 4;

function tokensOfMessage(message: ChatMessage): number {
  const known = knownTokens.get(message);
  if (known !== undefined) return known;
  const tokens = tokensOfFrame + message.content.reduce((sum, part) => sum + tokensOfPart(part), 0);
  knownTokens.set(message, tokens);
  return tokens;
}

function tokensOfPart(part: ContentPart): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return Math.ceil(part.text.length / 4);
    case "tool-call":
      return (
        tokensOfFrame + Math.ceil((part.name.length + (part.rawInput ?? JSON.stringify(part.input) ?? "").length) / 4)
      );
    case "tool-result":
      return tokensOfFrame + part.output.reduce((sum, inner) => sum + tokensOfPart(inner), 0);
    default:
      return tokensOfMedia;
  }
}

/**
 * Returns the steps that are still shown after the last compaction, in order. If there is no
 * compaction, returns all steps.
 *
 * The system prompt, the task and messages that were sent during the run always stay.
 *
 * @example
 * ```ts
 * import { compactedSteps } from "@smolts/memory";
 *
 * console.log(compactedSteps([])); // []
 * ```
 */
export function compactedSteps(steps: readonly MemoryStep[]): readonly MemoryStep[] {
  const at = steps.findLastIndex((step) => step.type === "compaction");
  const compaction = steps[at];
  if (compaction?.type !== "compaction") return steps;
  const shown: MemoryStep[] = [];
  let hasCompaction = false;
  for (const [index, step] of steps.entries()) {
    if (step.type === "compaction" || (index < at && isLeftOut(step, compaction))) continue;
    // The summary comes before the first action or plan that is still shown, or before the first
    // step after the compaction. The system prompt, the task and messages stay before it.
    if (!hasCompaction && (index > at || step.type === "action" || step.type === "planning")) {
      shown.push(compaction);
      hasCompaction = true;
    }
    shown.push(index < at ? shortened(step, compaction) : step);
  }
  return hasCompaction ? shown : [...shown, compaction];
}

function isLeftOut(step: MemoryStep, { runId, through }: CompactionStep): boolean {
  if (through === null || step.type === "system-prompt" || step.type === "custom") return false;
  if (step.type === "compaction" || step.runId !== runId) return true;
  return (step.type === "action" || step.type === "planning") && step.stepNumber <= through;
}

const shortSteps = new WeakMap<ActionStep, MemoryStep>();

function shortened(step: MemoryStep, { runId, shortened: cut }: CompactionStep): MemoryStep {
  if (step.type !== "action" || step.runId !== runId) return step;
  const names = cut.find(({ stepNumber }) => stepNumber === step.stepNumber)?.names;
  if (!names) return step;
  const known = shortSteps.get(step);
  if (known) return known;
  const short = withShortObservation(step, names);
  shortSteps.set(step, short);
  return short;
}

/** Removes the cached short forms of steps that a compaction hides completely. */
export function releaseShort(steps: readonly MemoryStep[], compaction: CompactionStep): void {
  for (const step of steps) if (step.type === "action" && isLeftOut(step, compaction)) shortSteps.delete(step);
}

/**
 * Replaces the long parts of an observation by short notes. Printed text has a line that opens it
 * and a line that closes it, so it is kept or replaced as a whole. Without the closing line, the
 * text after it could be mistaken for printed text.
 */
function withShortObservation(step: ActionStep, names: readonly string[]): ActionStep {
  const where =
    names.length === 0 ? "" : `; in code, ${names.join(" and ")} ${names.length === 1 ? "holds" : "hold"} it`;
  const note = (parts: readonly ContentPart[]): ContentPart[] => [
    { type: "text", text: `[left out: ${describe(parts)}${where}]\n` },
  ];
  const results = step.observation.flatMap((part) =>
    part.type === "tool-result"
      ? [isShort(part.output) ? part : { ...part, output: note(part.output) as typeof part.output }]
      : [],
  );
  const rest = step.observation.filter((part) => part.type !== "tool-result");
  return { ...step, observation: [...results, ...(isShort(rest) ? rest : note(rest))] };
}

const shortCharacters = 300;

const charactersIn = (parts: readonly ContentPart[]): number =>
  parts.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);

const isShort = (parts: readonly ContentPart[]): boolean =>
  charactersIn(parts) <= shortCharacters && parts.every((part) => part.type === "text");

function describe(parts: readonly ContentPart[]): string {
  const media = parts.filter((part) => part.type !== "text").length;
  const texts = `${charactersIn(parts)} characters`;
  return media === 0 ? texts : `${texts} and ${media} ${media === 1 ? "image or file" : "images or files"}`;
}

/** Says whether the messages of a step get shorter when its observation is left out. */
export const hasLongObservation = ({ observation }: ActionStep): boolean => {
  const results = observation.filter((part) => part.type === "tool-result");
  return (
    !isShort(observation.filter((part) => part.type !== "tool-result")) || results.some((part) => !isShort(part.output))
  );
};

/**
 * Returns the newest steps that fit into a number of tokens. The system prompt, each task and
 * messages that were sent during the run always stay. A step is never split, so a call keeps its
 * result. Use it in `beforeStep`.
 *
 * @param tokensOf - returns the number of tokens of a step
 * @example
 * ```ts
 * import { CodeAgent } from "@smolts/core";
 * import { estimateTokens, trimSteps, toMessages } from "@smolts/memory";
 * import type { MemoryStep } from "@smolts/protocol";
 *
 * const tokensOf = (step: MemoryStep): number => estimateTokens(toMessages([step]));
 * const agent = new CodeAgent({
 *   model: () => "<code>finalAnswer(42)</code>",
 *   beforeStep: ({ steps }) => ({ messages: toMessages(trimSteps(steps, 8_000, tokensOf)) }),
 * });
 * console.log(await agent.run("What is the answer?")); // 42
 * ```
 */
export function trimSteps(
  steps: readonly MemoryStep[],
  tokens: number,
  tokensOf: (step: MemoryStep) => number,
): readonly MemoryStep[] {
  const kept = new Set<MemoryStep>();
  let left = tokens;
  for (const step of steps) if (!isWork(step)) left -= tokensOf(step);
  for (const step of steps.toReversed()) {
    if (!isWork(step)) continue;
    left -= tokensOf(step);
    if (left < 0) break;
    kept.add(step);
  }
  return steps.filter((step) => !isWork(step) || kept.has(step));
}

const isWork = (step: MemoryStep): boolean => step.type === "action" || step.type === "planning";

/**
 * Returns the steps, and leaves out the observations of all actions but the newest `count`. Use it
 * in `beforeStep`.
 *
 * @example
 * ```ts
 * import { withoutOldObservations } from "@smolts/memory";
 *
 * console.log(withoutOldObservations([], 5)); // []
 * ```
 */
export function withoutOldObservations(steps: readonly MemoryStep[], count: number): readonly MemoryStep[] {
  const old = new Set(steps.filter((step) => step.type === "action").slice(0, -count || undefined));
  return steps.map((step) => {
    if (step.type !== "action" || !old.has(step) || !hasLongObservation(step)) return step;
    const short = shortSteps.get(step) ?? withShortObservation(step, []);
    shortSteps.set(step, short);
    return short;
  });
}

/**
 * Returns the steps, and leaves out the images, sounds and files of all actions but the newest
 * `count`. The media of the task stay. Use it in `beforeStep`.
 *
 * @example
 * ```ts
 * import { withoutOldImages } from "@smolts/memory";
 *
 * console.log(withoutOldImages([], 1)); // []
 * ```
 */
export function withoutOldImages(steps: readonly MemoryStep[], count: number): readonly MemoryStep[] {
  const old = new Set(steps.filter((step) => step.type === "action").slice(0, -count || undefined));
  return steps.map((step) => (step.type === "action" && old.has(step) ? withoutImages(step) : step));
}

const plainSteps = new WeakMap<ActionStep, ActionStep>();

function withoutImages(step: ActionStep): ActionStep {
  if (step.observation.every((part) => part.type === "text")) return step;
  const known = plainSteps.get(step);
  if (known) return known;
  const withoutMedia = <Part extends ContentPart>(part: Part): ContentPart =>
    part.type === "image" || part.type === "audio" || part.type === "file"
      ? { type: "text", text: `[${part.type} left out]\n` }
      : part;
  const observation = step.observation.map((part) =>
    part.type === "tool-result"
      ? { ...part, output: part.output.map(withoutMedia) as typeof part.output }
      : withoutMedia(part),
  );
  const plain = { ...step, observation };
  plainSteps.set(step, plain);
  return plain;
}
