// The top-level bindings of a session. They outlive the program that declared them, and later
// programs may declare them again.

/** The content of a variable before its declaration has run. Never a guest value. */
export const uninitialized: unique symbol = Symbol("uninitialized");

/** How a top-level name was declared. `implicit`: assigned without a declaration. */
export type BindingKind = "let" | "const" | "class" | "var" | "function" | "implicit" | "tool";

/** A variable and what it holds. */
export interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

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

/**
 * The name under which programs hand in their answer. As a tool it may share its name with a
 * variable.
 */
export const answerNames: ReadonlySet<string> = new Set(["finalAnswer", "final_answer"]);

/** The variables and tools that the programs of a session share. */
export class SessionBindings {
  /**
   * Those of modules: a module has its own, and assigning to a name that nobody declared makes no
   * variable there.
   */
  static readonly closed: SessionBindings = /* @__PURE__ */ new SessionBindings();

  readonly #variables = new Map<string, Binding>();
  /** Names of variables that belong to a module. */
  readonly #imported = new Set<string>();
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
  *variables(): Iterable<NamedValue> {
    for (const [name, { value }] of this.#variables) if (value !== uninitialized) yield { name, value };
  }

  /** Whether a name is that of an imported variable, which only its module can change. */
  isImported(name: string): boolean {
    return this.#imported.has(name);
  }

  /** Makes a name stand for a module's variable. */
  import(name: string, binding: Binding): void {
    this.#variables.set(name, binding);
    this.#imported.add(name);
    this.version++;
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
   * The variable that a program's declaration is about. One that exists keeps its value until the
   * declaration runs, so that `const rows = rows.filter(...)` in a later program means what it
   * seems to mean.
   */
  declare(name: string, kind: BindingKind): Binding {
    const known = this.#variables.get(name);
    if (known && !this.#imported.delete(name)) {
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
