// The top-level bindings of a session. They outlive the program that declared them, and later
// programs may declare them again.

/** Marks a variable whose declaration has not run yet. Never a guest value. */
export const uninitialized: unique symbol = Symbol("uninitialized");

/** How a top-level name was created. `implicit`: by an assignment without a declaration. */
export type BindingKind = "let" | "const" | "class" | "var" | "function" | "implicit" | "tool";

/** A variable and its value. */
export interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** One top-level variable or tool. Compiled code keeps a reference to it. */
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
 * The two names of the answer tool. A top-level variable may have the same name; a call by this
 * name still calls the tool.
 */
export const answerNames: ReadonlySet<string> = new Set(["finalAnswer", "final_answer"]);

/** The variables and tools that the programs of a session share. */
export class SessionBindings {
  /**
   * An empty set of bindings, for compiling modules. Code of a module does not see the variables of
   * the session, and its assignments to undeclared names do not create variables there.
   */
  static readonly closed: SessionBindings = /* @__PURE__ */ new SessionBindings();

  readonly #variables = new Map<string, Binding>();
  /** The names of variables that belong to an imported module. */
  readonly #imported = new Set<string>();
  readonly #tools = new Map<string, Binding>();
  /** Increases with each added name, so that compiled code knows when to look a name up again. */
  version = 0;

  /** Returns the variable of this name, or else the tool. */
  get(name: string): Binding | undefined {
    return this.#variables.get(name) ?? this.#tools.get(name);
  }

  /** Returns the variable of this name. */
  variable(name: string): Binding | undefined {
    return this.#variables.get(name);
  }

  /** Returns the tool of this name. */
  tool(name: string): Binding | undefined {
    return this.#tools.get(name);
  }

  /** Returns the names of all tools. */
  toolNames(): Iterable<string> {
    return this.#tools.keys();
  }

  /** Yields all variables that have a value, in the order of their first declaration. */
  *variables(): Iterable<NamedValue> {
    for (const [name, { value }] of this.#variables) if (value !== uninitialized) yield { name, value };
  }

  /**
   * Says whether this name is an imported variable. Only the module that exports it can change it.
   */
  isImported(name: string): boolean {
    return this.#imported.has(name);
  }

  /** Binds a name to a variable of a module. */
  import(name: string, binding: Binding): void {
    this.#variables.set(name, binding);
    this.#imported.add(name);
    this.version++;
  }

  /** Defines a variable with a value, as if an earlier program had declared it. */
  define(name: string, value: unknown, kind: BindingKind = "let"): void {
    const binding = this.declare(name, kind);
    binding.value = value;
  }

  /** Defines a tool: a guest function that programs can call but not redefine. */
  defineTool(name: string, value: unknown): void {
    this.#tools.set(name, new Binding(name, "tool", value));
    this.version++;
  }

  /**
   * Returns the variable for a declaration of a program, and creates it if needed. A variable that
   * exists keeps its value until the declaration runs, so that `const rows = rows.filter(...)` in a
   * later program can read the old `rows`.
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
