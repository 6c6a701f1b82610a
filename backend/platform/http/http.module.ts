import {
  Global,
  Module,
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Logger,
  Body,
  Controller,
  Post,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type * as z from 'zod/mini';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../clock.js';
import { Metrics } from '../ops/metrics.js';
import { Config } from '../config/env.js';
import { FeatureRegistry } from '../features.js';
import { describeError } from '../ops/logger.js';
import { CSP_REPORTS_PATH, cspReports, violationOf } from './csp-reports.js';
import { RateLimit, RateLimits } from './rate-limit.js';
import { Route } from './route.js';
import { IdentityGuard } from './identity.guard.js';
import { OpenApiController } from './openapi.controller.js';
import { Pages } from './pages/send-page.js';
import { toProblem, ownFailuresOf } from './failure.js';
import { PROBLEM_TYPE, problemBody } from './problem.js';
import { RequestGuard } from './request.guard.js';

/** Most log lines per hour, because reports come from anonymous callers. */
const MAX_LINES = 100;
const HOUR_MS = 3_600_000;

/** Receives CSP violation reports: counts each, and logs each kind once an hour. */
@Controller()
class CspReportsController {
  private readonly logger = new Logger('CspReports');
  private readonly written = new Set<string>();
  private hour = 0;

  constructor(
    private readonly metrics: Metrics,
    private readonly clock: Clock,
  ) {}

  @Post(CSP_REPORTS_PATH)
  @RateLimit({ name: 'csp-reports', points: 30, seconds: 60 })
  @Route({
    summary: 'Recebe do navegador o que a política de conteúdo bloqueou',
    public: true,
    takes: ['application/reports+json'],
    body: cspReports,
    status: 204,
  })
  take(@Body() reports: z.infer<typeof cspReports>): void {
    const hour = Math.floor(this.clock.now().getTime() / HOUR_MS);
    if (hour !== this.hour) this.written.clear();
    this.hour = hour;
    for (const report of reports) {
      const violation = violationOf(report);
      this.metrics.cspViolations.inc({ directive: violation.directive });
      const key = `${violation.directive} ${violation.blocked}`;
      if (this.written.has(key) || this.written.size >= MAX_LINES) continue;
      this.written.add(key);
      this.logger.warn({ msg: 'csp violation', ...violation });
    }
  }
}

/** Answers every error as `application/problem+json` (RFC 9457), except under paths with an error format of their own. */
@Catch()
class ProblemFilter implements ExceptionFilter {
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

@Global()
@Module({
  controllers: [CspReportsController, OpenApiController],
  providers: [
    RateLimits,
    Pages,
    // Order matters: authenticate first, then validate.
    { provide: APP_GUARD, useExisting: IdentityGuard },
    { provide: APP_GUARD, useClass: RequestGuard },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [RateLimits, Pages],
})
export class HttpModule {}
