/**
 * The `details` of an error of this package, to be read by programs. Some errors have no details.
 */
export type HubErrorDetails = {
  /**
   * Says what is missing:
   *
   * - `trust`: code or an address in the repository needs `trustCode`
   * - `model`: the agent has no model that can be used here; pass `model`
   * - `tool`: the repository contains no tool of smolts
   */
  readonly missing?: "trust" | "model" | "tool";
  /** A human-readable description of the repository, as `renderContents` returns it. */
  readonly contents?: string;
};

/**
 * Returns the field `missing` of an error's details, if it has a known value. Other details are
 * ignored.
 */
export function refusalOf(details: unknown): HubErrorDetails {
  const { missing } = (details ?? {}) as { readonly missing?: unknown }; // any value but null has fields
  return missing === "trust" || missing === "model" || missing === "tool" ? { missing } : {};
}
