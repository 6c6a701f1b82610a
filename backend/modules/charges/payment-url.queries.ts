import type { Config } from '../../platform/config/env.js';
import type { LinkTokens } from '../../platform/link-tokens.js';

/** The address of the page on which a charge is paid. */
export const paymentUrl = ({ siteUrl }: Config, tokens: LinkTokens, linkId: string): string =>
  `${siteUrl}/pagar/${tokens.tokenOf('payment', linkId)}`;
