/** The page's files, as texts. */
export interface BuiltClient {
  readonly script: string;
  readonly style: string;
  /**
   * The files that the script loads when it needs them, by name; for example the texts of a
   * language.
   */
  readonly parts: Readonly<Record<string, string>>;
  /** The script with all its parts, for a page that must not request anything. */
  readonly wholeScript: string;
}

let building: Promise<BuiltClient> | null = null;

/**
 * Returns the page, built from its sources at the first use. The published package replaces this
 * module by one that contains the built page (`scripts/built.ts`).
 */
export function builtClient(): Promise<BuiltClient> {
  building ??= build();
  return building;
}

async function build(): Promise<BuiltClient> {
  const script = new URL("../../scripts/build-client.ts", import.meta.url).href;
  // The cast is safe: the module is a script of this package.
  const { buildClient } = (await import(script)) as { readonly buildClient: () => Promise<BuiltClient> };
  return buildClient();
}
