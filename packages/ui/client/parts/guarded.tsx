import { Component, type ComponentChildren } from "preact";
import { useApp } from "../app-context.ts";

interface GuardedProps {
  /** Drawing is tried again when it changes. */
  readonly version: unknown;
  readonly children: ComponentChildren;
}

/** Draws its children, or says that they cannot be drawn: the rest of the page stays as it is. */
export class Guarded extends Component<GuardedProps, { readonly failedAt: { readonly version: unknown } | null }> {
  override state = { failedAt: null };

  override componentDidCatch(error: unknown): void {
    // For the console of whoever looks for the reason.
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
