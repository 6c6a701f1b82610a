import { Controller, Get, Query, Res, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { STUDENT_FILES } from '../../platform/http/calls.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { ownStatementQuery, type OwnStatementQuery } from './credits.api.js';
import { PrintOwnStatement, WriteOwnStatement } from './own-credits.queries.js';

const CSV = 'text/csv';
const PDF = 'application/pdf';

/** The student's own credits. */
@Controller('student/credits')
export class OwnCreditsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('csv')
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

  @Get('pdf')
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
