// Replaces `highlight.ts` in bundles for browsers, because runs there are printed to the console
// without colours.

import type { CodeLine } from "./highlight.ts";

/** Splits code into lines. Each line is a single piece of text without colours. */
export const highlight = (code: string): readonly CodeLine[] => code.split("\n").map((text) => [{ text }]);
