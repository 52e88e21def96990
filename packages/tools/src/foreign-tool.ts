// Rules for tools that somebody else described, such as an OpenAPI document or a Space. The
// description is not trusted: a GET request may delete data, and a hostile description could cause
// its calls to be repeated. So each such tool has the effects `once` and needs approval, until the
// program itself states its effects.

import { invalidOption, nearestName, type ToolEffects } from "@smolts/protocol";

export { toToolName } from "./tool-name.ts";

/** The effects of calls, keyed by the name of the tool. */
export type EffectsByTool = Readonly<Record<string, ToolEffects>>;

/** The effects of a tool that somebody else described, and whether its calls need approval. */
export interface ForeignEffects {
  readonly effects: ToolEffects;
  readonly needsApproval: boolean;
}

/** Returns the effects that the program has stated for a tool, or undefined. */
export function effectsOf(name: string, stated: EffectsByTool): ToolEffects | undefined {
  // Only the object's own keys count, not inherited ones such as `toString`.
  return Object.hasOwn(stated, name) ? stated[name] : undefined;
}

/**
 * Returns the effects that the program has stated for a tool. Without a statement, returns `once`
 * with approval, the most careful choice.
 */
export function foreignEffects(name: string, stated: EffectsByTool): ForeignEffects {
  const effects = effectsOf(name, stated);
  return { effects: effects ?? "once", needsApproval: effects === undefined };
}

/**
 * Checks that effects are stated only for tools that exist.
 *
 * @throws AgentError `invalid-option` that suggests the most similar name
 */
export function checkEffects(stated: EffectsByTool, names: readonly string[], where: string): void {
  const known = new Set(names);
  const unknown = Object.keys(stated).find((name) => !known.has(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, names);
  throw invalidOption(
    `${where}: effects names "${unknown}", which is not one of its tools`,
    nearest ? `did you mean "${nearest}"?` : `its tools are ${names.slice(0, 20).join(", ")}`,
  );
}

const maxDescriptionLength = 1_000;

/** Returns somebody else's description of a tool on one line, cut to a limit. */
export function foreignDescription(...texts: readonly unknown[]): string {
  const joined = texts.filter((text) => typeof text === "string" && text.trim() !== "").join(". ");
  const line = joined.replace(/\s+/g, " ").trim();
  return line.length > maxDescriptionLength ? `${line.slice(0, maxDescriptionLength - 1)}…` : line;
}
