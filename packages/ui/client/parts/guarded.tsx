import { Component, type ComponentChildren } from "preact";
import { useApp } from "../app-context.ts";

interface GuardedProps {
  /** If rendering has failed, it is retried when this value changes. */
  readonly version: unknown;
  readonly children: ComponentChildren;
}

/**
 * Renders its children. If that fails, shows a message instead, and the rest of the page still
 * works.
 */
export class Guarded extends Component<GuardedProps, { readonly failedAt: { readonly version: unknown } | null }> {
  override state = { failedAt: null };

  override componentDidCatch(error: unknown): void {
    // Report the error to the browser's console.
    reportError(error);
    this.setState({ failedAt: { version: this.props.version } });
  }

  override render(
    { version, children }: GuardedProps,
    { failedAt }: { readonly failedAt: { readonly version: unknown } | null },
  ) {
    return failedAt !== null && Object.is(failedAt.version, version) ? <CannotShow /> : children;
  }
}

function CannotShow() {
  const { t } = useApp();
  return <p class="wrong">{t("cannotShow")}</p>;
}
