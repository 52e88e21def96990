import { Component, type ComponentChildren, type ComponentType } from "preact";

/** Creates a component that renders again only if `isSame` returns false or the context changes. */
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
