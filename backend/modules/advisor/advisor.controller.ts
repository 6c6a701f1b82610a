import { Readable } from 'node:stream';
import { Body, Controller, Post, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { type RateLimitOptions, RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { advisorQuestion, type AdvisorQuestion } from './advisor.api.js';
import { END, linesOf } from './answer-stream.js';
import { BuiltInAdvisor } from './built-in-advisor.service.js';

const BY_PERSON: RateLimitOptions = { name: 'advisor-by-person', points: 60, seconds: 60 };
const BY_TENANT: RateLimitOptions = { name: 'advisor-by-tenant', points: 120, seconds: 60, isShared: true };

@Controller('financial-advisor')
export class AdvisorController {
  constructor(
    private readonly advisor: BuiltInAdvisor,
    private readonly limits: RateLimits,
  ) {}

  @Post()
  @Route({
    summary: 'Responde uma pergunta ao Consultor Financeiro',
    body: advisorQuestion,
    media: 'text/event-stream',
    asks: true,
    tellsError: true,
    readsSummaries: true,
  })
  async ask(
    @Ctx() context: CommandContext,
    @Body() { messages }: AdvisorQuestion,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    await this.limits.consume(BY_TENANT, context.tenantId, reply);
    await this.limits.consume(BY_PERSON, context.userId, reply);
    const parts = await this.advisor.answer(context, messages);
    const answer = [...parts.flatMap((part) => [...linesOf(part)]), END];
    void reply.header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no');
    return new StreamableFile(Readable.from(answer, { objectMode: false }), {
      type: 'text/event-stream; charset=utf-8',
    });
  }
}
