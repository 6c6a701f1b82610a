import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/env.js';
import { FeatureRegistry } from '../features.js';
import { describeError } from '../ops/logger.js';
import { Metrics } from '../ops/metrics.js';
import { toProblem } from './failure.js';
import { ownFailuresOf } from './own-failures.js';
import { PROBLEM_TYPE, problemBody } from './problem.js';

/** Answers every error as `application/problem+json` (RFC 9457), except under paths with an error format of their own. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(
    private readonly config: Config,
    private readonly features: FeatureRegistry,
    private readonly metrics: Metrics,
  ) {}

  catch(failure: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const own = ownFailuresOf(request.url, this.features.all.failures);
    if (own) return own.answer(failure, request, reply);
    const problem = toProblem(failure);
    const body = problemBody(problem, this.features.all.errors, this.config.siteUrl, request.id);
    if (body.status >= 500) {
      const level = body.status === 503 ? 'warn' : 'error';
      this.logger[level]({
        msg: 'request failed',
        requestId: request.id,
        code: problem.code,
        err: describeError(problem.cause ?? failure),
      });
    }
    if (body.status === 409) this.metrics.conflicts.inc({ code: body.code });
    const retryAfter = problem.retryAfter ?? (body.status === 503 ? 1 : undefined);
    if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
    const { route } = request.routeOptions.config;
    const told = route?.tellsError ? { ...body, error: body.detail ?? body.title } : body;
    void reply.status(body.status).type(PROBLEM_TYPE).send(told);
  }
}
