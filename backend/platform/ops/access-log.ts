import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger as Pino } from 'pino';
import { anonymousAddress } from '../http/address.js';
import type { ErrorTrap } from './error-trap.js';
import type { Metrics } from './metrics.js';

/**
 * Writes one log line and one measurement for each answer. Both name the route pattern, because paths contain ids and search
 * texts. The caller's address is anonymised.
 */
export function addAccessLog(
  instance: FastifyInstance,
  logger: Pino,
  metrics: Metrics,
  trap: ErrorTrap,
): void {
  const record = trap.listener('access log', (request: FastifyRequest, reply: FastifyReply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method, id: requestId, ip, rende, caller, span } = request;
    const { statusCode: status, elapsedTime } = reply;
    metrics.httpSeconds.observe({ method, route, status }, elapsedTime / 1000);
    logger.info({
      msg: 'answered',
      requestId,
      traceId: span?.spanContext().traceId,
      method,
      route,
      status,
      address: anonymousAddress(ip),
      ms: Math.round(elapsedTime * 10) / 10,
      tenantId: rende?.tenantId,
      userId: caller?.userId,
    });
  });
  instance.addHook('onResponse', (request, reply, done) => {
    record(request, reply);
    done();
  });
}
