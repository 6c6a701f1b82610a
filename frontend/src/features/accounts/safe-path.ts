/** The path if it is on this site, else `/`: `//host` and `https:` lead elsewhere, and browsers ignore tabs and line breaks. */
export const safePath = (wanted: string | null): string =>
  wanted && /^\/(?![/\\])[^\t\r\n]*$/.test(wanted) ? wanted : '/';
