import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { idParams } from '../../platform/http/common.api.js';
import { PreviewOwnCancellation } from './cancellation.queries.js';
import { ownCancellation, ownSessions } from './own-sessions.api.js';
import { ListOwnSessions } from './own-sessions.queries.js';

/** What a student sees of the agenda. */
@Controller('student')
export class OwnSessionsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('sessions')
  @Route({
    summary: 'Mostra as próximas sessões do próprio aluno',
    roles: ['aluno'],
    byLink: true,
    answer: ownSessions,
  })
  list(@Ctx() context: CommandContext) {
    return this.queries.execute(new ListOwnSessions(context));
  }

  @Get('sessions/:id/cancellation')
  @Route({
    summary: 'Mostra o que desmarcar agora custa ao próprio aluno',
    roles: ['aluno'],
    byLink: true,
    params: idParams,
    answer: ownCancellation,
  })
  cancellation(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new PreviewOwnCancellation(context, id));
  }
}
