import { Component, type ComponentChildren, type ComponentType } from "preact";

/**
 * A component that is drawn again only when `isSame` says no. A change of the context draws it
 * again, too.
 */
export function memo<Props extends object>(
  draw: (props: Props) => ComponentChildren,
  isSame: (before: Props, now: Props) => boolean,
): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(now: Props): boolean {
      return !isSame(this.props as Props, now);
    }
    override render() {
      return draw(this.props as Props);
    }
  };
}
