import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { onSendAsyncHookHandler } from 'fastify';

const zip = promisify(gzip);

/** Pages and data. Scripts and styles are compressed when they are built, and files to download are sent as they are. */
const MEDIA = /^(text\/html|application\/(problem\+)?json)(;|$)/;
/** Less is one packet of the network anyway. */
const LEAST_BYTES = 1400;
/** Its answers hold tokens, and are short. */
const UNCOMPRESSED = '/auth/';

/**
 * Compresses what is sent as text, which costs 0.2 to 0.4 ms of a processor for each answer, outside of the event loop; Brotli is no
 * smaller at that. The size of an answer tells of a secret in it (BREACH) only where another site can have a browser ask for it
 * with the user's credentials, and here these are a header that our script sets, or in the address of a private link.
 */
export const compress: onSendAsyncHookHandler<unknown> = async (request, reply, payload) => {
  if (request.url.startsWith(UNCOMPRESSED)) return payload;
  const isText = MEDIA.test(String(reply.getHeader('Content-Type')));
  if (isText || reply.statusCode === 304) void reply.header('Vary', 'Accept-Encoding');
  if (!isText || typeof payload !== 'string' || Buffer.byteLength(payload) < LEAST_BYTES) return payload;
  if (!takesGzip(request.headers['accept-encoding'])) return payload;
  void reply.header('Content-Encoding', 'gzip').removeHeader('Content-Length');
  return zip(payload);
};

/** Whether a client names gzip, and not with a weight of 0. */
const takesGzip = (header = '') =>
  header.split(',').some((each) => /^\s*gzip\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(each));
