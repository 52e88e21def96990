// The top-level bindings of a session. They outlive the program that declared them, and later programs may declare them again.

/** What a variable holds before its declaration has run. Never a guest value. */
export const uninitialized: unique symbol = Symbol("uninitialized");

/** How a top-level name was declared. `implicit`: assigned without a declaration. */
export type BindingKind = "let" | "const" | "class" | "var" | "function" | "implicit" | "tool";

/** One top-level variable. Compiled code holds on to it. */
export class Binding {
  readonly name: string;
  kind: BindingKind;
  value: unknown;

  constructor(name: string, kind: BindingKind, value: unknown) {
    this.name = name;
    this.kind = kind;
    this.value = value;
  }
}

/** The name under which programs hand in their answer. As a tool it may share its name with a variable. */
export const answerNames: ReadonlySet<string> = new Set(["finalAnswer", "final_answer"]);

/** The variables and tools that the programs of a session share. */
export class SessionBindings {
  readonly #variables = new Map<string, Binding>();
  readonly #tools = new Map<string, Binding>();
  /** Grows with each name added, so that compiled code knows when to look a name up again. */
  version = 0;

  /** The variable of this name, or else the tool. */
  get(name: string): Binding | undefined {
    return this.#variables.get(name) ?? this.#tools.get(name);
  }

  /** The variable of this name. */
  variable(name: string): Binding | undefined {
    return this.#variables.get(name);
  }

  /** The tool of this name. */
  tool(name: string): Binding | undefined {
    return this.#tools.get(name);
  }

  /** The names of all tools. */
  toolNames(): Iterable<string> {
    return this.#tools.keys();
  }

  /** All variables that have a value, in the order of their first declaration. */
  *variables(): Iterable<Binding> {
    for (const binding of this.#variables.values()) if (binding.value !== uninitialized) yield binding;
  }

  /** Gives a variable a value, as if an earlier program had declared it. */
  define(name: string, value: unknown, kind: BindingKind = "let"): void {
    const binding = this.declare(name, kind);
    binding.value = value;
  }

  /** Gives a tool: a guest function that programs call but cannot redefine. */
  defineTool(name: string, value: unknown): void {
    this.#tools.set(name, new Binding(name, "tool", value));
    this.version++;
  }

  /**
   * The variable that a program's declaration is about. One that exists keeps its value until the declaration runs, so that
   * `const rows = rows.filter(...)` in a later program means what it seems to mean.
   */
  declare(name: string, kind: BindingKind): Binding {
    const known = this.#variables.get(name);
    if (known) {
      known.kind = kind;
      return known;
    }
    const binding = new Binding(
      name,
      kind,
      kind === "var" || kind === "function" || kind === "implicit" ? undefined : uninitialized,
    );
    this.#variables.set(name, binding);
    this.version++;
    return binding;
  }
}
