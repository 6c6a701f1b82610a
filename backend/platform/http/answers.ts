import { isDeepStrictEqual } from 'node:util';
import type { preSerializationHookHandler, onSendHookHandler } from 'fastify';
import * as z from 'zod/mini';
import { safeParse } from 'zod/v4/core';
import type { CommandResult } from '../event-store/context.js';

/** Tells with what a command answers how far the reads of its caller have to wait. */
export const tellPosition: preSerializationHookHandler<unknown> = (request, reply, payload, done) => {
  if (!request.idempotency || reply.statusCode >= 400) return done(null, payload);
  const { answer, position } = payload as CommandResult<unknown>;
  void reply.header('Rende-Position', String(position));
  done(null, answer ?? null);
};

/** Outside production, an answer that is not exactly what its route declares is a mistake that shows at once. */
export const refuseUndeclared: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  const { route } = request.routeOptions.config;
  if (route && !route.media && reply.statusCode < 400) {
    const sent: unknown = reply.statusCode === 204 || !payload ? undefined : JSON.parse(payload as string);
    const result = safeParse(route.answer ?? z.undefined(), sent);
    if (!result.success)
      return done(new Error(`"${route.summary}" answers otherwise than declared`, { cause: result.error }));
    if (!isDeepStrictEqual(result.data, sent))
      return done(new Error(`"${route.summary}" answers more than declared`));
  }
  done(null, payload);
};
