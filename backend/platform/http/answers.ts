import { isDeepStrictEqual } from 'node:util';
import type { onSendHookHandler, preSerializationHookHandler } from 'fastify';
import * as z from 'zod/mini';
import { safeParse } from 'zod/v4/core';
import type { CommandResult } from '../event-store/context.js';
import type { FeatureRegistry } from '../features.js';

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
