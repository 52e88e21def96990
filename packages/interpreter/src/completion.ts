// How control leaves a statement. A normal end is `undefined`. Control flow never throws.

/** Why control leaves a statement. */
export type Completion = Jump | Return;

/**
 * `break` or `continue`, with or without a label. The compiler creates one object for each such
 * statement.
 */
export class Jump {
  readonly type: "break" | "continue";
  readonly label: string | null;

  constructor(type: "break" | "continue", label: string | null) {
    this.type = type;
    this.label = label;
  }
}

/** `return`, with its value. */
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

/** Says whether a loop continues after its body ended with this completion. */
export function continuesLoop(completion: Completion, labels: readonly string[]): boolean {
  if (completion === plainContinue) return true;
  return completion.type === "continue" && completion.label !== null && labels.includes(completion.label);
}

/**
 * Returns the completion of a loop whose body ended with `completion`. The loop consumes its own
 * `break`.
 */
export function loopCompletion(completion: Completion): Completion | undefined {
  return completion === plainBreak ? undefined : completion;
}

/** Returns the result of a function whose body ended with this completion. */
export function returnedValue(completion: Completion | undefined): unknown {
  return completion instanceof Return ? completion.value : undefined;
}
