import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { CspReportsController } from './csp-reports.controller.js';
import { Drain } from './drain.js';
import { IdentityGuard } from './identity.guard.js';
import { OpenApiController } from './openapi.controller.js';
import { Pages } from './pages/send-page.js';
import { ProblemFilter } from './problem.filter.js';
import { RateLimits } from './rate-limit.js';
import { RequestGuard } from './request.guard.js';

@Global()
@Module({
  controllers: [CspReportsController, OpenApiController],
  providers: [
    Drain,
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
