// Reads a plan, which is Markdown with numbered steps, and compares its steps with those of the
// previous plan. Each step is the same, new or dropped.

/** One step of a plan. */
export interface PlanItem {
  readonly text: string;
  readonly change: "same" | "new" | "dropped";
}

/** The two parts of a plan: the known facts, and the steps. */
export interface PlanParts {
  /** The facts as Markdown; empty if the plan has none. */
  readonly facts: string;
  readonly items: readonly PlanItem[];
  /** The whole text. It is shown if the plan has no items. */
  readonly text: string;
}

/** Reads a plan, and marks what has changed since the previous plan. */
export function planParts(text: string, previous: string | null): PlanParts {
  const { facts, steps } = readPlan(text);
  if (previous === null) return { facts, items: steps.map((step) => ({ text: step, change: "same" })), text };
  return { facts, items: compare(readPlan(previous).steps, steps), text };
}

function readPlan(text: string): { readonly facts: string; readonly steps: readonly string[] } {
  const lines = text.split("\n");
  const headings = lines.flatMap((line, index) => (/^#{1,6}\s/.test(line) ? [index] : []));
  const planAt = headings.findLast((index) => /plan|steps/i.test(lines[index]!)) ?? -1;
  const steps: string[] = [];
  for (const line of lines.slice(planAt + 1)) {
    const item = /^\s{0,3}(?:\d+[.)]|[-*])\s+(?:\[[ xX]\]\s+)?(.*)$/.exec(line);
    if (item) steps.push(clean(item[1]!));
    else if (steps.length > 0 && /^\s+\S/.test(line)) steps[steps.length - 1] += ` ${clean(line)}`;
  }
  const facts = planAt > 0 ? lines.slice(0, planAt).join("\n") : "";
  return { facts: facts.replace(/^#{1,6}\s.*\n?/m, "").trim(), steps };
}

const clean = (text: string): string => text.trim().replace(/\*\*|__|`/g, "");

/**
 * Compares two lists of steps. Steps of the longest common subsequence are the same; all others are
 * dropped or new.
 */
function compare(before: readonly string[], after: readonly string[]): readonly PlanItem[] {
  const [old, now] = [before.slice(0, maxItems), after.slice(0, maxItems)];
  const lengths = commonLengths(old, now);
  const items: PlanItem[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && isSame(old[i]!, now[j]!)) {
      items.push({ text: now[j]!, change: "same" });
      i++;
      j++;
    } else if (i < old.length && (j >= now.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      items.push({ text: old[i++]!, change: "dropped" });
    } else items.push({ text: now[j++]!, change: "new" });
  }
  return items;
}

const maxItems = 200;

function commonLengths(old: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i]![j] = isSame(old[i]!, now[j]!)
        ? lengths[i + 1]![j + 1]! + 1
        : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  return lengths;
}

const isSame = (left: string, right: string): boolean => normal(left) === normal(right);
const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
