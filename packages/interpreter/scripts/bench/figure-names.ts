/** The figures of a session beside the workloads; the last part of each name is its unit. */
export const figureNames = ["newSessionMs", "awaitHostUs", "dataInRatio", "dataOutRatio", "longLivedRatio"] as const;

/** One of them. */
export type FigureName = (typeof figureNames)[number];
