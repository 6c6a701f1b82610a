/** A balance, and since when, in milliseconds since 1970. */
export interface Step {
  at: number;
  saldo: number;
}

/**
 * The SVG path of a step chart with this width and height: the first step at the left edge, now at the right, zero at the
 * bottom, the highest balance at the top.
 */
export function pathOf(steps: readonly Step[], now: number, width: number, height: number): string {
  const [first] = steps;
  if (!first) return '';
  const span = Math.max(now - first.at, 1);
  const highest = Math.max(...steps.map(({ saldo }) => saldo), 1);
  const round = (value: number) => Math.round(value * 10) / 10;
  const x = (at: number) => round(Math.min(Math.max((at - first.at) / span, 0), 1) * width);
  const y = (saldo: number) => round(height - (saldo / highest) * height);
  const turns = steps.slice(1).map(({ at, saldo }) => `H${x(at)}V${y(saldo)}`);
  return `M0 ${y(first.saldo)}${turns.join('')}H${width}`;
}
