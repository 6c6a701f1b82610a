import { isDeepStrictEqual, promisify } from 'node:util';
import type { onSendHookHandler, preSerializationHookHandler, onSendAsyncHookHandler } from 'fastify';
import * as z from 'zod/mini';
import { safeParse } from 'zod/v4/core';
import type { CommandResult } from '../event-store/context.js';
import type { FeatureRegistry } from '../features.js';
import { gzip } from 'node:zlib';

/**
 * Sends the command's position, for which the caller's next reads wait, and the topics of the projections that its events
 * change. Anonymous callers get neither, because they would reveal whether events were recorded.
 */
export function tellChanges({ all }: FeatureRegistry): preSerializationHookHandler<unknown> {
  const topics = new Map<string, string[]>();
  for (const projection of all.projections)
    for (const type of projection.events) topics.set(type, [...(topics.get(type) ?? []), projection.topic]);
  return (request, reply, payload, done) => {
    if (!request.idempotency || reply.statusCode >= 400) return done(null, payload);
    const { answer, position, events } = payload as CommandResult<unknown>;
    if (!request.routeOptions.config.route?.public) {
      void reply.header('Rende-Position', String(position));
      const changed = new Set(events?.flatMap((type) => topics.get(type) ?? []));
      if (events) void reply.header('Rende-Topics', [...changed].join(' '));
    }
    done(null, answer ?? null);
  };
}

/** Outside production, an answer that does not match its route's schema fails at once. */
export const refuseUndeclared: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  const { route } = request.routeOptions.config;
  if (route && !route.media && reply.statusCode < 300) {
    const sent: unknown = reply.statusCode === 204 || !payload ? undefined : JSON.parse(payload as string);
    const result = safeParse(route.answer ?? z.undefined(), sent);
    if (!result.success)
      return done(new Error(`"${route.summary}" answers otherwise than declared`, { cause: result.error }));
    if (!isDeepStrictEqual(result.data, sent))
      return done(new Error(`"${route.summary}" answers more than declared`));
  }
  done(null, payload);
};

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
