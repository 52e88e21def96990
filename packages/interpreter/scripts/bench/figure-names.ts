/**
 * The names of all results that are not about workloads. The last part of each name is its unit.
 */
export const figureNames = ["newSessionMs", "awaitHostUs", "dataInRatio", "dataOutRatio", "longLivedRatio"] as const;

/** The name of one result. */
export type FigureName = (typeof figureNames)[number];
