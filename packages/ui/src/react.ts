"use client";

import type { RunEvent } from "@smolts/protocol";
import { type CSSProperties, createElement, type ReactElement, useEffect, useRef } from "react";
import { type AgentUIElement, defineAgentUI } from "./element.ts";

/** What {@link AgentUI} shows, and how. Give `src` or `run`. */
export interface AgentUIProps {
  /** Where `createUIHandler` serves the agent, at the same origin: `/agent/`. */
  readonly src?: string;
  /** The address of a run file, which is shown read only. */
  readonly run?: string;
  /** The reader's system decides when absent. */
  readonly theme?: "system" | "light" | "dark";
  /** A language tag such as `de`; the reader's browser decides when absent. */
  readonly locale?: string;
  readonly className?: string;
  /** The element is as high as its place: give it a height. */
  readonly style?: CSSProperties;
  /** Hears each event of the session that is shown, from its first on. */
  readonly onEvent?: (event: RunEvent) => void;
}

/**
 * Shows an agent, or a run file, in a React page. React 18 or later; it may be rendered on a
 * server.
 *
 * @example
 * ```ts
 * import { AgentUI } from "@smolts/ui/react";
 * import { createElement } from "react";
 *
 * const page = createElement(AgentUI, { src: "/agent/", style: { height: "100vh" } });
 * console.log(page.props.src); // /agent/
 * ```
 */
export function AgentUI({ src, run, theme, locale, className, style, onEvent }: AgentUIProps): ReactElement {
  const element = useRef<AgentUIElement>(null);
  useEffect(() => {
    const { current } = element;
    const listen = ({ detail }: CustomEvent<RunEvent>): void => onEvent?.(detail);
    current?.addEventListener("run-event", listen as EventListener);
    void defineAgentUI();
    return () => current?.removeEventListener("run-event", listen as EventListener);
  }, [onEvent]);
  return createElement("agent-ui", { ref: element, src, run, theme, locale, class: className, style });
}
