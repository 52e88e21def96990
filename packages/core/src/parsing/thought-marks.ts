// The markers that models write around their thoughts. Servers that do not know a model's markers
// leave them in the text.

/**
 * The markers of one kind of thought. Each closing marker ends a thought that any opening marker
 * began.
 */
export interface ThoughtMarks {
  readonly open: readonly string[];
  readonly close: readonly string[];
  /**
   * Whether chat templates write the opening marker for the model. The text may then have only the
   * closing marker.
   */
  readonly isOpenedByTemplate?: true;
}

const element = (name: string): ThoughtMarks => ({ open: [`<${name}>`], close: [`</${name}>`] });

/** The kinds of thoughts. */
export const thoughtMarks: readonly ThoughtMarks[] = [
  { open: ["<think>", "<thinking>"], close: ["</think>", "</thinking>"], isOpenedByTemplate: true },
  { ...element("seed:think"), isOpenedByTemplate: true },
  { open: ["[THINK]"], close: ["[/THINK]"], isOpenedByTemplate: true },
  { open: ["◁think▷"], close: ["◁/think▷"], isOpenedByTemplate: true },
  { open: ["<|START_THINKING|>"], close: ["<|END_THINKING|>"] },
  { open: ["<|begin_of_thought|>"], close: ["<|end_of_thought|>"] },
  { open: ["<|channel>thought"], close: ["<channel|>"] },
  // gpt-oss: the thought ends where the next message begins.
  {
    open: ["<|channel|>analysis<|message|>"],
    close: ["<|end|><|start|>assistant<|channel|>final<|message|>", "<|end|>", "<|start|>"],
  },
  ...["thought", "thoughts", "reasoning", "reflection", "scratchpad", "antThinking"].map(element),
];

/** A thought in a text, with its markers. */
export interface Thought {
  readonly start: number;
  readonly end: number;
  /** The position of the thought without its markers. */
  readonly inner: readonly [start: number, end: number];
  /** Whether the closing marker is missing. */
  readonly isOpen: boolean;
  /**
   * Whether the opening marker is missing. In that case, all text before the closing marker is a
   * thought.
   */
  readonly isOrphan: boolean;
}

const escaped = (mark: string): string => mark.replaceAll(/[|[\]/]/g, "\\$&");

const allMarks = thoughtMarks.flatMap(({ open, close }) => [...open, ...close]);
const anyMark = new RegExp(allMarks.map(escaped).join("|"), "gi");

const has = (marks: readonly string[], mark: string): boolean =>
  marks.some((one) => one.toLowerCase() === mark.toLowerCase());

/**
 * Returns the thoughts of a text, in order. A thought inside another thought is part of that
 * thought.
 */
export function thoughtsIn(text: string): readonly Thought[] {
  const thoughts: Thought[] = [];
  let current: { readonly kind: ThoughtMarks; readonly start: number; readonly from: number } | null = null;
  for (const { 0: mark, index } of text.matchAll(anyMark)) {
    const end = index + mark.length;
    if (current === null) {
      const kind = thoughtMarks.find(({ open }) => has(open, mark));
      if (kind) current = { kind, start: index, from: end };
      else if (thoughtMarks.some(({ close, isOpenedByTemplate }) => isOpenedByTemplate && has(close, mark))) {
        const start = thoughts.at(-1)?.end ?? 0;
        thoughts.push({ start, end, inner: [start, index], isOpen: false, isOrphan: true });
      }
    } else if (has(current.kind.close, mark)) {
      const { start, from } = current;
      thoughts.push({ start, end, inner: [from, index], isOpen: false, isOrphan: false });
      current = null;
    }
  }
  if (current === null) return thoughts;
  const { start, from } = current;
  return [...thoughts, { start, end: text.length, inner: [from, text.length], isOpen: true, isOrphan: false }];
}
