import { Module, Controller, Get, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { dossierApi, dossierErrors, dossierQuery, type DossierQuery } from './dossier.api.js';
import { PrintDossier, PreviewDossier } from './dossier.queries.js';

const MEDIA = 'application/pdf';
/** Each is drawn, and may get a time stamp of another server. */
const DOSSIERS = { name: 'dossiers', points: 10, seconds: 60 };

@Controller('students/:id/dossier')
class DossierController {
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

/**
 * What a dispute with a student is about, as one file: the contract and the rules in force, the sessions with who booked, moved and
 * cancelled them, the statement of credits, the money and the messages of a period. Each fact has a number, and the number leads to the
 * records of the log that say it, with moment, author and device (`dossier.facts.ts`). It records nothing: all is read as it is now, in
 * the words of the history, without the trainer's private notes. Its code names the newest of its records, which `/verificar` finds in
 * the chain and in the seal of its day; and the file is signed as signed contracts are. Of a forgotten student it says what is left:
 * days, amounts and rules.
 */
@Module(
  together(serve(dossierApi, { preview: PreviewDossier }), {
    controllers: [DossierController],
    providers: [PrintDossier.Handler],
  }),
)
export class DossierModule {
  static readonly feature: Feature = { errors: dossierErrors };
}
