// How control leaves a statement. `undefined` is the normal way; nothing is thrown for control
// flow.

/** Why control leaves a statement. */
export type Completion = Jump | Return;

/** `break` or `continue`, with a label or without. Made once for each statement in the source. */
export class Jump {
  readonly type: "break" | "continue";
  readonly label: string | null;

  constructor(type: "break" | "continue", label: string | null) {
    this.type = type;
    this.label = label;
  }
}

/** `return`. */
export class Return {
  readonly type = "return";
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** `break` without a label. */
export const plainBreak: Jump = /* @__PURE__ */ new Jump("break", null);

/** `continue` without a label. */
export const plainContinue: Jump = /* @__PURE__ */ new Jump("continue", null);

/** Whether a loop continues after its body ended with this completion. */
export function continuesLoop(completion: Completion, labels: readonly string[]): boolean {
  if (completion === plainContinue) return true;
  return completion.type === "continue" && completion.label !== null && labels.includes(completion.label);
}

/** The completion of a loop that does not continue. Its own break ends here. */
export function loopCompletion(completion: Completion): Completion | undefined {
  return completion === plainBreak ? undefined : completion;
}

/** The result of a function whose body ended with this completion. */
export function returnedValue(completion: Completion | undefined): unknown {
  return completion instanceof Return ? completion.value : undefined;
}
