/** Only a path of this site: `//elsewhere` and `https:` are addresses of others, and browsers read past tabs and line ends. */
export const safePath = (wanted: string | null): string =>
  wanted && /^\/(?![/\\])[^\t\r\n]*$/.test(wanted) ? wanted : '/';
