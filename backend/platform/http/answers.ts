import { isDeepStrictEqual } from 'node:util';
import type { onSendHookHandler, preHandlerHookHandler, preSerializationHookHandler } from 'fastify';
import * as z from 'zod/mini';
import { safeParse } from 'zod/v4/core';
import { notedReads } from '../database/database.js';
import type { CommandResult } from '../event-store/context.js';
import type { FeatureRegistry } from '../features.js';
import type { ReadYourWrites } from './read-your-writes.js';

/**
 * Sends the command's position, for which the caller's next reads wait. Anonymous callers do not get it, because it
 * would reveal whether events were recorded.
 */
export const tellPosition: preSerializationHookHandler<unknown> = (request, reply, payload, done) => {
  if (!request.idempotency || reply.statusCode >= 400) return done(null, payload);
  const { answer, position } = payload as CommandResult<unknown>;
  if (!request.routeOptions.config.route?.public) void reply.header('Rende-Position', String(position));
  done(null, answer ?? null);
};

declare module 'fastify' {
  interface FastifyRequest {
    /** SQL of the reads of the request; in production recorded only while a projection is behind. */
    reads?: string[];
    /** Tables whose projection is behind in the caller's tenant. */
    tablesBehind?: readonly string[];
  }
}

/**
 * Records which tables a request reads; in production only while a projection is behind, because async context tracking makes
 * every promise of the process slower until it is switched off again.
 */
export const noteReads =
  (readYourWrites: ReadYourWrites, isProduction: boolean): preHandlerHookHandler =>
  (request, _reply, done) => {
    const { route } = request.routeOptions.config;
    if (!route || route.public || (request.method !== 'GET' && !route.asks)) return done();
    const note = (names: readonly string[]) => {
      if (isProduction && names.length === 0) {
        notedReads.disable();
        return done();
      }
      request.reads = [];
      notedReads.run(request.reads, done);
    };
    readYourWrites.projectionsBehind().then(note, () => done());
  };

/** Marks an answer from a table whose projection is behind as stale. */
export const tellBehind: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  const { tablesBehind = [], reads = [] } = request;
  if (tablesBehind.some(isIn(reads))) void reply.header('Rende-Stale', 'true');
  done(null, payload);
};

/** Whether one of the statements names the table. */
const isIn = (reads: readonly string[]) => (table: string) =>
  reads.some((sql) => new RegExp(`\\b${table}\\b`).test(sql));

/** Outside production, a route that reads summaries without declaring it fails at once: it would not wait for them. */
export const refuseUndeclaredSummaries =
  (features: FeatureRegistry): onSendHookHandler<unknown> =>
  (request, reply, payload, done) => {
    const { route } = request.routeOptions.config;
    if (!request.reads || !route || route.readsSummaries || reply.statusCode >= 300)
      return done(null, payload);
    const summaries = features.all.projections.filter(({ lane }) => lane === 'summaries');
    const table = summaries.flatMap(({ tables }) => tables).find(isIn(request.reads));
    if (table) done(new Error(`"${route.summary}" reads ${table} without readsSummaries`));
    else done(null, payload);
  };

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
