// Every word that the page says, in each of its languages. A language is one more column: the
// compiler names what is missing.
//
// `{name}` is replaced. Forms for different numbers stand between `|`, in the order of the
// language's plural categories (`one|other` in English; `zero|one|two|few|many|other` in Arabic)
// and are chosen by `{count}`; a missing form is the last one.

import { english } from "./english.ts";

/** The name of a text. */
export type StringKey = keyof typeof english;

/** All texts in one language. */
export type Strings = Readonly<Record<StringKey, string>>;

/** A language of the page, before its texts are there. */
export interface KnownLanguage {
  /** A BCP 47 tag. */
  readonly code: string;
  /** As its speakers call it. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  load(): Promise<Strings>;
}

/** A language with its texts. */
export interface Language extends Omit<KnownLanguage, "load"> {
  readonly strings: Strings;
}

/** The language that is there at once, and wherever another one cannot be loaded. */
export const englishLanguage: Language = { code: "en", name: "English", direction: "ltr", strings: english };

/** The languages of the page. All but English are loaded by those who read them. */
export const languages: readonly KnownLanguage[] = [
  { ...englishLanguage, load: async () => english },
  { code: "de", name: "Deutsch", direction: "ltr", load: async () => (await import("./german.ts")).german },
  { code: "fr", name: "Français", direction: "ltr", load: async () => (await import("./french.ts")).french },
  { code: "zh", name: "中文", direction: "ltr", load: async () => (await import("./chinese.ts")).chinese },
  { code: "ar", name: "العربية", direction: "rtl", load: async () => (await import("./arabic.ts")).arabic },
];

/**
 * The language for a tag such as `de-AT`; English where there is none, or where its texts cannot be
 * loaded.
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

/** A text by its name, with what belongs into it. */
export type Translate = (key: StringKey, values?: Readonly<Record<string, string | number>>) => string;

const categories = ["zero", "one", "two", "few", "many", "other"] as const;

/** Texts in one language. */
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

/** The number that decides on the form; a text has been formatted already. */
function countOf({ count }: Readonly<Record<string, string | number>>): number {
  return typeof count === "number" ? count : Number(String(count ?? 0).replace(/\D/g, ""));
}
