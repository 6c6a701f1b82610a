import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { STUDENT_WRITES } from '../../platform/http/calls.api.js';
import { Route } from '../../platform/http/route.js';
import { MakeChargeLinks } from '../charges/charges.queries.js';
import {
  CancelOwnSession,
  RequestChange,
  ShowPartnerName,
  UndoOwnChange,
  WithdrawRequest,
} from './own-changes.commands.js';
import { GrantRequest, RefuseRequest } from './requests.commands.js';
import {
  newSessionRequest,
  type NewSessionRequest,
  partnerNameChoice,
  type PartnerNameChoice,
  requestAnswered,
  requestGrant,
  type RequestGrant,
  requestRefusal,
  type RequestRefusal,
  sessionRequestList,
  type SessionRequestList,
  sessionRequests,
} from './student-area.api.js';
import { ListSessionRequests } from './student-area.queries.js';

/** Students' changes of their own sessions. */
@Controller('student/sessions')
export class OwnChangesController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':id/cancel')
  @RateLimit(STUDENT_WRITES)
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
  @RateLimit(STUDENT_WRITES)
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
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Pede ao personal para desmarcar ou remarcar uma aula fora do prazo',
    roles: ['aluno'],
    byLink: true,
    params: idParams,
    body: newSessionRequest,
    answer: created,
  })
  request(@Ctx() context: CommandContext, @Param('id') id: string, @Body() wanted: NewSessionRequest) {
    return this.commands.execute(new RequestChange(context, id, wanted));
  }

  @Post(':id/request/withdraw')
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Cancela o pedido do próprio aluno',
    roles: ['aluno'],
    byLink: true,
    params: idParams,
    answer: created,
  })
  withdraw(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new WithdrawRequest(context, id));
  }
}

@Controller('student/partner-name')
export class PartnerNameController {
  constructor(private readonly commands: CommandBus) {}

  @Put()
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Mostra ou esconde o primeiro nome do próprio aluno a quem divide o horário',
    roles: ['aluno'],
    body: partnerNameChoice,
    answer: created,
  })
  set(@Ctx() context: CommandContext, @Body() { mostra }: PartnerNameChoice) {
    return this.commands.execute(new ShowPartnerName(context, mostra));
  }
}

/** Students' requests to the trainer. A request has its session's id. */
@Controller('session-requests')
export class SessionRequestsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({
    summary: 'Lista os pedidos de alunos que esperam resposta',
    query: sessionRequestList,
    answer: sessionRequests,
  })
  list(@Ctx() context: CommandContext, @Query() list: SessionRequestList) {
    return this.queries.execute(new ListSessionRequests(context, list));
  }

  @Post(':id/grant')
  @Route({
    summary: 'Aceita o pedido de um aluno',
    params: idParams,
    body: requestGrant,
    answer: requestAnswered,
  })
  async grant(@Ctx() context: CommandContext, @Param('id') id: string, @Body() grant: RequestGrant) {
    return this.commands.execute(
      new GrantRequest(context, id, grant, (await this.queries.execute(new MakeChargeLinks()))()),
    );
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
