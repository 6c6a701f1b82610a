/** A mail's link, whose token and type the server puts into the fragment of the page's address. */
export interface MailLink {
  token: string;
  type: string;
}

/** The link in a fragment; null if there is none. */
export function mailLinkIn(hash: string): MailLink | null {
  const said = new URLSearchParams(hash.slice(1));
  const [token, type] = [said.get('token'), said.get('type')];
  return token && type ? { token, type } : null;
}
