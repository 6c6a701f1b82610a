import { createHmac, timingSafeEqual } from 'node:crypto';
import { pixNotice } from './pix-notices.api.js';
import type { ArrivedPix, PixProvider } from './pix-provider.js';

const SIGNATURE = /^(?:sha256=)?([\da-f]{64})$/i;

/**
 * The webhook of the central bank's API Pix: `{"pix": [{"endToEndId", "txid", "valor", "horario"}]}`, with an HMAC-SHA256 of
 * the body in `x-signature`. A provider that signs by its certificate alone needs a proxy in front that checks it and signs.
 */
export const apiPix: PixProvider = {
  name: 'api-pix',
  isSigned(bytes, headers, secret) {
    const [, given] = SIGNATURE.exec(String(headers['x-signature'])) ?? [];
    if (!given) return false;
    return timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(given, 'hex'));
  },
  read(body): ArrivedPix[] {
    return pixNotice.parse(body).pix.map(({ endToEndId, txid = null, valor, horario }) => ({
      ...{ endToEndId, txid, horario },
      valor: Math.round(Number(valor) * 100),
    }));
  },
};
