const PATHS = {
  overview: 'M2.5 9.5 6 6l2.5 2.5 5-5M10 3.5h3.5V7M2.5 13h11',
  cluster: 'M8 2 2.5 5 8 8l5.5-3zM2.5 8 8 11l5.5-3M2.5 11 8 14l5.5-3',
  adapter: 'M6 2v3M10 2v3M4 5h8v3a4 4 0 0 1-8 0zM8 12v2.5',
  nodes: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  resource: 'M8 2l5.5 3v6L8 14l-5.5-3V5zM2.5 5 8 8m0 0 5.5-3M8 8v6',
  fleet: 'M3 11h10l-1.6 2.4H4.6zM7.5 2.5V9H4zM9 4.5 12 9H9z',
  plane: 'M2.5 4h11v8h-11zM2.5 7h11M6 7v5',
  sandbox: 'M2.5 3h11v10h-11zM5 6.5 7 8.5 5 10.5M8.5 10.5H11',
  settings: 'M3 4.5h6M12 4.5h1M3 11.5h1M7 11.5h6M10.5 3v3M5.5 10v3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14',
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  alert: 'M8 2.2 14.3 13H1.7zM8 6.5v3M8 11.3v.2',
  dot: 'M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z',
  question: 'M5.8 6a2.2 2.2 0 1 1 3.3 1.9c-.7.4-1.1.8-1.1 1.6M8 11.8v.2',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  up: 'M4 9.5 8 5.5l4 4',
  down: 'M4 6.5l4 4 4-4',
  left: 'M9.5 4 5.5 8l4 4',
  right: 'M6.5 4l4 4-4 4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z',
  system: 'M2 3h12v8H2zM6 14h4M8 11v3',
  edit: 'M10.8 2.8 13.2 5.2 5.6 12.8 2.6 13.4 3.2 10.4zM9.3 4.3l2.4 2.4',
  trash: 'M2.8 4.2h10.4M6 4.2V2.6h4v1.6M4.2 4.2l.6 9.2h6.4l.6-9.2M6.8 6.8v4M9.2 6.8v4',
  refresh: 'M13 4.5A6 6 0 1 0 14 8M13.3 1.8v3h-3',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M4.5 3 13 8l-8.5 5z',
  user: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.8 13.6a5.2 5.2 0 0 1 10.4 0',
  filter: 'M2 3.5h12L9.5 8.6v4.2l-3 .9V8.6z',
  bookmark: 'M4 2.5h8v11L8 10.7 4 13.5z',
  external: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7',
  key: 'M10.2 9.3a3.7 3.7 0 1 0-3.5-3.5L2.5 10v3.5H6v-2h2zM11 5v.01',
} as const

/** The name of an icon. */
export type IconName = keyof typeof PATHS

/** An icon of 16 pixels in the colour of the text. It is hidden from screen readers. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
