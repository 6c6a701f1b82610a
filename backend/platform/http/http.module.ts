import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { AnswerInterceptor } from './answer.interceptor.js';
import { Drain } from './drain.js';
import { OpenApiController } from './openapi.controller.js';
import { ProblemFilter } from './problem.filter.js';
import { RateLimits } from './rate-limit.js';
import { RequestInterceptor } from './request.interceptor.js';

@Global()
@Module({
  controllers: [OpenApiController],
  providers: [
    Drain,
    RateLimits,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_INTERCEPTOR, useClass: RequestInterceptor },
    { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
  ],
  exports: [RateLimits],
})
export class HttpModule {}
