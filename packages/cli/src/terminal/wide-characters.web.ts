// Replaces `wide-characters.ts` in bundles for browsers, because runs there are printed to the
// console, which has no columns.

/** Says that no character is wide. */
export const isWide = (_character: string): boolean => false;
