import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import type { AuthError } from './auth-error.js';

/** The fields of a token response that the implicit flow puts into the address. */
interface Tokens {
  access_token: string;
  expires_at: number;
  expires_in: number;
  refresh_token: string;
  token_type: string;
}

/** The address to which a person is redirected after a link or a provider, with its parameters. */
@Injectable()
export class Redirects {
  private readonly origin: string;
  private readonly others: ReadonlySet<string>;

  constructor(private readonly config: Config) {
    this.origin = new URL(config.siteUrl).origin;
    this.others = new Set(config.redirectUrls);
  }

  /** For a policy: this site and those of `REDIRECT_URLS`. */
  get origins(): string {
    const others = this.config.redirectUrls.map((url) => {
      const { origin, protocol } = new URL(url);
      return origin === 'null' ? protocol : origin;
    });
    return ["'self'", this.origin, ...new Set(others)].join(' ');
  }

  /** The requested address if it is on this site or exactly one of `REDIRECT_URLS`, otherwise that of the site. */
  allowed(wanted: string | null | undefined): string {
    if (!wanted || !URL.canParse(wanted)) return this.config.siteUrl;
    return this.isOurs(wanted) || this.others.has(wanted) ? wanted : this.config.siteUrl;
  }

  /** The parameters of a mail's link. */
  link(code_challenge: string | null | undefined, wanted: string | undefined) {
    return { code_challenge: code_challenge ?? null, redirect_to: this.allowed(wanted) };
  }

  /** Whether the address is on this site. */
  isOurs(address: string): boolean {
    const { origin, username, password } = new URL(address);
    return origin === this.origin && username === '' && password === '';
  }

  /**
   * `link` as it was opened. Our page sends it again where the browser is not the one that requested the mail and cannot exchange
   * the code.
   */
  withCode(to: string, code: string, link?: { token: string; type: string }): string {
    return addTo(to, { query: { code }, ...(link && this.isOurs(to) && { hash: { ...link, sb: '' } }) });
  }

  /** Adds the parameter `sb`, as the reference server does, so that other scripts ignore the fragment. */
  withTokens(to: string, type: string, tokens: Tokens): string {
    const { access_token, expires_at, expires_in, refresh_token, token_type } = tokens;
    const said = { access_token, expires_at, expires_in, refresh_token, token_type, type };
    return addTo(to, { hash: { ...said, sb: '' } });
  }

  withMessage(to: string, message: string, isPkce: boolean): string {
    return addTo(to, { hash: { message, sb: '' }, query: isPkce ? { message } : {} });
  }

  withError(to: string, { status, code, message }: AuthError, isPkce: boolean): string {
    const error = status >= 500 ? 'server_error' : 'access_denied';
    const said = { error, error_code: code, error_description: message };
    return addTo(to, { hash: { ...said, sb: '' }, query: isPkce ? said : {} });
  }
}

type Fields = Record<string, string | number>;

function addTo(to: string, { query = {}, hash }: { query?: Fields; hash?: Fields }): string {
  const url = new URL(to);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  if (hash) url.hash = new URLSearchParams(entriesOf(hash)).toString();
  return url.href;
}

function entriesOf(fields: Fields): [string, string][] {
  return Object.entries(fields).map(([name, value]) => [name, String(value)]);
}
