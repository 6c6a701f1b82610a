import { Module, Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { serve, together } from '../../platform/http/serve.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { CSV_MEDIA, csvFile } from '../../platform/csv.js';
import { Route } from '../../platform/http/route.js';
import { owedSessionsApi } from './owed-sessions.api.js';
import { WriteOwedSessions, ListOwedSessions } from './owed-sessions.queries.js';

@Controller()
class OwedSessionsController {
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

/**
 * Sessions that were paid and are still to be given, as an obligation, and what sessions earn. All of it follows from credits and
 * charges, in one statement (`owed-sessions.queries.ts`), by what was known at a moment.
 *
 * - A purchase is a lot of credits and what is paid of the charge that granted it, or that is for it (`grant_id`). A partial
 *   payment of the latter counts too; of the former, whose credits come with the rest, it is owed as money without sessions.
 * - Its money belongs in equal parts to the credits that it is for: those of the lot, without those that a refund took back (the
 *   charge's `creditos`). The cents that remain go one each to the first credits.
 * - Credits keep their price wherever they go: transfers and make-ups lead to the purchase (`origem`), and so do the lots of
 *   merged students. Of all credits of a purchase, the money is counted to those used first, in the order of the ledger, then to
 *   those still to be given, then to expired, then to removed ones. So credits that a refund took back come last, when the
 *   purchase's money is spent; and all parts add up to what was paid. Only credits with a price are counted as sessions.
 * - Credits without money owe nothing: given by hand, from before Rende, granted and not paid, or of a charge that was undone or
 *   refunded in full. Money that a refund left for no credit at all belongs to no session.
 * - A session earns the price of its credit on its own day, also where it was missed or cancelled too late; a credit that was
 *   used by hand, on that day. An expired credit earns it on its last day, one that was removed by hand when it was removed.
 * - The suggested reserve is all that is owed: what would have to be given back if nothing more were given.
 */
@Module(
  together(serve(owedSessionsApi, { list: ListOwedSessions }), {
    controllers: [OwedSessionsController],
    providers: [WriteOwedSessions.Handler],
  }),
)
export class OwedSessionsModule {}
