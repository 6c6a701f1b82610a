import { Body, Controller, Logger, Post } from '@nestjs/common';
import type * as z from 'zod/mini';
import { Clock } from '../clock.js';
import { Metrics } from '../ops/metrics.js';
import { CSP_REPORTS_PATH, cspReports, violationOf } from './csp-reports.js';
import { RateLimit } from './rate-limit.js';
import { Route } from './route.js';

/** Most log lines per hour, because reports come from anonymous callers. */
const MAX_LINES = 100;
const HOUR_MS = 3_600_000;

/** Receives CSP violation reports: counts each, and logs each kind once an hour. */
@Controller()
export class CspReportsController {
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
