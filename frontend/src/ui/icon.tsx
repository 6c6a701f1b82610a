/** Strokes on a grid of 24, 2 units wide. */
const paths = {
  home: 'M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4.5v-6h-5v6H5a1 1 0 0 1-1-1z',
  calendar:
    'M5 6h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM4 11h16M8.5 3.5V8M15.5 3.5V8',
  people:
    'M9 11.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5zM2.5 20c.4-3.4 3-5.5 6.5-5.5s6.1 2.1 6.5 5.5M15.5 4.5a3.5 3.5 0 0 1 0 6.5M18 15c2 .8 3.2 2.5 3.5 5',
  wallet:
    'M18 8V5.5a1 1 0 0 0-1-1H5.5a2 2 0 0 0 0 4H19a1 1 0 0 1 1 1V19a1 1 0 0 1-1 1H6a2.5 2.5 0 0 1-2.5-2.5V6.5M16.5 14h.01',
  settings:
    'M4 7h9M17.5 7H20M4 17h2.5M11 17h9M15.25 9.25a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM8.75 19.25a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5z',
  plus: 'M12 5v14M5 12h14',
  left: 'M14.5 6 8.5 12l6 6',
  right: 'm9.5 6 6 6-6 6',
  down: 'm6 9.5 6 6 6-6',
  back: 'M20 12H5M11 6l-6 6 6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6 6 18',
  circle: 'M12 19.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15z',
  clock: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 8v4.5l3 1.8',
  alert: 'M12 4.5 3.5 19h17zM12 10v4M12 16.5h.01',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  edit: 'M4.5 19.5l1-4L16 5l3 3L8.5 18.5zM13.5 7.5l3 3',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7M10.5 11v5M13.5 11v5',
  archive: 'M4 5h16v4H4zM5.5 9v10h13V9M10 13h4',
  renew: 'M19.5 12a7.5 7.5 0 1 1-2.3-5.4L19.5 9M19.5 4.5V9H15',
  undo: 'M5 9.5h9a5 5 0 0 1 0 10H9M9 5.5l-4 4 4 4',
  pin: 'M12 21c4.3-4.3 6.5-7.7 6.5-10.5a6.5 6.5 0 0 0-13 0C5.5 13.3 7.7 16.7 12 21zM12 12.75a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5z',
  box: 'M12 3.5l7.5 4v9l-7.5 4-7.5-4v-9zM4.5 7.5l7.5 4 7.5-4M12 11.5v9',
  shield: 'M12 3.5l7 2.5v5.5c0 4.5-2.8 7.5-7 9-4.2-1.5-7-4.5-7-9V6zM9 12l2.2 2.2L15.2 10',
  exit: 'M14 4.5H6a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1h8M10.5 12H20M16.5 8.5 20 12l-3.5 3.5',
  offline:
    'M4 4l16 16M8.5 15.5a5 5 0 0 1 5.2-1.2M5 12a10 10 0 0 1 4-2.4M13 9a10 10 0 0 1 6 3M2.5 8.5A14 14 0 0 1 6.5 6M11 4.6a14 14 0 0 1 10.5 3.9M12 19h.01',
  panel: 'M4.5 5h15a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM9.5 5v14',
  history: 'M4.5 12a7.5 7.5 0 1 0 2.3-5.4L4.5 9M4.5 4.5V9H9M12 8v4.5l3 1.8',
  up: 'M12 19V6M6.5 11.5 12 6l5.5 5.5',
  drop: 'M12 5v13M6.5 12.5 12 18l5.5-5.5',
  pix: 'M12 3.5 20.5 12 12 20.5 3.5 12zM7.5 8l3.1 3.1a2 2 0 0 0 2.8 0L16.5 8M7.5 16l3.1-3.1a2 2 0 0 1 2.8 0l3.1 3.1',
  card: 'M4.5 5.5h15a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1zM3.5 10h17M7 15h3.5',
  more: 'M5 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0zM11.5 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0zM18 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0z',
  theme: 'M12 19.5a7.5 7.5 0 1 0 0-15zM12 4.5a7.5 7.5 0 0 0 0 15',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  copy: 'M9 9h9.5a1 1 0 0 1 1 1v9.5a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM5.5 15.5h-1a1 1 0 0 1-1-1V4.5a1 1 0 0 1 1-1H14a1 1 0 0 1 1 1v1',
  grow: 'M13.5 4.5h6v6M19 5l-6 6M10.5 19.5h-6v-6M5 19l6-6',
  stop: 'M7 7h10v10H7z',
  chat: 'M4 19.5l1.3-4A7.5 7.5 0 1 1 8.2 18.3z',
  phone: 'M6 4h3l1.5 4-2 1.5a11 11 0 0 0 6 6l1.5-2 4 1.5v3a2 2 0 0 1-2 2A15.5 15.5 0 0 1 4 6a2 2 0 0 1 2-2z',
  bell: 'M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 2H5zM10 21h4',
  tag: 'M4 11.5V5a1 1 0 0 1 1-1h6.5l8.5 8.5-7.5 7.5zM8.5 8.5h.01',
  ticks: 'm3.5 7 1.5 1.5L8 5.5M3.5 16.5 5 18l3-3M11.5 7h9M11.5 17h9',
  coins: 'M9 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM14.8 9.3a5.5 5.5 0 1 1-6.6 6',
} as const;

export type IconName = keyof typeof paths;

interface IconProps {
  name: IconName;
  /** Pixels; default: 20. */
  size?: number;
  className?: string | undefined;
}

/** An icon beside a text, hidden from screen readers. */
export function Icon({ name, size = 20, className }: IconProps) {
  return (
    <svg
      aria-hidden
      className={className}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
