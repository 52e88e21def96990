// Shows values as text, in Node's notation. QuickJS has no function for that.

/** How values are shown. */
export interface InspectOptions {
  /** How many levels of nested objects are shown. Default: 4. */
  readonly depth?: number;
  /** The width, in characters, beyond which an object is split into lines. Default: 72. */
  readonly breakLength?: number;
  readonly maxArrayLength?: number;
  readonly maxStringLength?: number;
  /** Ignored: in QuickJS, an object cannot define how it is printed. */
  readonly customInspect?: boolean;
}

const defaults: Required<InspectOptions> = {
  depth: 4,
  breakLength: 72,
  maxArrayLength: 10_000,
  maxStringLength: 100_000,
  customInspect: false,
};

/**
 * Determines the type of a value without running any code of the program. In QuickJS a Proxy cannot
 * be recognised.
 */
export const types = {
  isProxy: (_value: unknown): boolean => false,
  isMap: (value: unknown): value is Map<unknown, unknown> => hasSlot(Map.prototype, "size", value),
  isSet: (value: unknown): value is Set<unknown> => hasSlot(Set.prototype, "size", value),
  isTypedArray: (value: unknown): boolean => ArrayBuffer.isView(value) && !(value instanceof DataView),
};

function hasSlot(prototype: object, member: string, value: unknown): boolean {
  try {
    Object.getOwnPropertyDescriptor(prototype, member)?.get?.call(value);
    return true;
  } catch {
    return false;
  }
}

/** Returns a value as text. */
export function inspect(value: unknown, options: InspectOptions = {}): string {
  return new Inspection({ ...defaults, ...options }).show(value, 0, 0);
}

/**
 * Returns the text that `console.log` prints. Strings are unchanged, other values are shown, and
 * placeholders such as `%s` are filled in.
 */
export function formatWithOptions(options: InspectOptions, ...values: readonly unknown[]): string {
  const [first, ...others] = values;
  const rest = [...others];
  let text = "";
  if (typeof first === "string") {
    text = first.replace(/%[sdifjoOc%]/g, (mark) => {
      if (mark === "%%") return "%";
      if (rest.length === 0) return mark;
      return filled(mark, rest.shift(), options);
    });
  } else if (values.length > 0) text = inspect(first, options);
  return [text, ...rest.map((value) => (typeof value === "string" ? value : inspect(value, options)))].join(" ");
}

function filled(mark: string, value: unknown, options: InspectOptions): string {
  switch (mark) {
    case "%s":
      return typeof value === "string" ? value : inspect(value, { ...options, depth: 0 });
    case "%d":
      return String(Number(value));
    case "%i":
      return String(Number.parseInt(String(value), 10));
    case "%f":
      return String(Number.parseFloat(String(value)));
    case "%j":
      return JSON.stringify(value);
    case "%c":
      return "";
    default:
      return inspect(value, options);
  }
}

class Inspection {
  readonly #options: Required<InspectOptions>;
  readonly #above: object[] = [];

  constructor(options: Required<InspectOptions>) {
    this.#options = options;
  }

  show(value: unknown, depth: number, indentation: number): string {
    switch (typeof value) {
      case "string":
        return quoted(cut(value, this.#options.maxStringLength));
      case "bigint":
        return `${value}n`;
      case "symbol":
        return value.toString();
      case "number":
        return Object.is(value, -0) ? "-0" : String(value);
      case "object":
      case "function":
        return value === null ? "null" : this.#object(value, depth, indentation);
      default:
        return String(value);
    }
  }

  #object(value: object, depth: number, indentation: number): string {
    if (this.#above.includes(value)) return "[Circular *1]";
    const simple = simpleText(value);
    if (simple !== null && (value instanceof Error || Object.keys(value).length === 0)) return simple;
    const name = nameOf(value);
    if (depth > this.#options.depth) return Array.isArray(value) ? "[Array]" : `[${name || "Object"}]`;
    this.#above.push(value);
    const inner = (item: unknown): string => this.show(item, depth + 1, indentation + 2);
    const entries = this.#entries(value, inner);
    this.#above.pop();
    const [open, close] = Array.isArray(value) || ArrayBuffer.isView(value) ? ["[", "]"] : ["{", "}"];
    const head = [headOf(value, name), simple].filter(Boolean).join(" ");
    return layout(
      head === "" ? "" : `${head} `,
      open ?? "",
      close ?? "",
      entries,
      indentation,
      this.#options.breakLength,
    );
  }

  #entries(value: object, show: (item: unknown) => string): string[] {
    const { maxArrayLength } = this.#options;
    if (Array.isArray(value) || ArrayBuffer.isView(value)) {
      const items = value as unknown as ArrayLike<unknown>; // both types have a length and indices
      const shown = Array.from({ length: Math.min(items.length, maxArrayLength) }, (_, index) =>
        index in value ? show(items[index]) : "<empty>",
      );
      const more = items.length - shown.length;
      return more > 0 ? [...shown, `... ${more} more items`] : shown;
    }
    if (value instanceof Map) return [...value].map(([key, item]) => `${show(key)} => ${show(item)}`);
    if (value instanceof Set) return [...value].map(show);
    return Reflect.ownKeys(value)
      .filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))
      .map((key) => `${keyText(key)}: ${propertyText(value, key, show)}`);
  }
}

function propertyText(value: object, key: string | symbol, show: (item: unknown) => string): string {
  const property = Object.getOwnPropertyDescriptor(value, key);
  if (!property || "value" in property) return show(property?.value);
  return property.get ? (property.set ? "[Getter/Setter]" : "[Getter]") : "[Setter]";
}

/**
 * Returns the text of an object that is shown without its entries. Returns null for other objects.
 */
function simpleText(value: object): string | null {
  if (typeof value === "function") {
    const isClass = /^class\b/.test(Function.prototype.toString.call(value));
    return `[${isClass ? "class" : "Function"}${value.name ? `${isClass ? "" : ":"} ${value.name}` : isClass ? " (anonymous)" : " (anonymous)"}]`;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof Promise) return "Promise { <pending> }";
  if (value instanceof WeakMap || value instanceof WeakSet) return `${nameOf(value)} { <items unknown> }`;
  return null;
}

function nameOf(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return "[Object: null prototype]";
  const { constructor: maker } = value as { readonly constructor?: { readonly name?: unknown } };
  return typeof maker?.name === "string" ? maker.name : "";
}

function headOf(value: object, name: string): string {
  if (value instanceof Map || value instanceof Set) return `${name}(${value.size})`;
  if (ArrayBuffer.isView(value)) return `${name}(${(value as Uint8Array).length ?? value.byteLength})`;
  if (Array.isArray(value)) return name === "Array" ? "" : `${name}(${value.length})`;
  return name === "Object" || typeof value === "function" ? "" : name;
}

function layout(
  head: string,
  open: string,
  close: string,
  entries: readonly string[],
  indentation: number,
  width: number,
): string {
  if (entries.length === 0) return `${head}${open}${close}`;
  const line = `${head}${open} ${entries.join(", ")} ${close}`;
  if (line.length + indentation <= width && !line.includes("\n")) return line;
  const space = " ".repeat(indentation + 2);
  return `${head}${open}\n${entries.map((entry) => `${space}${entry}`).join(",\n")}\n${" ".repeat(indentation)}${close}`;
}

const keyText = (key: string | symbol): string => {
  if (typeof key === "symbol") return `[${key.toString()}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
};

function quoted(text: string): string {
  const quote = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes("`") ? "`" : "'";
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}... ${text.length - length} more characters` : text;
