import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { CancelOwnSession, RequestChange, UndoOwnChange, WithdrawRequest } from './own-changes.commands.js';
import { GrantRequest, RefuseRequest } from './requests.commands.js';
import {
  newSessionRequest,
  type NewSessionRequest,
  requestAnswered,
  requestGrant,
  type RequestGrant,
  requestRefusal,
  type RequestRefusal,
  sessionRequests,
} from './student-area.api.js';
import { ListSessionRequests } from './student-area.queries.js';

/** What students do with their sessions. */
@Controller('student/sessions')
export class OwnChangesController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':id/cancel')
  @Route({
    summary: 'Desmarca uma aula do próprio aluno, dentro do prazo',
    roles: ['aluno'],
    params: idParams,
    answer: created,
  })
  cancel(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new CancelOwnSession(context, id));
  }

  @Post(':id/undo')
  @Route({
    summary: 'Desfaz o que o próprio aluno acabou de mudar',
    roles: ['aluno'],
    params: idParams,
    answer: created,
  })
  undo(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new UndoOwnChange(context, id));
  }

  @Post(':id/request')
  @Route({
    summary: 'Pede ao personal para desmarcar ou remarcar uma aula fora do prazo',
    roles: ['aluno'],
    params: idParams,
    body: newSessionRequest,
    answer: created,
  })
  request(@Ctx() context: CommandContext, @Param('id') id: string, @Body() wanted: NewSessionRequest) {
    return this.commands.execute(new RequestChange(context, id, wanted));
  }

  @Post(':id/request/withdraw')
  @Route({
    summary: 'Retira o pedido do próprio aluno',
    roles: ['aluno'],
    params: idParams,
    answer: created,
  })
  withdraw(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new WithdrawRequest(context, id));
  }
}

/** What students ask of the trainer. A request has its session's id. */
@Controller('session-requests')
export class SessionRequestsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Lista os pedidos de alunos que esperam resposta', answer: sessionRequests })
  list(@Ctx() context: CommandContext) {
    return this.queries.execute(new ListSessionRequests(context));
  }

  @Post(':id/grant')
  @Route({
    summary: 'Aceita o pedido de um aluno',
    params: idParams,
    body: requestGrant,
    answer: requestAnswered,
  })
  grant(@Ctx() context: CommandContext, @Param('id') id: string, @Body() grant: RequestGrant) {
    return this.commands.execute(new GrantRequest(context, id, grant));
  }

  @Post(':id/refuse')
  @Route({
    summary: 'Recusa o pedido de um aluno',
    params: idParams,
    body: requestRefusal,
    answer: requestAnswered,
  })
  refuse(@Ctx() context: CommandContext, @Param('id') id: string, @Body() { mensagem }: RequestRefusal) {
    return this.commands.execute(new RefuseRequest(context, id, mensagem));
  }
}
