interface LogoProps {
  /** Height of the mark in pixels. */
  size?: number;
}

export function Logo({ size = 32 }: LogoProps) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 10 }}>
      <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden>
        <rect width="48" height="48" rx="13" fill="#4f5dff" />
        <path
          d="M14 35V13h12a7.5 7.5 0 0 1 0 15H14m11 0 9 7"
          fill="none"
          stroke="#fff"
          strokeWidth="5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span style={{ fontSize: size * 0.62, fontWeight: 750, letterSpacing: '-0.02em' }}>Rende</span>
    </span>
  );
}
