/** The page's files, as texts. */
export interface BuiltClient {
  readonly script: string;
  readonly style: string;
}

let building: Promise<BuiltClient> | null = null;

/**
 * The page, built from its sources at the first use. In the published package another module stands here, that holds the page as it was built
 * (`scripts/built.ts`).
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
