// A form for a tool's input, generated from its JSON Schema and the current value. The state of the
// form holds a text for each changed field. Unchanged fields keep their values.

import type { JsonSchema, JsonValue } from "@smolts/protocol";
import type { VNode } from "preact";
import { useApp } from "../app-context.ts";
import type { Translate } from "../languages/strings.ts";
import { hideOdd, type OddCharacter, oddCharacters, showOdd, visibleText } from "../text/odd-characters.ts";
import { Icon } from "./icon.tsx";

/** The kind of control for a field. */
export type FieldKind = "text" | "number" | "integer" | "boolean" | "choice" | "json";

/** One field of a form. */
export interface Field {
  /** The names of the properties that lead to the field, joined with dots. */
  readonly path: string;
  readonly names: readonly string[];
  readonly kind: FieldKind;
  readonly value: unknown;
  readonly description: string | null;
  readonly choices: readonly string[];
  readonly isRequired: boolean;
}

/** A person's changes to a field. */
export interface FieldState {
  /** The new text, with invisible characters in their visible form; absent if unchanged. */
  readonly text?: string;
  /** Whether the person has unfolded a long value. */
  readonly isUnfolded?: boolean;
}

/** The fields that the person has changed or unfolded, by path. */
export type FormState = Readonly<Record<string, FieldState>>;

const longLength = 1_200;
const maxNesting = 2;

/**
 * Returns the fields for a value. Properties in the schema that the value lacks become fields too.
 */
export function fieldsOf(value: unknown, schema: JsonSchema | null, names: readonly string[] = []): readonly Field[] {
  const properties = recordOf(schema?.["properties"]) ?? {};
  const given = recordOf(value) ?? {};
  const required = Array.isArray(schema?.["required"]) ? schema["required"] : [];
  const all = [...new Set([...Object.keys(properties), ...Object.keys(given)])];
  if (all.length === 0 && value !== undefined && recordOf(value) === null)
    return [fieldOf(value, schema, names.length > 0 ? names : ["value"], true)];
  return all.flatMap((name) => {
    const inner = recordOf(properties[name]);
    const path = [...names, name];
    const child = given[name];
    const isNested = (recordOf(child) !== null || inner?.["type"] === "object") && path.length <= maxNesting;
    if (isNested && (recordOf(inner?.["properties"]) !== null || recordOf(child) !== null) && !isMedia(child))
      return fieldsOf(child ?? {}, inner, path);
    return [fieldOf(child, inner, path, required.includes(name))];
  });
}

const isMedia = (value: unknown): boolean => recordOf(recordOf(value)?.["source"]) !== null;

const recordOf = (value: unknown): { readonly [key: string]: unknown } | null =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) === Object.prototype
    ? (value as { readonly [key: string]: unknown })
    : null;

function fieldOf(value: unknown, schema: JsonSchema | null, names: readonly string[], isRequired: boolean): Field {
  const choices = Array.isArray(schema?.["enum"]) ? schema["enum"].filter((choice) => typeof choice === "string") : [];
  const description = typeof schema?.["description"] === "string" ? schema["description"] : null;
  const kind = kindOf(value, schema, choices);
  return { path: names.join("."), names, kind, value, description, choices, isRequired };
}

function kindOf(value: unknown, schema: JsonSchema | null, choices: readonly string[]): FieldKind {
  if (choices.length > 0 && (value === undefined || choices.includes(value as string))) return "choice";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return schema?.["type"] === "integer" ? "integer" : "number";
  if (value !== undefined && value !== null) return "json";
  const type = schema?.["type"];
  if (type === "string") return "text";
  return type === "boolean" || type === "number" || type === "integer" ? type : "json";
}

/** Returns the text of a field before any change. */
function textOf(field: Field): string {
  if (field.value === undefined) return "";
  if (field.kind === "text" || field.kind === "choice") return String(field.value);
  return field.kind === "json" ? (JSON.stringify(field.value, jsonReplacer, 2) ?? "") : String(field.value);
}

const jsonReplacer = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

/** Returns the text that a field's control shows. */
function shownText(field: Field, form: FormState): string {
  const touched = form[field.path]?.text;
  if (touched !== undefined) return touched;
  const text = textOf(field);
  return showOdd(text, oddCharacters(text));
}

const isLong = (field: Field): boolean => textOf(field).length > longLength;

/** Returns how many long values the person has not unfolded yet. */
export function unseenFields(fields: readonly Field[], form: FormState): number {
  return fields.filter((field) => isLong(field) && form[field.path]?.isUnfolded !== true).length;
}

/** Returns the invisible and look-alike characters in the form, with the paths of their fields. */
export function oddCharactersIn(
  fields: readonly Field[],
  form: FormState,
): readonly (OddCharacter & { readonly path: string })[] {
  return fields.flatMap((field) =>
    [...oddCharacters(hideOdd(shownText(field, form))), ...oddCharacters(field.path)].map((odd) => ({
      ...odd,
      path: field.path,
    })),
  );
}

/** Returns the first mistake in the typed texts; null if there is none. */
export function formProblem(fields: readonly Field[], form: FormState, t: Translate): string | null {
  for (const field of fields) {
    const text = form[field.path]?.text;
    if (text === undefined) continue;
    if (field.isRequired && text.trim() === "" && field.kind !== "text") return t("fieldEmpty", { field: field.path });
    if (text.trim() === "") continue;
    if ((field.kind === "number" || field.kind === "integer") && !isNumber(text, field.kind))
      return t(field.kind === "integer" ? "fieldInteger" : "fieldNumber", { field: field.path });
    if (field.kind === "json" && parsed(hideOdd(text)) === undefined) return t("fieldJson", { field: field.path });
  }
  return null;
}

const isNumber = (text: string, kind: FieldKind): boolean =>
  Number.isFinite(Number(text)) && (kind === "number" || Number.isInteger(Number(text)));

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Returns the input with all changes. Optional fields that are empty are left out. */
export function formInput(fields: readonly Field[], form: FormState): unknown {
  const single = fields.length === 1 && fields[0]!.path === "value" && fields[0]!.names.length === 1;
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    const value = fieldValue(field, form);
    if (single && recordOf(field.value) === null && field.value !== undefined) return value;
    if (value !== undefined) put(input, field.names, value);
  }
  return input;
}

function fieldValue(field: Field, form: FormState): unknown {
  const shown = form[field.path]?.text;
  if (shown === undefined) return field.value;
  const text = hideOdd(shown);
  switch (field.kind) {
    case "text":
      return text === "" && !field.isRequired && field.value === undefined ? undefined : text;
    case "choice":
      return text === "" ? undefined : text;
    case "number":
    case "integer":
      return text.trim() === "" ? undefined : Number(text);
    case "boolean":
      return text === "true";
    case "json":
      return text.trim() === "" ? undefined : parsed(text);
    default:
      return field.kind satisfies never;
  }
}

function put(target: Record<string, unknown>, names: readonly string[], value: unknown): void {
  const [name, ...rest] = names;
  if (name === undefined || name === "__proto__") return;
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = recordOf(target[name]) ?? {};
  target[name] = inner;
  put(inner as Record<string, unknown>, rest, value);
}

/** Options of {@link SchemaForm}. */
export interface SchemaFormProps {
  readonly fields: readonly Field[];
  readonly form: FormState;
  readonly id: string;
  readonly isDisabled: boolean;
  onChange(form: FormState): void;
}

/** Shows the fields, each with its label on the left. */
export function SchemaForm({ fields, form, id, isDisabled, onChange }: SchemaFormProps): VNode {
  const set = (path: string, state: FieldState): void => onChange({ ...form, [path]: { ...form[path], ...state } });
  return (
    <div class="form">
      {fields.map((field) => (
        <FieldRow
          key={field.path}
          field={field}
          form={form}
          id={`${id}-${field.path.replace(/[^\w-]/g, "_")}`}
          isDisabled={isDisabled}
          set={(state) => set(field.path, state)}
        />
      ))}
    </div>
  );
}

interface FieldRowProps {
  readonly field: Field;
  readonly form: FormState;
  readonly id: string;
  readonly isDisabled: boolean;
  set(state: FieldState): void;
}

function FieldRow({ field, form, id, isDisabled, set }: FieldRowProps): VNode {
  const { t, figures } = useApp();
  const text = shownText(field, form);
  const odd = oddCharacters(hideOdd(text));
  const isFolded = isLong(field) && form[field.path]?.isUnfolded !== true;
  return (
    <div class="field">
      <label class="label" for={id} title={field.description ?? undefined}>
        {visibleText(field.path)}
      </label>
      {isFolded ? (
        <div class="unfold">
          <pre class="text">{visibleText(text.slice(0, 300))}…</pre>
          <button type="button" class="button" id={id} onClick={() => set({ isUnfolded: true })}>
            {t("unfold", { size: figures.bytes(text.length) })}
          </button>
        </div>
      ) : (
        <Control
          field={field}
          text={text}
          odd={odd}
          id={id}
          isDisabled={isDisabled}
          onText={(next) => set({ text: next })}
        />
      )}
      {odd.length > 0 ? (
        <OddNotes odd={odd} id={id} text={text} isDisabled={isDisabled} onText={(next) => set({ text: next })} />
      ) : null}
    </div>
  );
}

interface ControlProps {
  readonly field: Field;
  readonly text: string;
  readonly odd: readonly OddCharacter[];
  readonly id: string;
  readonly isDisabled: boolean;
  onText(text: string): void;
}

function Control({ field, text, odd, id, isDisabled, onText }: ControlProps): VNode {
  const { t } = useApp();
  const common = {
    id,
    "data-field": field.path,
    disabled: isDisabled,
    "aria-describedby": odd.length > 0 ? `${id}-odd` : undefined,
  };
  if (field.kind === "boolean")
    return (
      <input
        {...common}
        class="check"
        type="checkbox"
        checked={text === "true"}
        onChange={(event) => onText(String(event.currentTarget.checked))}
      />
    );
  if (field.kind === "choice")
    return (
      <select {...common} class="input" value={text} onChange={(event) => onText(event.currentTarget.value)}>
        {field.isRequired && text !== "" ? null : <option value="">{t("noChoice")}</option>}
        {field.choices.map((choice) => (
          <option key={choice} value={choice}>
            {visibleText(choice)}
          </option>
        ))}
      </select>
    );
  const isArea = field.kind === "json" || text.length > 60 || text.includes("\n");
  if (isArea) {
    const rows = Math.max(
      2,
      text.split("\n").reduce((sum, line) => sum + 1 + Math.floor(line.length / 60), 0),
    );
    return (
      <textarea
        {...common}
        class={`input ${field.kind === "json" || odd.length > 0 ? "mono" : ""}`}
        rows={rows}
        value={text}
        spellcheck={false}
        dir="auto"
        onInput={(event) => onText(event.currentTarget.value)}
      />
    );
  }
  const input = (
    <input
      {...common}
      class="input mono"
      value={text}
      spellcheck={false}
      autocomplete="off"
      inputMode={field.kind === "text" ? undefined : "decimal"}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
  if (odd.length === 0) return input;
  return (
    <div class="marked">
      <div class="behind" aria-hidden="true">
        {text
          .split(/(<U\+[0-9A-F]{4,6}>)/)
          .map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
      </div>
      {input}
    </div>
  );
}

interface OddNotesProps {
  readonly odd: readonly OddCharacter[];
  readonly id: string;
  readonly text: string;
  readonly isDisabled: boolean;
  onText(text: string): void;
}

function OddNotes({ odd, id, text, isDisabled, onText }: OddNotesProps): VNode {
  const { t } = useApp();
  return (
    <div class="odd-notes" id={`${id}-odd`}>
      {odd.slice(0, 8).map(({ shown, looksLike, script }) => (
        <p key={shown} class="odd">
          <Icon name="warn" size={14} />
          <span>
            {looksLike
              ? t(script === "Greek" ? "oddGreek" : "oddCyrillic", { shown, letter: looksLike })
              : t("oddHidden", { shown })}
          </span>
          <button type="button" disabled={isDisabled} onClick={() => onText(text.replaceAll(shown, looksLike ?? ""))}>
            {looksLike ? t("replaceBy", { letter: looksLike }) : t("removeOdd")}
          </button>
        </p>
      ))}
      {odd.length > 8 ? <p class="odd">{t("moreOdd", { count: odd.length - 8 })}</p> : null}
    </div>
  );
}
