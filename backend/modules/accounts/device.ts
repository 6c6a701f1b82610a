const browsers: [string, RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const systems: [string, RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** `Chrome no Android` from a User-Agent; null for an unknown browser. */
export function deviceName(userAgent: string | null): string | null {
  const find = (known: [string, RegExp][]) => known.find(([, mark]) => mark.test(userAgent ?? ''))?.[0];
  const browser = find(browsers);
  const system = find(systems);
  return browser && system ? `${browser} no ${system}` : (browser ?? system ?? null);
}
