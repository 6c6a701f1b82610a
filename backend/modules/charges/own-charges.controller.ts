import { Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { STUDENT_WRITES } from '../../platform/http/calls.api.js';
import { Route } from '../../platform/http/route.js';
import { claimed, ownCharges } from './charges.api.js';
import { ClaimOwnPayment } from './charges.commands.js';
import { ListOwnCharges } from './payment-page.queries.js';

/** The student's own charges. */
@Controller('student/charges')
export class OwnChargesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({
    summary: 'Lista o que o próprio aluno tem a pagar',
    roles: ['aluno'],
    byLink: true,
    answer: ownCharges,
  })
  list(@Ctx() context: CommandContext) {
    return this.queries.execute(new ListOwnCharges(context));
  }

  @Post(':id/claim')
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Avisa que o próprio aluno pagou uma cobrança',
    roles: ['aluno'],
    byLink: true,
    params: idParams,
    answer: claimed,
  })
  claim(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ClaimOwnPayment(context, id));
  }
}
