/** Only a path of this site: `//elsewhere` and `https:` are addresses of others. */
export const safePath = (wanted: string | null): string =>
  wanted && /^\/(?![/\\])/.test(wanted) ? wanted : '/';
