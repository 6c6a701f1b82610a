/** A mail's link, as the server names it behind the `#` of the page that it leads to. */
export interface MailLink {
  token: string;
  type: string;
}

/** Null where no link led here. */
export function mailLinkIn(hash: string): MailLink | null {
  const said = new URLSearchParams(hash.slice(1));
  const [token, type] = [said.get('token'), said.get('type')];
  return token && type ? { token, type } : null;
}
