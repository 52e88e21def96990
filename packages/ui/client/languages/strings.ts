// All texts of the page, in all its languages. To add a language, add a file with the same keys;
// the compiler reports missing ones.
//
// `{name}` in a text is replaced by a value. Plural forms are separated by `|`, in the order of the
// language's plural categories (`one|other` in English; `zero|one|two|few|many|other` in Arabic).
// `{count}` selects the form. If a form is missing, the last one is used.

import { english } from "./english.ts";

/** The name of a text. */
export type StringKey = keyof typeof english;

/** All texts in one language. */
export type Strings = Readonly<Record<StringKey, string>>;

/** A language of the page. `load` returns its texts. */
export interface KnownLanguage {
  /** The tag of the language (BCP 47), such as `de`. */
  readonly code: string;
  /** The name of the language in the language itself. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  load(): Promise<Strings>;
}

/** A language with its texts. */
export interface Language extends Omit<KnownLanguage, "load"> {
  readonly strings: Strings;
}

/** English is bundled with the page. It is also used if another language cannot be loaded. */
export const englishLanguage: Language = { code: "en", name: "English", direction: "ltr", strings: english };

/** The languages of the page. All except English are loaded lazily. */
export const languages: readonly KnownLanguage[] = [
  { ...englishLanguage, load: async () => english },
  { code: "de", name: "Deutsch", direction: "ltr", load: async () => (await import("./german.ts")).german },
  { code: "fr", name: "Français", direction: "ltr", load: async () => (await import("./french.ts")).french },
  { code: "zh", name: "中文", direction: "ltr", load: async () => (await import("./chinese.ts")).chinese },
  { code: "ar", name: "العربية", direction: "rtl", load: async () => (await import("./arabic.ts")).arabic },
];

/**
 * Loads the language for a tag such as `de-AT`. Returns English if there is no such language or it
 * cannot be loaded.
 */
export async function loadLanguage(locale: string): Promise<Language> {
  const [wanted = "en"] = locale.toLowerCase().split("-");
  const found = languages.find(({ code }) => code === wanted);
  if (!found) return englishLanguage;
  try {
    const { code, name, direction } = found;
    return { code, name, direction, strings: await found.load() };
  } catch {
    return englishLanguage;
  }
}

/** Returns a text by its key, with the given values inserted. */
export type Translate = (key: StringKey, values?: Readonly<Record<string, string | number>>) => string;

const categories = ["zero", "one", "two", "few", "many", "other"] as const;

/** Returns the function that finds texts in one language. */
export function translator({ code, strings }: Language): Translate {
  const rules = new Intl.PluralRules(code);
  const numbers = new Intl.NumberFormat(code);
  const known = rules.resolvedOptions().pluralCategories;
  const order = categories.filter((category) => known.includes(category) && (category !== "many" || code === "ar"));
  return (key, values = {}) => {
    const text = strings[key];
    const forms = text.split("|");
    const form =
      forms.length === 1 ? text : (forms[order.indexOf(rules.select(countOf(values)) as never)] ?? forms.at(-1)!);
    return form.replace(/\{(\w+)\}/g, (all, name: string) => {
      const value = values[name];
      return value === undefined ? all : typeof value === "number" ? numbers.format(value) : value;
    });
  };
}

/**
 * Returns the number that selects the plural form. The given number may already be formatted as
 * text.
 */
function countOf({ count }: Readonly<Record<string, string | number>>): number {
  return typeof count === "number" ? count : Number(String(count ?? 0).replace(/\D/g, ""));
}
