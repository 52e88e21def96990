// Tools that somebody else described: a service's document, a space. What they say of themselves is
// not believed: a GET may well delete, and a hostile description would have its calls repeated. So
// each is `once` and asks a person, until the program that uses it says what it does.

import { AgentError, nearestName, type ToolEffects } from "@smolts/protocol";

export { toToolName } from "./tool-name.ts";

/** By tool, what a call does to the world. */
export type EffectsByTool = Readonly<Record<string, ToolEffects>>;

/** The known effects of a foreign tool. */
export interface ForeignEffects {
  readonly effects: ToolEffects;
  readonly needsApproval: boolean;
}

/** The program's statement about a tool's effects, if there is one. */
export function effectsOf(name: string, said: EffectsByTool): ToolEffects | undefined {
  // Only a name of the program's own, not one that every object has.
  return Object.hasOwn(said, name) ? said[name] : undefined;
}

/** The program's statement about a tool's effects, or the most careful one of all. */
export function foreignEffects(name: string, said: EffectsByTool): ForeignEffects {
  const effects = effectsOf(name, said);
  return { effects: effects ?? "once", needsApproval: effects === undefined };
}

/**
 * Checks that the program speaks of tools that there are.
 *
 * @throws AgentError `invalid-option` with the nearest name
 */
export function checkEffects(said: EffectsByTool, names: readonly string[], where: string): void {
  const known = new Set(names);
  const unknown = Object.keys(said).find((name) => !known.has(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, names);
  throw new AgentError("invalid-option", `${where}: effects names "${unknown}", which is none of its tools`, {
    hint: nearest ? `did you mean "${nearest}"?` : `its tools are ${names.slice(0, 20).join(", ")}`,
  });
}

const maxDescriptionLength = 1_000;

/** A description of somebody else's, on one line and cut. */
export function foreignDescription(...texts: readonly unknown[]): string {
  const said = texts.filter((text) => typeof text === "string" && text.trim() !== "").join(". ");
  const line = said.replace(/\s+/g, " ").trim();
  return line.length > maxDescriptionLength ? `${line.slice(0, maxDescriptionLength - 1)}…` : line;
}
