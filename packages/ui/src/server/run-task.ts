import { textOf } from "@smolts/protocol";
import type { TaskPart } from "../agent-shape.ts";

/** The input of a run. */
export interface Task {
  readonly content: string | readonly TaskPart[];
  /** Variables for the agent's code, such as uploaded files. */
  readonly variables?: { readonly [name: string]: unknown };
}

const maxTitleLength = 80;

/** Returns the title of a session: the start of its first task. */
export function titleOf(content: Task["content"]): string {
  const text = (typeof content === "string" ? content : textOf(content)).trim().replace(/\s+/g, " ");
  return text.length <= maxTitleLength ? text : `${text.slice(0, maxTitleLength - 1)}…`;
}
