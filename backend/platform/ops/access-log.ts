import type { FastifyInstance } from 'fastify';
import type { Logger as Pino } from 'pino';
import type { Metrics } from './metrics.js';

/** One line and one measurement for each answer, by route pattern: addresses carry ids and what people search for. */
export function addAccessLog(instance: FastifyInstance, logger: Pino, metrics: Metrics): void {
  instance.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method, id: requestId, rende, caller } = request;
    const { statusCode: status, elapsedTime } = reply;
    metrics.httpSeconds.observe({ method, route, status }, elapsedTime / 1000);
    logger.info({
      msg: 'answered',
      requestId,
      method,
      route,
      status,
      ms: Math.round(elapsedTime * 10) / 10,
      tenantId: rende?.tenantId,
      userId: caller?.userId,
    });
    done();
  });
}
