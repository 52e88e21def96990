/** The page's files, as texts. */
export interface BuiltClient {
  readonly script: string;
  readonly style: string;
  /**
   * The files that the script loads when it needs them, such as the texts of a language, by name.
   */
  readonly parts: Readonly<Record<string, string>>;
  /** The script with all its parts, for a page that may ask for nothing. */
  readonly wholeScript: string;
}

let building: Promise<BuiltClient> | null = null;

/**
 * The page, built from its sources at the first use. In the published package another module stands
 * here, that holds the page as it was built (`scripts/built.ts`).
 */
export function builtClient(): Promise<BuiltClient> {
  building ??= build();
  return building;
}

async function build(): Promise<BuiltClient> {
  const script = new URL("../../scripts/build-client.ts", import.meta.url).href;
  const { buildClient } = (await import(script)) as { readonly buildClient: () => Promise<BuiltClient> }; // our own script
  return buildClient();
}
