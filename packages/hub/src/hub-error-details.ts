/**
 * The `details` of an error of this package, for programs. Other errors have no details.
 */
export type HubErrorDetails = {
  /**
   * The missing part: `trust` in the code or an address of the repository (`trustCode`), a `model`
   * that can be used here (`model`), or a `tool` of smolts in the repository.
   */
  readonly missing?: "trust" | "model" | "tool";
  /** A description of the repository for people, as `renderContents` returns it. */
  readonly contents?: string;
};

/** Returns the details of an error in their shape. Other details are ignored. */
export function refusalOf(details: unknown): HubErrorDetails {
  const { missing } = (details ?? {}) as { readonly missing?: unknown }; // any value but null has fields
  return missing === "trust" || missing === "model" || missing === "tool" ? { missing } : {};
}
