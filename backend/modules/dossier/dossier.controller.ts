import { Controller, Get, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { dossierQuery, type DossierQuery } from './dossier.api.js';
import { PrintDossier } from './dossier.queries.js';

const MEDIA = 'application/pdf';
/** Each is drawn, and may get a time stamp of another server. */
const DOSSIERS = { name: 'dossiers', points: 10, seconds: 60 };

@Controller('students/:id/dossier')
export class DossierController {
  constructor(
    private readonly queries: QueryBus,
    private readonly limits: RateLimits,
  ) {}

  @Get('file')
  @Route({
    summary: 'Baixa o dossiê de um aluno em PDF',
    tags: ['students'],
    params: idParams,
    query: dossierQuery,
    media: MEDIA,
  })
  async file(
    @Ctx() context: CommandContext,
    @Param('id') id: string,
    @Query() query: DossierQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    await this.limits.consume(DOSSIERS, context.tenantId, reply);
    const file = await this.queries.execute(new PrintDossier(context, id, query));
    const disposition = `attachment; filename="dossie-${query.de}-${query.ate}.pdf"`;
    return new StreamableFile(file, { type: MEDIA, disposition, length: file.length });
  }
}
