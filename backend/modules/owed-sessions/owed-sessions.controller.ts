import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { CSV_MEDIA, csvFile } from '../../platform/http/csv-file.js';
import { Route } from '../../platform/http/route.js';
import { WriteOwedSessions } from './owed-sessions.queries.js';

@Controller()
export class OwedSessionsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('finance/owed-sessions/sheet')
  @Route({
    summary: 'Baixa as sessões pagas que ainda serão dadas em CSV',
    tags: ['finance'],
    media: CSV_MEDIA,
  })
  async sheet(@Ctx() context: CommandContext) {
    return csvFile('sessoes-a-dar.csv', await this.queries.execute(new WriteOwedSessions(context)));
  }
}
