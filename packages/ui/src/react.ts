"use client";

import type { RunEvent } from "@smolts/protocol";
import { type CSSProperties, createElement, type ReactElement, useEffect, useRef } from "react";
import { type AgentUIElement, defineAgentUI } from "./element.ts";

/** Props of {@link AgentUI}. Pass either `src` or `run`. */
export interface AgentUIProps {
  /**
   * The address where `createUIHandler` serves the agent, such as `/agent/`. The address must have
   * the same origin as the page.
   */
  readonly src?: string;
  /** The address of a run file, which is shown read only. */
  readonly run?: string;
  /** The theme. Default: the theme of the reader's system. */
  readonly theme?: "system" | "light" | "dark";
  /** The language as a tag such as `de`. Default: the language of the reader's browser. */
  readonly locale?: string;
  readonly className?: string;
  /**
   * Styles of the element. Set a height here or in CSS, because the element fills its container.
   */
  readonly style?: CSSProperties;
  /** Called with each event of the shown session, from the first event on. */
  readonly onEvent?: (event: RunEvent) => void;
}

/**
 * Shows an agent or a run file in a React page. It needs React 18 or later, and can be rendered on
 * a server.
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
    current?.addEventListener("run-event", listen);
    void defineAgentUI();
    return () => current?.removeEventListener("run-event", listen);
  }, [onEvent]);
  return createElement("agent-ui", { ref: element, src, run, theme, locale, class: className, style });
}
