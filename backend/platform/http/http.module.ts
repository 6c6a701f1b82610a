import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { CspReportsController } from './csp-reports.controller.js';
import { Drain } from './drain.js';
import { OpenApiController } from './openapi.controller.js';
import { ProblemFilter } from './problem.filter.js';
import { RateLimits } from './rate-limit.js';
import { RequestHooks } from './request-hooks.js';

@Global()
@Module({
  controllers: [CspReportsController, OpenApiController],
  providers: [Drain, RateLimits, RequestHooks, { provide: APP_FILTER, useClass: ProblemFilter }],
  exports: [RateLimits],
})
export class HttpModule {}
