import { Controller, Get, Query, Res, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { type RateLimitOptions, STUDENT_FILES } from '../../platform/http/calls.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit, RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { Serves } from '../../platform/http/serve.js';
import {
  type CreditStatement,
  ownCreditsApi,
  ownStatementQuery,
  type OwnStatementQuery,
  type StatementQuery,
} from './credits.api.js';
import { GetOwnStatement, PrintOwnStatement, WriteOwnStatement } from './own-credits.queries.js';

const CSV = 'text/csv';
const PDF = 'application/pdf';
/** Of each student: a moment is folded from the trainer's whole log, which takes a second after five years. */
const MOMENTS: RateLimitOptions = { name: 'student-moments', points: 30, seconds: 600 };

/** The student's own credits. */
@Controller()
export class OwnCreditsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly limits: RateLimits,
  ) {}

  @Serves(ownCreditsApi.statement)
  async show(
    @Ctx() context: CommandContext,
    @Query() query: StatementQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreditStatement> {
    if (query.at !== undefined) await this.limits.consume(MOMENTS, context.studentId!, reply);
    return this.queries.execute(new GetOwnStatement(context, query));
  }

  @Get('student/credits/csv')
  @RateLimit(STUDENT_FILES)
  @Route({
    summary: 'Baixa o extrato do próprio aluno em CSV',
    roles: ['aluno'],
    byLink: true,
    query: ownStatementQuery,
    media: CSV,
  })
  csv(
    @Ctx() context: CommandContext,
    @Query() query: OwnStatementQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.type(`${CSV}; charset=utf-8`);
    void reply.header('Content-Disposition', 'attachment; filename="extrato-de-creditos.csv"');
    return this.queries.execute(new WriteOwnStatement(context, query));
  }

  @Get('student/credits/pdf')
  @RateLimit(STUDENT_FILES)
  @Route({
    summary: 'Baixa o extrato do próprio aluno em PDF',
    roles: ['aluno'],
    byLink: true,
    query: ownStatementQuery,
    media: PDF,
  })
  async pdf(@Ctx() context: CommandContext, @Query() query: OwnStatementQuery): Promise<StreamableFile> {
    const file = await this.queries.execute(new PrintOwnStatement(context, query));
    const disposition = 'attachment; filename="extrato-de-creditos.pdf"';
    return new StreamableFile(file, { type: PDF, disposition, length: file.length });
  }
}
