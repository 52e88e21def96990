import type { VNode } from "preact";

// The icons of the page: 16 px, with lines of 1.5 px.
const strokes = {
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  panel: "M2.5 3.5h11v9h-11zM9.5 3.5v9",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3l3.2 3.2",
  plus: "M8 3v10M3 8h10",
  close: "m4 4 8 8M12 4l-8 8",
  chevron: "m6 4 4 4-4 4",
  check: "m3 8.5 3.2 3L13 4.5",
  minus: "M3.5 8h9",
  arrow: "M3 8h10M9 4l4 4-4 4",
  down: "M8 3v10M4 9l4 4 4-4",
  up: "M8 13V3M4 7l4-4 4 4",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  clip: "M13 7.3 7.8 12.5a3.2 3.2 0 0 1-4.5-4.5l5.4-5.4a2.1 2.1 0 0 1 3 3L6.4 10.9a1 1 0 0 1-1.5-1.5l4.8-4.7",
  save: "M8 2.5v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11",
  retry: "M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3",
  edit: "m3 13 .6-2.8 7-7 2.2 2.2-7 7L3 13Z",
  call: "M3.5 3v4.5a2 2 0 0 0 2 2h7M9.5 6.5l3 3-3 3",
  warn: "M8 6v3.5M8 11.6v.1M8 2.2 14.2 13H1.8L8 2.2Z",
  hand: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM6.3 5.5v5M9.7 5.5v5",
  list: "M6 4.5h7.5M6 8h7.5M6 11.5h7.5M2.5 4.5h.5M2.5 8h.5M2.5 11.5h.5",
  play: "M5 3.2v9.6L12.8 8 5 3.2Z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  back: "M11.5 3.5 5.8 8l5.7 4.5v-9ZM4 3.5v9",
  next: "M4.5 3.5 10.2 8l-5.7 4.5v-9ZM12 3.5v9",
  eye: "M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8ZM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z",
  theme: "M8 2.2a5.8 5.8 0 1 0 0 11.6V2.2Z",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  bin: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  speech: "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z",
  sort: "M5 3v10M3 11l2 2 2-2M11 13V3M9 5l2-2 2 2",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof strokes;

/** An icon. It has no label, because the control around it has one. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): VNode {
  return (
    <svg
      class={`icon icon-${name}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width={name === "more" ? 2.2 : 1.5}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={strokes[name]} />
    </svg>
  );
}

/** The logo: the prompt of a shell and a fish. */
export function Fish({ size = 24 }: { readonly size?: number }): VNode {
  return (
    <svg class="fish" width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path
        d="M2 6.4 6.6 12 2 17.6"
        fill="none"
        stroke="currentColor"
        stroke-width="2.9"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      <path
        fill-rule="evenodd"
        d="M9.3 12.9a1.6 1.6 0 0 1 0-1.8C11.3 7.8 13.8 6 16.4 6c2.7 0 5 1.7 6.8 4.9a2.2 2.2 0 0 1 0 2.2c-1.8 3.2-4.1 4.9-6.8 4.9-2.6 0-5.1-1.8-7.1-5.1ZM19.9 10.7a1.5 1.5 0 1 0-3 0 1.5 1.5 0 1 0 3 0Z"
      />
    </svg>
  );
}

/** Options of {@link IconButton}. */
export interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly class?: string;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  readonly onClick?: ((event: MouseEvent) => void) | undefined;
}

/** A button that shows only an icon. */
export function IconButton({ icon, label, disabled, pressed, expanded, onClick, ...props }: IconButtonProps): VNode {
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ""}`}
      aria-label={label}
      title={label}
      disabled={disabled}
      aria-pressed={pressed}
      aria-expanded={expanded}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
